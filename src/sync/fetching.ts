/** Fetching from a remote, and the first look at what came. */
import type { Store } from '../commands/worktree/write-store.js';
import { dropIncoming } from '../events/git/remote/git-transport.js';
import { inspectWords } from '../events/git/remote/incoming-words.js';
import { objectType } from '../events/git/remote/object-type.js';
import type { Transport } from '../events/transport.js';
import { refuseHostile, refuseNoHistory } from './refused.js';

/** The remote's head. Its words have been looked at; its trees must be before anything is taken over. Throws TransportError. */
export const fetchFrom = async (store: Store, transport: Transport): Promise<string | undefined> => {
  store.step('sync:fetch');
  const incoming = await transport.fetch();
  const journal = store.journals.portable;
  if (incoming === undefined) return undefined;
  const type = await objectType(journal.folders, incoming);
  if (type !== 'commit') {
    await dropIncoming(journal.folders);
    refuseNoHistory(transport.shown, type);
  }
  const refused = await inspectWords(journal.folders, journal.head(), incoming);
  if (refused !== undefined) refuseHostile(transport.shown, refused);
  return incoming;
};
