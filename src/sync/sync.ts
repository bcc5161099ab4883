/** One exchange: fetched, checked, merged, looked through, pushed, taken over, confirmed; anew if others were first. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exclusively, Store } from '../commands/worktree/write-store.js';
import { acceptedHead, acceptHead } from '../events/git/branch.js';
import { readUnpublished } from '../events/git/commit-range.js';
import type { NoteId } from '../events/note/note.js';
import { type Transport, TransportError } from '../events/transport.js';
import type { PurgeExchange } from '../purge/publishing-purge.js';
import { acceptRewrite, describeClaims } from './accept-rewrite.js';
import { checkOutPending } from './checkout.js';
import { land } from './land.js';
import { type MergedHeads, mergeHeads } from './merge-heads.js';
import { checkOutgoing } from './outgoing.js';
import { isThere, locked, noteMarked, publish, publishMark } from './publishing.js';
import { refuseLost, refuseRewritten, refuseRolledBack, SyncRefused } from './refused.js';
import { readRemoteHead } from './remote-head.js';

export type Syncing = {
  readonly store: Store;
  readonly transport: Transport;
  readonly exclusively: Exclusively;
  /** Publish to a remote that lost what it had, or that was rolled back. */
  readonly seed: boolean;
  /** Take a rewritten remote, and keep of ours what it doesn't remove. */
  readonly acceptRewrite: boolean;
  /** Publishes what was purged here, before anything else. */
  readonly purges: PurgeExchange;
};

/** What an exchange did so far. Counts events, except that `indexed` counts files. */
export type ExchangeCounts = {
  readonly pulled: number;
  readonly pushed: number;
  readonly indexed: number;
  readonly merged: readonly NoteId[];
  readonly conflicted: readonly NoteId[];
  /** Notes that one side had removed and that are back because the other one edited them. */
  readonly returned: readonly NoteId[];
  /** Notes of ours that a purge elsewhere changed or removed, when a rewritten remote was accepted. */
  readonly purged: readonly NoteId[];
  /** Ref that keeps our head from before a rewritten remote was accepted. */
  readonly rescued?: string | undefined;
};

const nothingExchanged: ExchangeCounts = {
  pulled: 0,
  pushed: 0,
  indexed: 0,
  merged: [],
  conflicted: [],
  returned: [],
  purged: [],
};

export type SyncResult = ExchangeCounts & {
  readonly head: string | undefined;
  /** Why nothing was published; what came is taken over nevertheless. */
  readonly trouble: SyncRefused | TransportError | undefined;
};

/** With several machines in a tight loop, one of them needed 16 rounds. */
const maxRounds = 30;
/** About two seconds; a push holds the lock for milliseconds. */
const maxLockedRounds = 7;

/** Throws if the store itself fails; whatever the remote does wrong is returned in `trouble`. */
export const exchange = async (syncing: Syncing): Promise<SyncResult> => {
  const { store, exclusively, transport } = syncing;
  let total = nothingExchanged;
  const tell = (done: Partial<ExchangeCounts>): void => {
    total = add(total, done);
  };
  const answer = (trouble?: SyncResult['trouble']): SyncResult => ({
    ...total,
    head: store.journals.portable.head(),
    trouble,
  });
  await checkOutPending(store, exclusively);
  let lockedRounds = 0;
  try {
    for (let round = 1; round <= maxRounds; round += 1) {
      const outcome = await exchangeOnce(syncing, tell);
      if (outcome === 'done') return answer();
      lockedRounds = outcome === 'locked' ? lockedRounds + 1 : 0;
      if (lockedRounds === maxLockedRounds) return answer(locked(transport.shown));
      // Another machine was faster. The jitter keeps two machines from colliding again and again.
      if (round > 1) await sleep(Math.random() * Math.min(2000, 25 * 2 ** Math.min(round, 7)));
    }
  } catch (error) {
    if (error instanceof TransportError || error instanceof SyncRefused) return answer(error);
    throw error;
  }
  return answer(
    new TransportError(
      'offline',
      `${transport.shown} kept changing while we published`,
      'nothing to do: the next sync tries again',
    ),
  );
};

const add = (
  one: ExchangeCounts,
  { pulled = 0, pushed = 0, indexed = 0, ...other }: Partial<ExchangeCounts>,
): ExchangeCounts => {
  const join = (key: 'merged' | 'conflicted' | 'returned' | 'purged'): readonly NoteId[] => [
    ...new Set([...one[key], ...(other[key] ?? [])]),
  ];
  return {
    pulled: one.pulled + pulled,
    pushed: one.pushed + pushed,
    indexed: one.indexed + indexed,
    merged: join('merged'),
    conflicted: join('conflicted'),
    returned: join('returned'),
    purged: join('purged'),
    rescued: one.rescued ?? other.rescued,
  };
};

type Tell = (done: Partial<ExchangeCounts>) => void;

/** One try: 'behind' if another machine published meanwhile, 'locked' if it is doing so. */
const exchangeOnce = async (syncing: Syncing, tell: Tell): Promise<'done' | 'behind' | 'locked'> => {
  const { store, transport } = syncing;
  const journal = store.journals.portable;
  const refs = await transport.refs();
  const look = async (head: string, known: string | undefined): Promise<number> =>
    checkOutgoing(store, await readUnpublished(journal.folders, head, known));
  // Nothing of the old history may come back before a purge is published, unless that is what was asked for.
  if (!syncing.acceptRewrite && (await syncing.purges.publish(refs.main, look))) return 'behind';
  const incoming = await fetchAccepted(syncing, refs, tell);
  const from = journal.head();
  const joined = await join(store, from, incoming);
  if (joined.target === undefined) return 'done';
  const { target } = joined;
  if (target === incoming) {
    await takeOver(syncing, { ...joined, from, target, incoming }, tell);
    // What was written here meanwhile is published in the next round.
    if (journal.head() !== target) return 'behind';
    await publishMark({ store, transport }, refs);
    return 'done';
  }
  let trouble: unknown;
  let outcome: 'pushed' | 'behind' | 'locked' | undefined;
  let unpublished = 0;
  try {
    const commits = joined.unpublished ?? (await readUnpublished(journal.folders, target, incoming));
    unpublished = await checkOutgoing(store, commits, joined.contents);
    outcome = await publish({ store, transport }, target);
  } catch (error) {
    if (!(error instanceof TransportError || error instanceof SyncRefused)) throw error;
    trouble = error;
  }
  if (outcome === 'behind' || outcome === 'locked') return outcome;
  const head = await takeOver(syncing, { ...joined, from, target, incoming }, tell);
  if (trouble !== undefined) throw trouble;
  if (!(await isThere({ store, transport }, target))) return 'behind';
  tell({ pushed: unpublished });
  await acceptHead(journal.folders, target);
  noteMarked(store, target);
  store.step('sync:done');
  return head === target ? 'done' : 'behind';
};

/** Returns the remote's head, which may be taken over; of a rewritten one only if that was asked for. */
const fetchAccepted = async (
  { store, transport, exclusively, seed, acceptRewrite: isAccepting }: Syncing,
  refs: Parameters<typeof readRemoteHead>[2],
  tell: Tell,
): Promise<string | undefined> => {
  const remote = await readRemoteHead(store, transport, refs);
  switch (remote.kind) {
    case 'none':
      if (acceptedHead(store.journals.portable.folders) !== undefined && !seed) refuseLost(transport.shown);
      return undefined;
    case 'forward':
      return remote.commit;
    case 'rolled-back':
      if (!seed && !isAccepting) refuseRolledBack(transport.shown);
      return remote.commit;
    case 'rewritten': {
      const claims = await describeClaims(store, remote);
      if (!isAccepting) return refuseRewritten(transport.shown, claims);
      tell(await acceptRewrite(store, exclusively, remote));
      return remote.commit;
    }
  }
};

/** `target` is the head that has what is here and what came; undefined if there is nothing on either side. */
type Joined = { readonly target: string | undefined } & Partial<MergedHeads>;

const join = async (store: Store, ours: string | undefined, theirs: string | undefined): Promise<Joined> => {
  const journal = store.journals.portable;
  if (ours === undefined || theirs === undefined || ours === theirs) return { target: theirs ?? ours };
  if (await journal.contains(theirs, ours)) return { target: theirs };
  if (await journal.contains(ours, theirs)) return { target: ours };
  const merged = await mergeHeads(store, { ours, theirs });
  return { target: merged.commit, ...merged };
};

type TakenOver = Joined & {
  readonly from: string | undefined;
  readonly target: string;
  readonly incoming: string | undefined;
};

/** Moves the branch to the target, whether or not it could be pushed. Returns the head, which may have more. */
const takeOver = async (
  { store, exclusively }: Syncing,
  { from, target, incoming, difference, merged, conflicted }: TakenOver,
  tell: Tell,
): Promise<string> => {
  const landed =
    target === from
      ? { head: target, pulled: 0, indexed: 0, returned: [] }
      : await land(store, exclusively, from, target, difference);
  const { head, ...told } = landed;
  tell({ ...told, ...(merged && { merged }), ...(conflicted && { conflicted }) });
  if (incoming !== undefined) {
    store.step('sync:accept');
    await acceptHead(store.journals.portable.folders, incoming);
  }
  return head;
};
