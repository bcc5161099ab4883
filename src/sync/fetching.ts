/** Fetches from a remote, and inspects the refs and messages that came. */
import type { Store } from '../commands/worktree/write-store.js';
import { dropIncoming } from '../events/git/remote/git-transport.js';
import { inspectMessages, readFetchedRefs } from '../events/git/remote/incoming-messages.js';
import type { Transport } from '../events/transport.js';
import { refuseHostile, refuseNoHistory } from './refused.js';

/** Returns the remote's head. Inspects its words; inspect its trees before integrating. Throws TransportError. */
export const fetchFrom = async (store: Store, transport: Transport): Promise<string | undefined> => {
  store.step('sync:fetch');
  const incoming = await transport.fetch();
  const journal = store.journals.portable;
  if (incoming === undefined) return undefined;
  const refs = await readFetchedRefs(journal.folders, incoming);
  const { type } = refs;
  if (type !== 'commit') {
    await dropIncoming(journal.folders);
    refuseNoHistory(transport.shown, type);
  }
  const refused = await inspectMessages(journal.folders, journal.head(), incoming, refs);
  if (refused !== undefined) refuseHostile(transport.shown, refused);
  return incoming;
};
