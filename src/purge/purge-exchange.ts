/** The port through which syncing asks about purges; the composing code supplies it. */
import type { NoteId } from '../events/note/note.js';
import type { RemoteRefs } from '../events/transport.js';

/** Notes and texts erased here because another machine purged them. */
export type FollowedPurge = {
  readonly notes: readonly NoteId[];
  /** Number of texts; which ones must not be said. */
  readonly texts: number;
  /** Machine-local notes that still contain some of it: only a purge on this machine removes it from them. */
  readonly local: readonly NoteId[];
};

export type PurgeExchange = {
  /**
   * Replaces the remote's history with the purged one if this machine purged something that the remote doesn't know of.
   * Returns 'moved-on' when the remote has more than this machine knew, and 'masked' when `mask` removed a secret from
   * what would have been pushed (from the counterpart of the remote's head to ours), which changed our head. Throws
   * TransportError.
   */
  publish(
    refs: RemoteRefs,
    mask: (head: string, incoming: string | undefined) => Promise<boolean>,
  ): Promise<'nothing' | 'published' | 'moved-on' | 'masked'>;
  /**
   * Follows the purges that lead from the head accepted last to another history. Returns what that head became and what
   * was erased, or undefined, with nothing changed, if no published purge leads there.
   */
  follow(
    accepted: string,
    incoming: string,
  ): Promise<{ readonly head: string; readonly purged: FollowedPurge } | undefined>;
  /** Rewrites commits made on the history from before our purge onto ours; undefined if they aren't part of it. */
  translate(incoming: string): Promise<string | undefined>;
};
