/** Commits that are told by what they change, and not by what their trailers say. */
import type { JournalEvent } from '../../event.js';
import { idOfPath, isNotePath } from '../../note/paths.js';
import { foreignEvent } from '../../trailers.js';
import { logFormat, parseLog } from '../git-log.js';
import { everyChange, type GitFolders, runGit } from '../git-process.js';

/** These commits as foreign ones, by commit: two git calls, and none for none. */
export const readAsForeign = async (
  folders: GitFolders,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, JournalEvent>> => {
  if (hashes.length === 0) return new Map();
  const args = ['log', '-z', logFormat, '--no-walk=unsorted', '--stdin'];
  const commits = parseLog(await runGit(folders, args, linesOf(hashes)));
  const notes = await readNotesOf(folders, hashes);
  return new Map(
    commits.map((commit) => [commit.hash, foreignEvent({ ...commit, notes: notes.get(commit.hash) ?? [] })]),
  );
};

/** Ids of the notes by commit, from the paths that it changes. One git call for all. */
export const readNotesOf = async (
  folders: GitFolders,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const notes = new Map<string, string[]>();
  if (hashes.length === 0) return notes;
  const args = ['diff-tree', '--stdin', '--root', '-r', '-c', '-z', '--name-only', ...everyChange];
  const output = await runGit(folders, args, linesOf(hashes));
  let current: string[] = [];
  for (const field of output.toString('utf8').split('\0')) {
    const text = field.trim();
    if (/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text)) {
      current = [];
      notes.set(text, current);
    } else if (isNotePath(field)) {
      const id = idOfPath(field);
      if (!current.includes(id)) current.push(id);
    }
  }
  return notes;
};

const linesOf = (hashes: readonly string[]): readonly string[] => [hashes.map((hash) => `${hash}\n`).join('')];
