/** Reads commits by what they change instead of what their trailers say. */
import type { JournalEvent } from '../../event.js';
import type { NoteId } from '../../note/note.js';
import { foreignEvent } from '../../trailers.js';
import { logFormat, parseLog } from '../git-log.js';
import { everyChange, type GitFolders, runGit } from '../git-process.js';
import { streamFields } from '../stream-fields.js';
import { openIdsOfNotes } from './ids-of-notes.js';

/** Ids of the changed notes by commit, from their paths; for a merge, of those files that differ from both sides. */
export type ChangedNotes = ReadonlyMap<string, readonly NoteId[]>;

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

/** Returns the notes that these commits change. One git call, or none without commits. */
export const readNotesOf = async (folders: GitFolders, hashes: readonly string[]): Promise<ChangedNotes> =>
  hashes.length === 0 ? new Map() : readChangedNotes(folders, ['--no-walk=unsorted', '--stdin'], linesOf(hashes));

/** Returns the notes changed by commits that `to` has and none of `without` has. One git call. */
export const readNotesIn = (folders: GitFolders, to: string, without: readonly string[]): Promise<ChangedNotes> =>
  readChangedNotes(folders, [to, ...without.map((commit) => `^${commit}`), '--']);

/** Reads raw output, where a path can't be mistaken for a commit, and streams it, because it may be long. */
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
      // With `-c`, git ends a merge's line twice.
      current = new Set();
      notes.set(field.trim(), current);
    }
  };
  await streamFields(folders, args, take, input);
  return new Map([...notes].map(([hash, ids]) => [hash, [...ids]]));
};

const linesOf = (hashes: readonly string[]): readonly string[] => [hashes.map((hash) => `${hash}\n`).join('')];
