/** Fetches the remote's head and decides whether it may be taken over. */
import type { Store } from '../commands/worktree/write-store.js';
import { acceptedHead } from '../events/git/branch.js';
import { readRef } from '../events/git/git-files.js';
import { dropIncoming } from '../events/git/remote/git-transport.js';
import { type CheckedHistory, checkIncoming } from '../events/git/remote/incoming.js';
import type { RemoteRefs, Transport } from '../events/transport.js';
import { refuseHostile } from './refused.js';

/** How the remote's head relates to the one that was accepted last. */
export type RemoteHead =
  /** The remote has no main. */
  | { readonly kind: 'none' }
  /** It is the accepted head, or continues it. */
  | { readonly kind: 'forward'; readonly commit: string }
  /** The accepted head contains it: a restored backup. */
  | { readonly kind: 'rolled-back'; readonly commit: string }
  /** It lacks what this machine accepted. */
  | { readonly kind: 'rewritten'; readonly commit: string; readonly accepted: string };

/** Checks what came. Throws TransportError and SyncRefused. */
export const readRemoteHead = async (store: Store, transport: Transport, refs: RemoteRefs): Promise<RemoteHead> => {
  const journal = store.journals.portable;
  const { gitDir } = journal.folders;
  const accepted = acceptedHead(journal.folders);
  if (refs.main === undefined) return { kind: 'none' };
  const hasNewMarks = [...refs.others].some(([ref, id]) => readRef(gitDir, ref) !== id);
  if (refs.main === accepted && !hasNewMarks) return { kind: 'forward', commit: accepted };
  const fetched = await fetchChecked(store, transport);
  if (fetched === undefined) return { kind: 'none' };
  const { commit, bases } = fetched;
  const isForward = accepted === undefined || bases.includes(accepted) || (await journal.contains(commit, accepted));
  if (isForward) return { kind: 'forward', commit };
  if (await journal.contains(accepted, commit)) return { kind: 'rolled-back', commit };
  const head = journal.head();
  // An accepting that was killed before it was recorded, or a person's own merge.
  const isHere = head !== undefined && (await journal.contains(head, commit));
  return isHere ? { kind: 'forward', commit } : { kind: 'rewritten', commit, accepted };
};

/** Returns the remote's head, within the limits. Throws TransportError and SyncRefused. */
export const fetchChecked = async (store: Store, transport: Transport): Promise<CheckedHistory | undefined> => {
  store.step('sync:fetch');
  const incoming = await transport.fetch();
  const journal = store.journals.portable;
  if (incoming === undefined) return undefined;
  const checked = await checkIncoming(journal.folders, journal.head(), incoming);
  if (typeof checked !== 'string') {
    store.step('sync:fetched');
    return checked;
  }
  await dropIncoming(journal.folders);
  return refuseHostile(transport.shown, checked);
};
