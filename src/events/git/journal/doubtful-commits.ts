/**
 * Commits whose trailers may not match their changes: merges, and those that change files named after notes they don't
 * name.
 */
import { type LoggedCommit, type LoggedEvent, toLoggedEvent } from '../../logged-event.js';
import type { NoteId } from '../../note/note.js';
import { isMerge } from '../git-log.js';
import type { GitFolders } from '../git-process.js';
import type { ChangedNotes } from './foreign-commits.js';

/** A commit with the ids from the paths of the notes that it changes. */
export type Changing = { readonly commit: LoggedCommit; readonly changed: readonly NoteId[] };

/**
 * Returns these commits as events, in the same order. A note's file may have another note's id in its name, and our own
 * commands keep it there: when a path names a note that the trailers don't, the files' contents tell which notes the
 * commit changes. That costs three git calls for each such commit, and none otherwise. No command makes a merge, so a
 * merge's paths are trusted.
 */
export const toLoggedEvents = async (
  folders: GitFolders,
  commits: readonly Changing[],
  takenBack: ChangedNotes = new Map(),
): Promise<readonly LoggedEvent[]> => {
  const all = await withTakenBack(folders, commits, takenBack);
  const events = all.map(({ commit, changed }) => toLoggedEvent(commit, changed));
  const doubtful = events.flatMap(({ unnamed, commit, parents }) =>
    unnamed.length > 0 && !isMerge({ parents }) ? [commit] : [],
  );
  if (doubtful.length === 0) return events;
  const { readNotesByContent } = await import('./notes-by-content.js');
  const stated = await readNotesByContent(folders, doubtful);
  return events.map((event, at) => {
    const { commit } = commits[at] ?? {};
    const notes = stated.get(event.commit);
    return commit === undefined || notes === undefined ? event : toLoggedEvent(commit, notes);
  });
};

/** Adds the notes whose changes the merges take back; `known` has those that were examined before. */
const withTakenBack = async (
  folders: GitFolders,
  commits: readonly Changing[],
  known: ChangedNotes,
): Promise<readonly Changing[]> => {
  const merges = commits.flatMap(({ commit }) => (isMerge(commit) ? [commit] : []));
  if (merges.length === 0) return commits;
  const { readRevertedByMerge } = await import('./reverted-by-merge.js');
  const read = await readRevertedByMerge(
    folders,
    merges.filter(({ hash }) => !known.has(hash)),
  );
  return commits.map(({ commit, changed }) => ({
    commit,
    changed: [...new Set([...changed, ...(known.get(commit.hash) ?? read.get(commit.hash) ?? [])])],
  }));
};
