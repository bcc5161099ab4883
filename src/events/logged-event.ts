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
  /** Notes that the commit changes and its trailers don't name. */
  readonly unnamed: readonly NoteId[];
};

/**
 * `changed` are the notes that the commit really changes, as far as the caller knows. Our commands name every note that
 * they change. A commit that doesn't is read as a foreign one, ignoring its trailers, so that no change stays hidden.
 */
export const toLoggedEvent = (commit: LoggedCommit, changed: readonly NoteId[]): LoggedEvent => {
  const parsed = parseMessage(commit.message);
  const unnamed = parsed === undefined ? [] : findUnnamed(parsed, changed);
  const own = unnamed.length === 0 ? parsed : undefined;
  return {
    event: own ?? foreignEvent({ ...commit, notes: changed }),
    commit: commit.hash,
    parents: commit.parents,
    foreign: own === undefined,
    malformed: parsed === undefined && /\n\nFormat: \d/.test(commit.message),
    unnamed,
  };
};

/** Returns the ids of the notes among the paths, each once. */
export const notesAt = (files: readonly { readonly path: string }[]): readonly NoteId[] => [
  ...new Set(files.flatMap(({ path }) => (isNotePath(path) ? [idOfPath(path)] : []))),
];

const findUnnamed = ({ notes }: JournalEvent, changed: readonly NoteId[]): readonly NoteId[] => {
  if (changed.length === 0) return [];
  const named = new Set(notes);
  return changed.filter((id) => !named.has(id));
};

export type LoggedCommit = {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly epochMs: number;
  /** E-mail address of the author. */
  readonly author: string;
  readonly message: string;
};
