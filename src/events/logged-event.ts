/** An event as a journal's log contains it. Pure. */
import type { JournalEvent } from './event.js';
import type { NoteId } from './note/note.js';
import { idOfPath, isNotePath } from './note/paths.js';
import { foreignEvent, parseMessage } from './trailers.js';

/** An event with its commit and that commit's parents; `foreign` when the commit carries no event of ours. */
export type LoggedEvent = {
  readonly event: JournalEvent;
  readonly commit: string;
  readonly parents: readonly string[];
  readonly foreign: boolean;
  /** The commit looks like one of ours, but its trailers can't be read. */
  readonly malformed: boolean;
};

/** `changed` are the notes that the commit changes, which counts only if it carries no event of ours. */
export const toLoggedEvent = (commit: LoggedCommit, changed: readonly NoteId[]): LoggedEvent => {
  const own = parseMessage(commit.message);
  return {
    event: own ?? foreignEvent({ ...commit, notes: changed }),
    commit: commit.hash,
    parents: commit.parents,
    foreign: own === undefined,
    malformed: own === undefined && /\n\nFormat: \d/.test(commit.message),
  };
};

/** Returns the ids of the notes among the paths, each once. */
export const notesAt = (files: readonly { readonly path: string }[]): readonly NoteId[] => [
  ...new Set(files.flatMap(({ path }) => (isNotePath(path) ? [idOfPath(path)] : []))),
];

export type LoggedCommit = {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly epochMs: number;
  /** E-mail address of the author. */
  readonly author: string;
  readonly message: string;
};
