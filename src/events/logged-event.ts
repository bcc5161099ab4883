/** An event as the log of a journal has it. Pure. */
import type { JournalEvent } from './event.js';
import type { NoteId } from './note/note.js';
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

/** `notes` are asked for only where the commit itself does not name them. */
export const toLoggedEvent = (commit: LoggedCommit, notes: () => readonly NoteId[]): LoggedEvent => {
  const parsed = parseMessage(commit.message);
  return {
    event: parsed ?? foreignEvent({ ...commit, notes: notes() }),
    commit: commit.hash,
    parents: commit.parents,
    foreign: parsed === undefined,
    malformed: parsed === undefined && /\n\nFormat: \d/.test(commit.message),
  };
};

export type LoggedCommit = {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly epochMs: number;
  /** E-mail address of the author. */
  readonly author: string;
  readonly message: string;
};
