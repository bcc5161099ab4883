/** What syncing asks about purges; answered by whoever composes it. */
import type { RemoteRefs } from '../../events/transport.js';

export type PurgeExchange = {
  /**
   * Replaces the remote's history by the purged one, where this machine purged something and the remote does not know yet.
   * 'moved-on' when the remote has more than this machine knew. Throws TransportError.
   */
  publish(refs: RemoteRefs): Promise<'nothing' | 'published' | 'moved-on'>;
  /**
   * Follows the purges that lead from the head accepted last to another history, and answers what that head became;
   * undefined when no agreed purge leads there, and nothing was changed.
   */
  follow(accepted: string, incoming: string): Promise<string | undefined>;
  /** What came on the history from before our purge, made anew on ours; undefined when it is no part of it. */
  translate(incoming: string): Promise<string | undefined>;
};
