/** Integrates a fetched head: forwards the branch to it, or appends our unpublished events again on top of it. */

import { announceMove, finishMove } from '../commands/worktree/move-progress.js';
import { reconcile } from '../commands/worktree/reconcile.js';
import type { Exclusively, Store } from '../commands/worktree/write-store.js';
import { buildCommits, countCommits, moveBranch, withheldPrefix } from '../events/git/branch.js';
import { cacheGrown } from '../events/git/commit-range.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { readUnpublished, type UnpublishedCommit } from '../events/git/remote/unpublished.js';
import type { BlobId } from '../events/note/note.js';
import { checkOutPending } from './checkout.js';
import { refuseMerging } from './private-commits.js';
import { planReappend, type Reappending } from './reappend/plan.js';
import { readReappending } from './reappend/read.js';
import { type Move, rebaseBeside, rebaseLateWrites } from './rebase-late-writes.js';
import { keepHead } from './refused.js';
import { type Withheld, withoutWithheld } from './withheld.js';

export type Integrated = {
  /** Events that were pulled. */
  readonly pulled: number;
  readonly merged: number;
  readonly conflicted: number;
  /** Files that were passed to the index. */
  readonly indexed: number;
  /** Files of machine-local notes, relative to `memory/`, that were left out when our events were appended again. */
  readonly withheld: readonly string[];
  /** The ref that keeps our head from before that, or from before a rewritten remote was accepted. */
  readonly rescued?: string | undefined;
};

export const nothingIntegrated: Integrated = { pulled: 0, merged: 0, conflicted: 0, indexed: 0, withheld: [] };

/** The branch has moved; `checkOut`, which acquires the lock in turns, updates the files and what the index lacks. */
export type Moved = {
  readonly counts: Integrated;
  /** The head that it was moved to, which contains what came; undefined if it was not moved. */
  readonly target: string | undefined;
  readonly checkOut: () => Promise<void>;
};

export const nothingMoved: Moved = {
  counts: nothingIntegrated,
  target: undefined,
  checkOut: async () => undefined,
};

export type Incoming = {
  /** Undefined for an empty remote. */
  readonly incoming: string | undefined;
  /** Masked contents: our unpublished events are appended again with them, even if nothing came. */
  readonly masked?: ReadonlyMap<BlobId, Buffer> | undefined;
  /** Files to leave out of those events; given with `masked`. */
  readonly withheld?: readonly Withheld[] | undefined;
  /** A commit that `incoming` is already known to contain. */
  readonly contained: string | undefined;
};

/** After this many attempts the plan is made under the lock, so that the branch moves however busy the store is. */
const patience = 4;

/**
 * Holds the write lock only for the move itself. What was written while it was planned is rebased if it touches nothing
 * that came; otherwise the move is planned again, and after `patience` attempts the planning holds the lock too.
 */
export const integrate = async (store: Store, exclusively: Exclusively, asked: Incoming): Promise<Moved> => {
  const journal = store.journals.portable;
  let incoming = asked;
  let counts = nothingIntegrated;
  for (let attempt = 1; ; attempt += 1) {
    const head = journal.head();
    const planned = await plan(store, journal, head, incoming);
    if (planned.target === head) return { ...nothingMoved, counts };
    counts = addUp(counts, planned.counts);
    const ready = await rebaseBeside(journal, planned);
    let moved = await exclusively(() => moveTo(store, journal, ready));
    incoming = { incoming: planned.target, contained: head };
    if (moved === undefined && attempt >= patience) {
      moved = await exclusively(async () => {
        const now = journal.head();
        const again = await plan(store, journal, now, incoming);
        counts = addUp(counts, again.counts);
        return again.target === now ? again : moveTo(store, journal, again);
      });
    }
    if (moved === undefined) continue;
    const { difference, target } = moved;
    const checkOut = async (): Promise<void> => {
      await checkOutPending(store, exclusively, difference);
      if (difference === undefined) await exclusively(() => store.lookup.catchUp(journal));
    };
    return { counts, target, checkOut };
  }
};

/** Later plans build on the first one, which has already counted what came. */
const addUp = (first: Integrated, later: Integrated): Integrated => ({
  pulled: first.pulled === 0 ? later.pulled : first.pulled,
  merged: first.merged + later.merged,
  conflicted: first.conflicted + later.conflicted,
  indexed: Math.max(first.indexed, later.indexed),
  ...addWithheld(first, later),
});

export type WithheldFiles = Pick<Integrated, 'withheld' | 'rescued'>;

/** The first rescue ref also keeps what was withheld later. */
export const addWithheld = (first: WithheldFiles, later: WithheldFiles): WithheldFiles => ({
  withheld: [...new Set([...first.withheld, ...later.withheld])],
  rescued: first.rescued ?? later.rescued,
});

/**
 * Returns the move that was made, or undefined if the branch is no longer where the plan began and what was written
 * since can't be rebased. A difference that is too large for the index is left to a replay.
 */
const moveTo = async (store: Store, journal: GitJournal, planned: Move): Promise<Move | undefined> => {
  await reconcile(store, 'portable', { look: [], deletions: 'hold' });
  const head = journal.head();
  const move = head === planned.from ? planned : await rebaseLateWrites(journal, planned, head);
  if (move === undefined) return undefined;
  announceMove(store, head, move.target);
  store.step('sync:move');
  if (!(await moveBranch(journal.folders, head, move.target, store.log))) return undefined;
  store.step('sync:moved');
  finishMove(store);
  store.step('sync:checkpoint');
  if (move.difference !== undefined) await store.lookup.record(move.difference);
  store.step('sync:indexed');
  return move;
};

type Planned = Move & { readonly counts: Integrated };

const plan = async (store: Store, journal: GitJournal, head: string | undefined, asked: Incoming): Promise<Planned> => {
  const { incoming } = asked;
  const found = await findTarget(store, journal, head, asked);
  const { target, isForward, appended, merged, conflicted, withheld, rescued } = found;
  if (target === head) return { from: head, target, difference: undefined, counts: nothingIntegrated };
  const difference = await store.lookup.difference(journal, head, target, isForward);
  const pulled =
    difference !== undefined
      ? difference.events.filter(({ commit }) => !appended.has(commit)).length
      : incoming === undefined
        ? 0
        : await countCommits(journal.folders, incoming, head);
  const indexed = difference?.changes.length ?? (await journal.diff(head, target)).length;
  return { from: head, target, difference, counts: { pulled, merged, conflicted, indexed, withheld, rescued } };
};

type Target = {
  readonly target: string;
  /** The head is an ancestor of the target. */
  readonly isForward: boolean;
  /** Our commits that were appended again. */
  readonly appended: ReadonlySet<string>;
  readonly merged: number;
  readonly conflicted: number;
} & WithheldFiles;

const findTarget = async (
  store: Store,
  journal: GitJournal,
  head: string | undefined,
  { incoming, masked, withheld, contained }: Incoming,
): Promise<Target> => {
  const forwardTo = (target: string): Target => ({
    target,
    isForward: true,
    appended: new Set(),
    merged: 0,
    conflicted: 0,
    withheld: [],
  });
  if (head === undefined) return forwardTo(incoming ?? '');
  if (incoming !== undefined) {
    if (head === incoming || head === contained || (await journal.contains(incoming, head))) return forwardTo(incoming);
    if (masked === undefined && (await journal.contains(head, incoming))) return forwardTo(head);
  }
  const read = (commits: readonly UnpublishedCommit[]): Promise<Reappending> =>
    readReappending(journal, commits, {
      head,
      incoming,
      contained,
      masked: masked ?? new Map(),
      machine: store.machine,
    });
  const left = [...(withheld ?? [])];
  let commits = withoutWithheld(await readUnpublished(journal.folders, head, incoming), left);
  let asked = await read(commits);
  for (;;) {
    const more = await refuseMerging(store, asked, commits, incoming);
    if (more.length === 0) break;
    left.push(...more);
    commits = withoutWithheld(commits, more);
    asked = await read(commits);
  }
  const rescued = left.length === 0 ? undefined : await keepHead(store, withheldPrefix);
  const { commits: planned, merged, conflicted } = planReappend(asked);
  store.step('sync:append');
  const appended = planned.length === 0 ? [] : await buildCommits(journal.folders, planned, incoming);
  store.step('sync:appended');
  const target = appended.at(-1) ?? incoming ?? head;
  if (incoming !== undefined) await cacheGrown(journal.folders, target, incoming, head);
  const paths = [...new Set(left.map(({ path }) => path))];
  return { target, isForward: false, appended: new Set(appended), merged, conflicted, withheld: paths, rescued };
};
