/** Commits of ours, by their trailers, that change files under the names of notes which they don't name. */
import { type LoggedCommit, type LoggedEvent, toLoggedEvent } from '../../logged-event.js';
import type { NoteId } from '../../note/note.js';
import type { GitFolders } from '../git-process.js';

/** A commit with the ids in the paths of the notes that it changes. */
export type Changing = { readonly commit: LoggedCommit; readonly changed: readonly NoteId[] };

/**
 * These commits as events, in their order. A note's file may lie under another note's name, and our own commands write it
 * there: where a path names a note that the trailers don't, the files tell which notes the commit changes. That costs three
 * git calls for each such commit, and none elsewhere.
 */
export const toLoggedEvents = async (
  folders: GitFolders,
  commits: readonly Changing[],
): Promise<readonly LoggedEvent[]> => {
  const events = commits.map(({ commit, changed }) => toLoggedEvent(commit, changed));
  const doubtful = events.flatMap(({ unnamed, commit }) => (unnamed.length > 0 ? [commit] : []));
  if (doubtful.length === 0) return events;
  const { readStatedNotes } = await import('./stated-notes.js');
  const stated = await readStatedNotes(folders, doubtful);
  return events.map((event, at) => {
    const { commit } = commits[at] ?? {};
    const notes = stated.get(event.commit);
    return commit === undefined || notes === undefined ? event : toLoggedEvent(commit, notes);
  });
};
