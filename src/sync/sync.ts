/** One exchange with the remote: integrates what came, publishes what is ours, and checks that the remote has it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exclusively, Store } from '../commands/worktree/write-store.js';
import { acceptedHead, acceptHead } from '../events/git/branch.js';
import { mergeBases } from '../events/git/commit-range.js';
import { readRef } from '../events/git/git-files.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { inspectIncoming } from '../events/git/remote/incoming.js';
import { readUnpublished } from '../events/git/remote/unpublished.js';
import type { BlobId } from '../events/note/note.js';
import { type StatedByBlob, type StatedNote, statedAt } from '../events/note/stated-scope.js';
import { type RemoteRefs, type Transport, TransportError } from '../events/transport.js';
import type { PurgeExchange } from '../purge/publishing-purge.js';
import type { SecretPlace } from '../state/sync-state.js';
import { checkOutPending } from './checkout.js';
import { fetchFrom } from './fetching.js';
import {
  addWithheld,
  type Integrated,
  integrate,
  type Moved,
  nothingIntegrated,
  nothingMoved,
  type WithheldFiles,
} from './integrate.js';
import { refusePrivate } from './private-commits.js';
import { isThere, locked, noteMarked, publish, publishMark } from './publishing.js';
import { keepHead, refuseHostile, refuseLost, refuseRewritten, refuseWithheld, SyncRefused } from './refused.js';
import { type Cleared, findSecrets, type SecretScan, type Secrets } from './secrets.js';
import type { Withheld } from './withheld.js';

export type SyncAsked = {
  readonly store: Store;
  readonly transport: Transport;
  readonly exclusively: Exclusively;
  /** Publish to a remote that lost what it had, or that was rolled back. */
  readonly seed: boolean;
  /** Accept a rewritten remote, with all of ours that it does not have appended on top. */
  readonly rejoin: boolean;
  readonly purges?: PurgeExchange | undefined;
};

export type Synced = Integrated & {
  readonly pushed: number;
  readonly head: string | undefined;
  /** Where secrets in our commits were masked before they were published. */
  readonly maskedIn: readonly SecretPlace[];
  /** Why nothing was published, or not all of it; what came is integrated nevertheless. */
  readonly trouble: SyncRefused | TransportError | undefined;
};

/** With several machines in a tight loop, one of them needed 16 rounds. */
const maxRounds = 30;
/** About two seconds; a push holds the lock for milliseconds. */
const maxLockedRounds = 7;

/** Throws if the store itself fails; whatever the remote does wrong is returned in `trouble`. */
export const exchange = async (asked: SyncAsked): Promise<Synced> => {
  const { store, exclusively } = asked;
  const journal = store.journals.portable;
  let total: Integrated = nothingIntegrated;
  let pushed = 0;
  let lockedRounds = 0;
  let maskings = 0;
  const cleared: Cleared = new Set();
  const said: StatedByBlob = new Map();
  const statedOf = (blob: BlobId, path: string): StatedNote => statedAt(said, blob, path);
  const maskedIn = new Map<string, SecretPlace>();
  const answer = (trouble?: Synced['trouble']): Synced => ({
    ...total,
    pushed,
    maskedIn: [...maskedIn.values()],
    head: journal.head(),
    trouble,
  });
  const tell: Told = {
    rescued: (ref) => {
      total = add(total, { ...nothingIntegrated, rescued: ref });
    },
  };
  /** Returns true if something had to be removed, which changes the head. */
  const takeOut = async (found: ToTakeOut, incoming: string | undefined): Promise<boolean> => {
    if (isClean(found)) return false;
    maskings += 1;
    total = add(total, { ...nothingIntegrated, ...(await appendWithout(asked, incoming, found, maskings)) });
    for (const place of found.secrets?.places ?? []) maskedIn.set(place.where, place);
    return true;
  };
  const lastLook = async (
    head: string,
    incoming: string | undefined,
    isForward = false,
  ): Promise<SecretScan & ToTakeOut> => {
    let withheld: readonly Withheld[] = [];
    const looked = await findSecrets(journal, head, incoming, cleared, isForward, said, async (commits) => {
      withheld = await refusePrivate(store, { line: commits, looked: commits, incoming, statedOf });
    });
    return { ...looked, withheld };
  };
  const lookAndTakeOut = async (head: string, incoming: string | undefined): Promise<boolean> =>
    takeOut(await lastLook(head, incoming), incoming);
  await checkOutPending(store, exclusively);
  try {
    for (let round = 1; round <= maxRounds; round += 1) {
      const refs = await asked.transport.refs();
      // Nothing of the old history may come back before a purge is published, unless that is what was asked for.
      if (!asked.rejoin && (await asked.purges?.publish(refs.main, lookAndTakeOut)) === true) continue;
      const { incoming, moved } = await takeOver(asked, refs, tell);
      total = add(total, moved.counts);
      const head = journal.head();
      // The pulled files are checked out while our events are pushed.
      if (head === undefined || head === incoming) {
        await during(moved.checkOut, () => publishMark(asked, refs));
        return answer();
      }
      let unpublished = 0;
      const outcome = await during(moved.checkOut, async () => {
        const looked = await lastLook(head, incoming, head === moved.target);
        unpublished = looked.commits;
        return isClean(looked) ? publish(asked, head) : looked;
      });
      if (typeof outcome === 'object') {
        await takeOut(outcome, incoming);
        continue;
      }
      if (outcome === 'pushed' && (await isThere(asked, head))) {
        pushed += unpublished;
        await acceptHead(journal.folders, head);
        noteMarked(store, head);
        store.step('sync:done');
        return answer();
      }
      lockedRounds = outcome === 'locked' ? lockedRounds + 1 : 0;
      if (lockedRounds === maxLockedRounds) return answer(locked(asked.transport.shown));
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
      `${asked.transport.shown} kept changing while we published`,
      'nothing to do: the next sync tries again',
    ),
  );
};

/** Returns the result of `run` once both are done. */
const during = async <Answer>(work: () => Promise<void>, run: () => Promise<Answer>): Promise<Answer> => {
  const working = work();
  working.catch(() => undefined);
  try {
    return await run();
  } finally {
    await working;
  }
};

/** One is enough, unless something is committed meanwhile. */
const maxMaskings = 5;

type ToTakeOut = { readonly secrets: Secrets | undefined; readonly withheld: readonly Withheld[] };

const isClean = ({ secrets, withheld }: ToTakeOut): boolean => secrets === undefined && withheld.length === 0;

/** Appends our events again without what must not leave the machine. */
const appendWithout = async (
  { store, exclusively }: SyncAsked,
  incoming: string | undefined,
  { secrets: { blobs, places } = nothingMasked, withheld }: ToTakeOut,
  maskings: number,
): Promise<WithheldFiles> => {
  if (maskings > maxMaskings) {
    const [left] = withheld;
    if (left !== undefined) throw refuseWithheld(left, store.journals.portable.folder);
    throw new SyncRefused(
      'secret-unmasked',
      `nothing was published: ${places[0]?.where} holds a secret that could not be masked`,
      `remove it with git in ${store.journals.portable.folder}; the next sync checks again`,
    );
  }
  store.step('sync:mask');
  const asked = { incoming, masked: blobs, withheld, contained: undefined };
  const { checkOut, counts } = await integrate(store, exclusively, asked);
  await checkOut();
  return { withheld: counts.withheld, rescued: counts.rescued };
};

const nothingMasked: Secrets = { blobs: new Map(), places: [] };

const add = (one: Integrated, other: Integrated): Integrated => ({
  pulled: one.pulled + other.pulled,
  merged: one.merged + other.merged,
  conflicted: one.conflicted + other.conflicted,
  indexed: one.indexed + other.indexed,
  ...addWithheld(one, other),
});

type Told = { readonly rescued: (ref: string) => void };

/** Returns the remote's head, which our branch contains then; the files may not be checked out yet. */
const takeOver = async (
  { store, transport, exclusively, seed, rejoin }: SyncAsked,
  refs: RemoteRefs,
  tell: Told,
): Promise<{ readonly incoming: string | undefined; readonly moved: Moved }> => {
  const journal = store.journals.portable;
  const { folders } = journal;
  const accepted = acceptedHead(folders);
  let incoming = refs.main;
  let contained: string | undefined;
  if (incoming !== undefined && (incoming !== accepted || hasNewRefs(folders.gitDir, refs))) {
    incoming = await fetchFrom(store, transport);
    store.step('sync:fetched');
  }
  if (incoming === undefined) {
    if (accepted !== undefined && !seed) refuseLost(transport.shown);
  } else if (accepted !== undefined) {
    if (await continues(journal, incoming, accepted)) contained = accepted;
    else {
      const isRolledBack = await journal.contains(accepted, incoming);
      if (rejoin) {
        const kept = await keepHead(store);
        if (kept !== undefined) tell.rescued(kept);
      } else if (!(seed && isRolledBack)) await refuseRewritten(store, transport.shown, isRolledBack);
    }
  }
  const head = journal.head();
  let moved = nothingMoved;
  if (
    incoming !== undefined &&
    incoming !== head &&
    !(await isOurs(journal, head, incoming, { contained, accepted }))
  ) {
    const report = await inspectIncoming(journal, head, incoming);
    if (report.refused !== undefined) refuseHostile(transport.shown, report.refused);
    moved = await integrate(store, exclusively, { incoming, contained });
  }
  if (incoming !== undefined) {
    store.step('sync:accept');
    await acceptHead(folders, incoming);
  }
  return { incoming, moved };
};

/** Whether `incoming` contains the accepted head; if both sides moved, their merge bases usually tell. */
const continues = async (journal: GitJournal, incoming: string, accepted: string): Promise<boolean> => {
  if (incoming === accepted) return true;
  const head = journal.head();
  const common = head === undefined ? [] : await mergeBases(journal.folders, head, incoming);
  return common.includes(accepted) || journal.contains(incoming, accepted);
};

/** Whether our head contains all of `incoming`; false if that contains our head. */
const isOurs = async (
  journal: GitJournal,
  head: string | undefined,
  incoming: string,
  { contained, accepted }: { readonly contained: string | undefined; readonly accepted: string | undefined },
): Promise<boolean> => {
  if (head === undefined || head === contained) return false;
  // If nothing came, the commits to publish are read anyway, which usually answers this.
  if (incoming === accepted) await readUnpublished(journal.folders, head, incoming);
  return journal.contains(head, incoming);
};

const hasNewRefs = (gitDir: string, { others }: RemoteRefs): boolean =>
  [...others].some(([ref, id]) => readRef(gitDir, ref) !== id);
