/** The port through which syncing asks about purges; whoever composes it implements it. */
import type { NoteId } from '../events/note/note.js';
import type { RemoteRefs } from '../events/transport.js';

/** Notes and texts erased here because another machine purged them. */
export type FollowedPurge = {
  readonly notes: readonly NoteId[];
  /** How many texts; which ones is what must not be said. */
  readonly texts: number;
  /** Machine-local notes that hold some of it still: only a purge on this machine takes it out of them. */
  readonly local: readonly NoteId[];
};

export type PurgeExchange = {
  /**
   * Replaces the remote's history by the purged one, where this machine purged something and the remote does not know yet.
   * 'moved-on' when the remote has more than this machine knew; 'masked' when `mask` took a secret out of what would have
   * gone, between what the remote's head became and ours, so that the head is another one now. Throws TransportError.
   */
  publish(
    refs: RemoteRefs,
    mask: (head: string, incoming: string | undefined) => Promise<boolean>,
  ): Promise<'nothing' | 'published' | 'moved-on' | 'masked'>;
  /**
   * Follows the purges that lead from the head accepted last to another history, and answers what that head became, and
   * what was taken out; undefined when no agreed purge leads there, and nothing was changed.
   */
  follow(
    accepted: string,
    incoming: string,
  ): Promise<{ readonly head: string; readonly purged: FollowedPurge } | undefined>;
  /** Commits made on the history from before our purge, rewritten on ours; undefined if they aren't part of it. */
  translate(incoming: string): Promise<string | undefined>;
};
