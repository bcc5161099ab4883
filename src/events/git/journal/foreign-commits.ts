/** Commits that are told by what they change, and not by what their trailers say. */
import type { JournalEvent } from '../../event.js';
import type { NoteId } from '../../note/note.js';
import { foreignEvent } from '../../trailers.js';
import { logFormat, parseLog } from '../git-log.js';
import { everyChange, type GitFolders, runGit } from '../git-process.js';
import { streamFields } from '../stream-fields.js';
import { openIdsOfNotes } from './ids-of-notes.js';

/** Ids of the notes by commit, from the paths that it changes; of a merge those that are unlike both sides. */
export type ChangedNotes = ReadonlyMap<string, readonly NoteId[]>;

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

/** Of these commits. One git call for all, and none for none. */
export const readNotesOf = async (folders: GitFolders, hashes: readonly string[]): Promise<ChangedNotes> =>
  hashes.length === 0 ? new Map() : readChangedNotes(folders, ['--no-walk=unsorted', '--stdin'], linesOf(hashes));

/** Of all commits that `to` has and none of `without`. One git call. */
export const readNotesIn = (folders: GitFolders, to: string, without: readonly string[]): Promise<ChangedNotes> =>
  readChangedNotes(folders, [to, ...without.map((commit) => `^${commit}`), '--']);

/** In raw form, where a path can't be taken for a commit, whatever its name; as it comes, for it may be long. */
const readChangedNotes = async (
  folders: GitFolders,
  commits: readonly string[],
  input?: readonly string[],
): Promise<ChangedNotes> => {
  const notes = new Map<string, Set<NoteId>>();
  let current = new Set<NoteId>();
  let isPath = false;
  const idOf = openIdsOfNotes();
  const args = ['log', '-z', '--format=%H', '--root', '--raw', '-c', '--no-abbrev', ...everyChange, ...commits];
  const take = (field: string): void => {
    if (isPath) {
      const id = idOf(field);
      if (id !== undefined) current.add(id);
      isPath = false;
    } else if (/^\n?:/.test(field)) {
      isPath = true;
    } else if (field !== '') {
      // With `-c` git ends the line of a merge once more.
      current = new Set();
      notes.set(field.trim(), current);
    }
  };
  await streamFields(folders, args, take, input);
  return new Map([...notes].map(([hash, ids]) => [hash, [...ids]]));
};

const linesOf = (hashes: readonly string[]): readonly string[] => [hashes.map((hash) => `${hash}\n`).join('')];
