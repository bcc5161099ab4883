/** Reads commits by what they change instead of what their trailers say. */
import type { JournalEvent } from '../../event.js';
import type { NoteId } from '../../note/note.js';
import { idOfPath, isNotePath } from '../../note/paths.js';
import { foreignEvent } from '../../trailers.js';
import { logFormat, openStepReader, parseLog } from '../git-log.js';
import { everyChange, type GitFolders, runGit } from '../git-process.js';
import { streamFields } from '../stream-fields.js';

/** Returns these commits as foreign events, by commit. Two git calls, or none without commits. */
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

/**
 * Returns the ids of the notes that each of these commits changes, from their paths; for a merge, of those files that
 * differ from all sides. One git call, or none without commits.
 */
export const readNotesOf = async (
  folders: GitFolders,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, readonly NoteId[]>> => {
  const notes = new Map<string, Set<NoteId>>();
  if (hashes.length === 0) return new Map();
  let current = new Set<NoteId>();
  const take = openStepReader(
    ({ hash }) => {
      current = new Set();
      notes.set(hash, current);
    },
    (_, path) => {
      if (isNotePath(path)) current.add(idOfPath(path));
    },
  );
  const args = ['log', '-z', logFormat, '--root', '--raw', '-c', '--no-abbrev', ...everyChange];
  // Streamed: a few commits of a large tree may change millions of files.
  await streamFields(folders, [...args, '--no-walk=unsorted', '--stdin'], take, linesOf(hashes));
  return new Map([...notes].map(([hash, ids]) => [hash, [...ids]]));
};

const linesOf = (hashes: readonly string[]): readonly string[] => [hashes.map((hash) => `${hash}\n`).join('')];
