/** Accepts a rewritten remote (a purge elsewhere, a forced push), with what is ours as one event on top. */
import { reconcile } from '../commands/worktree/reconcile.js';
import type { Exclusively, Store } from '../commands/worktree/write-store.js';
import type { JournalEvent } from '../events/event.js';
import { acceptHead, buildCommits, keepRescue } from '../events/git/branch.js';
import { writeRef } from '../events/git/git-files.js';
import { headRef } from '../events/git/git-process.js';
import { diffTrees } from '../events/git/note-tree.js';
import type { NewCommit, PathChange } from '../events/journal.js';
import type { LoggedEvent } from '../events/logged-event.js';
import { changesTo } from '../events/merge/merge-trees.js';
import { formatAllLost } from '../events/note/lost-values.js';
import type { NoteId } from '../events/note/note.js';
import { idOfPath, isNotePath } from '../events/note/paths.js';
import { formatTime, parseTime } from '../events/time.js';
import { formatMessage } from '../events/trailers.js';
import { checkOutPending } from './checkout.js';
import { move } from './land.js';
import { mergeSides } from './merge-heads.js';
import type { RewriteClaims } from './refused.js';
import type { RemoteHead } from './remote-head.js';

export type AcceptedRewrite = {
  /** Notes of ours that a purge there replaced, and notes that both had changed. */
  readonly purged?: readonly NoteId[];
  readonly merged?: readonly NoteId[];
  /** The ref that keeps our old head. */
  readonly rescued?: string;
  readonly indexed?: number;
};

type Rewritten = Pick<Extract<RemoteHead, { kind: 'rewritten' }>, 'commit' | 'accepted'>;

/** Reads both histories whole. */
export const describeClaims = async (store: Store, { commit, accepted }: Rewritten): Promise<RewriteClaims> => {
  const journal = store.journals.portable;
  const idsOf = (events: readonly LoggedEvent[]): ReadonlySet<string> => new Set(events.map(({ event }) => event.id));
  const known = idsOf(await journal.events(undefined, journal.head() ?? accepted));
  const fresh = (await journal.events(undefined, commit)).map(({ event }) => event).filter(({ id }) => !known.has(id));
  const notesOf = (events: readonly JournalEvent[]): ReadonlySet<NoteId> =>
    new Set(events.flatMap(({ notes }) => notes));
  const purges = fresh.filter(({ kind }) => kind === 'notes.purged');
  const removals = fresh.filter(({ kind }) => kind === 'note.forgotten' || kind === 'notes.purged');
  return { purges, purged: notesOf(purges), gone: notesOf(removals) };
};

/** A note is gone only if an event of theirs says so. Under the lock: no write may join the old history to the new. */
export const acceptRewrite = async (
  store: Store,
  exclusively: Exclusively,
  rewritten: Rewritten,
): Promise<AcceptedRewrite> => {
  const journal = store.journals.portable;
  const { folders } = journal;
  const accepted = await exclusively(async (): Promise<AcceptedRewrite> => {
    await reconcile(store, 'portable', { look: [], deletions: 'hold' });
    const head = journal.head();
    if (head === undefined) return {};
    const { commit, purged, lost } = await planAccepted(store, head, rewritten);
    const [made = rewritten.commit] =
      commit === undefined ? [] : await buildCommits(folders, [commit], rewritten.commit);
    const rescued = await keepRescue(folders, head, store.newId(store.nowMs()));
    const difference = await store.lookup.difference(journal, head, made, false);
    writeRef(folders.gitDir, headRef, made);
    if (!(await move(store, head, made, difference))) throw new Error('another program moved the branch meanwhile');
    return { purged, merged: lost, rescued, indexed: difference?.changes.length ?? 0 };
  });
  await acceptHead(folders, rewritten.commit);
  await checkOutPending(store, exclusively);
  await exclusively(() => store.lookup.catchUp(journal));
  return accepted;
};

type AcceptedPlan = {
  /** Undefined if this machine has nothing of its own. */
  readonly commit: NewCommit | undefined;
  readonly purged: readonly NoteId[];
  readonly lost: readonly NoteId[];
};

const planAccepted = async (store: Store, head: string, rewritten: Rewritten): Promise<AcceptedPlan> => {
  const journal = store.journals.portable;
  const { folders } = journal;
  const claims = await describeClaims(store, rewritten);
  const [own, other] = [
    await diffTrees(folders, rewritten.accepted, head),
    await diffTrees(folders, rewritten.accepted, rewritten.commit),
  ];
  const isOf = (notes: ReadonlySet<NoteId>, { path }: PathChange): boolean =>
    isNotePath(path) && notes.has(idOfPath(path));
  const ours = {
    changes: own.filter((change) => !isOf(claims.purged, change)),
    times: await timesOf(store, head, rewritten),
  };
  const theirs = {
    changes: other.filter((change) => change.after !== undefined || isOf(claims.gone, change)),
    times: new Map<NoteId, number>(),
  };
  const merged = await mergeSides(journal, ours, theirs);
  const changes = changesTo({ ...theirs, changes: other }, merged);
  const purged = own.filter((change) => isOf(claims.purged, change)).map(({ path }) => idOfPath(path));
  if (changes.length === 0) return { commit: undefined, purged, lost: [] };
  const atMs = store.nowMs();
  const notes = changes.flatMap(({ path }) => (isNotePath(path) ? [idOfPath(path)] : []));
  const message = formatMessage({
    id: store.newId(atMs),
    kind: 'machines.merged',
    at: formatTime(atMs),
    machine: store.machine,
    subject: `what ${store.machine} had beyond a rewritten history`,
    notes: [...new Set(notes)],
    base: [rewritten.accepted],
    ours: head,
    theirs: rewritten.commit,
    lost: formatAllLost(merged.lost),
  });
  return { commit: { message, machine: store.machine, epochMs: atMs, changes }, purged, lost: merged.merged };
};

const timesOf = async (store: Store, head: string, { accepted }: Rewritten): Promise<ReadonlyMap<NoteId, number>> => {
  const times = new Map<NoteId, number>();
  for (const { event } of await store.journals.portable.events(accepted, head))
    for (const id of event.notes) times.set(id, parseTime(event.at) ?? 0);
  return times;
};
