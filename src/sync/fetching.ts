/** Fetching from a remote, and the first look at what came. */
import type { Store } from '../commands/worktree/write-store.js';
import { inspectWords } from '../events/git/remote/incoming-words.js';
import type { Transport } from '../events/transport.js';
import { refuseHostile } from './refused.js';

/** The remote's head. Its words have been looked at; its trees must be before anything is taken over. Throws TransportError. */
export const fetchFrom = async (store: Store, transport: Transport): Promise<string | undefined> => {
  store.step('sync:fetch');
  const incoming = await transport.fetch();
  const journal = store.journals.portable;
  if (incoming === undefined) return undefined;
  const refused = await inspectWords(journal.folders, journal.head(), incoming);
  if (refused !== undefined) refuseHostile(transport.shown, refused);
  return incoming;
};
