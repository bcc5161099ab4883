/** Takes a fetched head over: forwards the branch to it, or appends our unpublished events again on top of it. */

import { announceMove, finishMove } from '../commands/worktree/move-progress.js';
import { reconcile } from '../commands/worktree/reconcile.js';
import type { Exclusively, Store } from '../commands/worktree/write-store.js';
import { acceptedHead, buildCommits, countCommits, listCommits, moveBranch } from '../events/git/branch.js';
import { mergeBases } from '../events/git/commit-range.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { diffTrees } from '../events/git/note-tree.js';
import {
  readCommits,
  readUnpublished,
  readVersions,
  type UnpublishedCommit,
} from '../events/git/remote/unpublished.js';
import type { LoggedEvent } from '../events/logged-event.js';
import type { BlobId, NoteId } from '../events/note/note.js';
import { idOfPath, isNotePath } from '../events/note/paths.js';
import { checkOutPending } from './checkout.js';
import { refuseMerging } from './private-commits.js';
import { contentsToCompare } from './published-effects.js';
import { planReappend, type Reappending } from './reappend.js';
import { type Move, rebaseBeside, rebaseLateWrites } from './rebase-late-writes.js';
import { eventIdOf, type PublishedEvent, type ToAppend, withoutPublished } from './reused-events.js';

export type Integrated = {
  /** Events that came. */
  readonly pulled: number;
  readonly merged: number;
  readonly conflicted: number;
  /** Files that the index was told of. */
  readonly indexed: number;
};

export const nothingIntegrated: Integrated = { pulled: 0, merged: 0, conflicted: 0, indexed: 0 };

/** The branch is where it belongs; the files and what the index lacks are left to `checkOut`, which takes the lock in turns. */
export type Moved = {
  readonly counts: Integrated;
  /** Where it was moved to, which contains what came; undefined when it was not. */
  readonly target: string | undefined;
  readonly checkOut: () => Promise<void>;
};

export const nothingMoved: Moved = {
  counts: nothingIntegrated,
  target: undefined,
  checkOut: async () => undefined,
};

export type Incoming = {
  /** Undefined stands for an empty remote. */
  readonly incoming: string | undefined;
  /** Masked contents: our unpublished events are appended anew with them, though nothing came. */
  readonly masked?: ReadonlyMap<BlobId, Buffer> | undefined;
  /** A commit of which it is known already that `incoming` has it. */
  readonly contained: string | undefined;
};

/** Then the branch is moved however busy the store is, with the plan made under the lock. */
const patience = 4;

/**
 * The write lock is held for the move itself. What somebody wrote while it was planned is carried over where it touches
 * nothing that came; else it is planned again, and after `patience` attempts that is done under the lock too.
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

/** Later plans stand on the first one, so that what came was counted by then. */
const addUp = (first: Integrated, later: Integrated): Integrated => ({
  pulled: first.pulled === 0 ? later.pulled : first.pulled,
  merged: first.merged + later.merged,
  conflicted: first.conflicted + later.conflicted,
  indexed: Math.max(first.indexed, later.indexed),
});

/**
 * Answers where the branch was moved to; undefined when it is not where the move begins, and what was written since can't
 * be carried over. A difference that is too large for the index is left to a replay.
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
  const { target, isForward, appended, merged, conflicted } = await findTarget(store, journal, head, asked);
  if (target === head) return { from: head, target, difference: undefined, counts: nothingIntegrated };
  const difference = await store.lookup.difference(journal, head, target, isForward);
  const pulled =
    difference !== undefined
      ? difference.events.filter(({ commit }) => !appended.has(commit)).length
      : incoming === undefined
        ? 0
        : await countCommits(journal.folders, incoming, head);
  const indexed = difference?.changes.length ?? (await journal.diff(head, target)).length;
  return { from: head, target, difference, counts: { pulled, merged, conflicted, indexed } };
};

type Target = {
  readonly target: string;
  /** The head is an ancestor of it. */
  readonly isForward: boolean;
  /** Commits of ours that were made anew. */
  readonly appended: ReadonlySet<string>;
  readonly merged: number;
  readonly conflicted: number;
};

const findTarget = async (
  store: Store,
  journal: GitJournal,
  head: string | undefined,
  { incoming, masked, contained }: Incoming,
): Promise<Target> => {
  const asItIs = (target: string): Target => ({
    target,
    isForward: true,
    appended: new Set(),
    merged: 0,
    conflicted: 0,
  });
  if (head === undefined) return asItIs(incoming ?? '');
  if (incoming !== undefined) {
    if (head === incoming || head === contained || (await journal.contains(incoming, head))) return asItIs(incoming);
    if (masked === undefined && (await journal.contains(head, incoming))) return asItIs(head);
  }
  const commits = await readUnpublished(journal.folders, head, incoming);
  const asked = await readReappending(store, journal, commits, {
    head,
    incoming,
    contained,
    masked: masked ?? new Map(),
  });
  await refuseMerging(store, asked, commits, incoming);
  const { commits: planned, merged, conflicted } = planReappend(asked);
  store.step('sync:append');
  const appended = planned.length === 0 ? [] : await buildCommits(journal.folders, planned, incoming);
  store.step('sync:appended');
  const target = appended.at(-1) ?? incoming ?? head;
  return { target, isForward: false, appended: new Set(appended), merged, conflicted };
};

type Lines = Pick<Incoming, 'incoming' | 'contained'> & { readonly head: string };

/** Reads what planning needs: what upstream changed since the lines parted, and the contents of what both changed. */
const readReappending = async (
  store: Store,
  journal: GitJournal,
  unpublished: readonly UnpublishedCommit[],
  lines: Lines & { readonly masked: ReadonlyMap<BlobId, Buffer> },
): Promise<Reappending> => {
  const { folders } = journal;
  const { head, incoming, masked } = lines;
  const base = incoming === undefined ? undefined : (await mergeBases(folders, head, incoming))[0];
  const upstream = incoming === undefined ? [] : await diffTrees(folders, base, incoming);
  const upstreamEvents = incoming === undefined ? [] : await journal.events(base, incoming, true);
  const commits = await dropPublished(journal, unpublished, upstreamEvents, lines);
  const ourPaths = new Set(commits.flatMap(({ changes }) => changes.map(({ path }) => path)));
  const ourIds = new Set([...ourPaths].filter(isNotePath).map(idOfPath));
  const upstreamNotes = upstream.filter(({ path }) => isNotePath(path) && ourIds.has(idOfPath(path)));
  const contested = new Set(upstreamNotes.map(({ path }) => idOfPath(path)));
  const filesUpstream = new Map<NoteId, Map<string, BlobId>>([...contested].map((id) => [id, new Map()]));
  if (contested.size > 0 && incoming !== undefined) {
    for (const { path, blob } of await journal.notes(incoming)) filesUpstream.get(idOfPath(path))?.set(path, blob);
  }
  const filesBefore = new Map([...filesUpstream].map(([id, files]) => [id, new Map(files)]));
  for (const { path, before } of upstreamNotes) {
    const files = filesBefore.get(idOfPath(path));
    if (before === undefined) files?.delete(path);
    else files?.set(path, before);
  }
  const eventUpstream = new Map<NoteId, string>();
  for (const { event } of upstreamEvents) {
    for (const id of event.notes) if (event.id > (eventUpstream.get(id) ?? '')) eventUpstream.set(id, event.id);
  }
  const upstreamByPath = new Map(upstream.map((change) => [change.path, change]));
  const wanted = new Set<BlobId>();
  for (const { path, before, after } of commits.flatMap(({ changes }) => changes)) {
    if (!(isNotePath(path) ? contested.has(idOfPath(path)) : upstreamByPath.has(path))) continue;
    for (const blob of [before, after]) if (blob !== undefined) wanted.add(blob);
  }
  for (const files of [...filesUpstream.values(), ...filesBefore.values()])
    for (const blob of files.values()) wanted.add(blob);
  for (const { path, after } of upstream) if (ourPaths.has(path) && after !== undefined) wanted.add(after);
  const bytes = await journal.blobs([...wanted]);
  return {
    commits,
    upstream: upstreamByPath,
    filesUpstream,
    filesBefore,
    earlier: await readEarlier(journal, commits, filesUpstream, incoming),
    eventUpstream,
    bytes: new Map([...bytes, ...masked]),
    masked,
    machine: store.machine,
  };
};

/**
 * Events that upstream has are left out. What an earlier plan of this sync holds goes by its id; of any other commit, what
 * upstream has under that id must do the same, whatever the remote was trusted with before. Some git calls where there is one.
 */
const dropPublished = async (
  journal: GitJournal,
  commits: readonly UnpublishedCommit[],
  upstream: readonly LoggedEvent[],
  { head, incoming, contained }: Lines,
): Promise<readonly ToAppend[]> => {
  const { folders } = journal;
  const published = new Set(upstream.map(({ event }) => event.id));
  const compared = new Map<string, PublishedEvent>();
  const reused = commits.filter((commit) => published.has(eventIdOf(commit)));
  const since =
    reused.length === 0 || contained === undefined ? undefined : await listCommits(folders, head, contained);
  const sinceThen = new Set(since);
  const made = since === undefined ? reused : reused.filter(({ hash }) => sinceThen.has(hash));
  if (made.length === 0 || incoming === undefined)
    return withoutPublished({ commits, published, compared, upstream: [], bytes: new Map() });
  const accepted = acceptedHead(folders);
  const [fetched, read] = await Promise.all([
    listCommits(folders, incoming, accepted),
    readCommits(
      folders,
      upstream.map(({ commit }) => commit),
    ),
  ]);
  const isNew = new Set(fetched);
  const byId = new Map(read.map((commit) => [eventIdOf(commit), commit]));
  const pairs: (readonly [UnpublishedCommit, UnpublishedCommit])[] = [];
  for (const ours of made) {
    const commit = byId.get(eventIdOf(ours));
    if (commit === undefined) continue;
    pairs.push([ours, commit]);
    compared.set(ours.hash, { commit, wasKnown: accepted !== undefined && !isNew.has(commit.hash) });
  }
  const bytes = await journal.blobs(contentsToCompare(pairs, read));
  return withoutPublished({ commits, published, compared, upstream: read, bytes });
};

/** Versions of the notes of which we added a further file: one that says what was said before brings nothing. */
const readEarlier = async (
  { folders }: GitJournal,
  commits: readonly UnpublishedCommit[],
  contested: ReadonlyMap<NoteId, unknown>,
  incoming: string | undefined,
): Promise<ReadonlySet<BlobId>> => {
  const changes = commits.flatMap((commit) => commit.changes);
  const added = changes.filter(({ path, before }) => before === undefined && isNotePath(path));
  const ids = [...new Set(added.map(({ path }) => idOfPath(path)))].filter((id) => contested.has(id));
  if (ids.length === 0 || incoming === undefined) return new Set();
  const written = changes.flatMap(({ before, after }) => (before === undefined || after === undefined ? [] : [after]));
  return new Set([...(await readVersions(folders, incoming, ids)), ...written]);
};
