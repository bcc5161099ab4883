/** Finishes what a crash left, takes in what others committed and what a person edited. Runs under the write lock. */

import type { FileChange, KnownEvent } from '../../events/event.js';
import { Fault } from '../../events/faults.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { formatLost } from '../../events/note/lost-values.js';
import type { BlobId, JournalName, NoteId } from '../../events/note/note.js';
import type { Masked } from '../../events/note/redact.js';
import { formatTime } from '../../events/time.js';
import { clearSetAside, keepNothing } from '../../events/worktree/replace-file.js';
import { readLostLocal } from '../../state/lost-journal.js';
import { appendEvents } from './append.js';
import { findElsewhere, gatherCandidates } from './candidates.js';
import { findForeignSecrets } from './foreign-secrets.js';
import { findReplaced, type ReplacedNote, settleGone } from './gone/gone-notes.js';
import { moveBack } from './gone/moved-back.js';
import { partOthers, settleOthers } from './gone/of-other-journal.js';
import { withoutNew } from './gone/while-local-is-lost.js';
import { buildHandEvent, type LeftFile, reconcileFiles } from './hand-edits.js';
import { keptBases, readLaidOut } from './laid-out.js';
import { layOut } from './lay-out.js';
import { checkoutIsDone, finishMove } from './move-progress.js';
import { findNamedOtherwise, nameById } from './named-otherwise.js';
import { mergeOlder } from './older-bases.js';
import { type Published, withoutLeaving, withoutLeft } from './private-files.js';
import { bringBackSaves, keptAside } from './saved-late.js';
import { keepTakenIn } from './taken-in.js';
import { withoutUnmerged } from './unmerged.js';
import { keepUnseenLeft, readUnseenLeft } from './unseen-versions.js';
import { noteForeignCommits } from './upkeep.js';
import { noteAt, type Store } from './write-store.js';

export type ReconcileOptions = {
  /** Paths to look at besides what changed since the checkpoint; 'all' walks the whole tree. */
  readonly look: readonly string[] | 'all';
  /** The treatment of many files that a person removed. Of few, only those to `look` at are recorded without a word. */
  readonly deletions: 'hold' | 'record' | 'put-back';
  /** Paths at which a command publishes notes: a person's files there are taken in first. */
  readonly published?: readonly Published[] | undefined;
  /** Files whose notes the command takes out of this journal: what a person typed there goes along instead of staying behind. */
  readonly leaving?: readonly string[] | undefined;
};

export type Reconciled = {
  readonly event: KnownEvent | undefined;
  /** Edited files that were saved from an older version: what was recorded since was merged into them. */
  readonly merged: readonly string[];
  readonly masked: readonly Masked[];
  readonly left: readonly LeftFile[];
  /** Files whose notes are gone and that wait for a word: `adopt --deletions` or `adopt --put-back`. */
  readonly heldDeletions: readonly string[];
  /** Those of them that are there still, as the files of other notes. */
  readonly heldReplaced: readonly ReplacedNote[];
  /** Such files that were brought back. */
  readonly putBack: readonly string[];
};

const nothingReconciled: Reconciled = {
  event: undefined,
  merged: [],
  masked: [],
  left: [],
  heldDeletions: [],
  heldReplaced: [],
  putBack: [],
};
const rounds = 8;

export const reconcile = async (store: Store, name: JournalName, options: ReconcileOptions): Promise<Reconciled> => {
  const journal = store.journals[name];
  if (name === 'portable') finishMove(store);
  let result = nothingReconciled;
  let look = options.look;
  for (let round = 0; round < rounds; round += 1) {
    const head = journal.head();
    await store.lookup.catchUp(journal);
    if (head === undefined && look !== 'all' && look.length === 0) return result;
    const checkout = store.state.checkout(name);
    const leftBehind = name === 'portable' ? store.lookup.unfinishedMoves() : [];
    const saved = head === undefined ? [] : bringBackSaves(store, journal);
    const noticed = look === 'all' ? [] : [...look, ...leftBehind, ...saved, ...store.state.touched(name)];
    if (look !== 'all' && noticed.length === 0 && checkout === head) return result;
    const unclean = await endedUncleanly(journal, checkout, head);
    const wanted = look === 'all' || checkout === undefined || unclean ? 'all' : noticed;
    const after = await reconcileOnce(store, journal, head, checkout, wanted, leftBehind, options);
    store.state.untouch(name, noticed);
    lookAgain(store, name, after.left);
    result = {
      event: after.event ?? result.event,
      merged: [...result.merged, ...after.merged],
      masked: [...result.masked, ...after.masked],
      left: after.left,
      heldDeletions: after.heldDeletions,
      heldReplaced: after.heldReplaced,
      putBack: [...result.putBack, ...after.putBack],
    };
    if (!after.again) {
      if (name === 'portable' && wanted === 'all') checkoutIsDone(store);
      return result;
    }
    look = after.contested;
  }
  throw new Fault(
    'lock-timeout',
    `files in ${journal.folder} kept changing while they were taken in`,
    'wait until the other program is done with them, then repeat the command',
  );
};

/** An event of ours that the working tree does not reflect: its writer was killed, and a person may have edited since. */
const endedUncleanly = async (
  journal: GitJournal,
  checkout: string | undefined,
  head: string | undefined,
): Promise<boolean> => {
  if (checkout === undefined || head === undefined || checkout === head) return false;
  return (await journal.events(checkout, head)).some(({ foreign }) => !foreign);
};

const pathsOf = (files: readonly { readonly path: string }[]): readonly string[] => files.map(({ path }) => path);
type Once = Reconciled & { readonly again: boolean; readonly contested: readonly string[] };

const reconcileOnce = async (
  store: Store,
  journal: GitJournal,
  head: string | undefined,
  checkout: string | undefined,
  look: ReconcileOptions['look'],
  leftBehind: readonly string[],
  options: ReconcileOptions,
): Promise<Once> => {
  const { look: asked, deletions, published = [], leaving = [] } = options;
  const { name } = journal;
  const events =
    head === undefined || checkout === undefined || checkout === head ? [] : await journal.events(checkout, head);
  const foreign = events.filter((event) => event.foreign || event.commit === head).map(({ commit }) => commit);
  noteForeignCommits(store, name, checkout === undefined && head !== undefined ? [head] : foreign);
  const { baseOf, putBack, judge, unseenOf } = await readLaidOut(store, journal, head, checkout, events);
  const backPaths = new Set(pathsOf(putBack));
  const noteOf = (path: string): NoteId => noteAt(store.lookup, name, path);
  const find = async (wanted: ReconcileOptions['look']) => {
    const gathered = await gatherCandidates(store, journal, head, checkout, wanted, baseOf, true);
    const candidates = judge(gathered.candidates);
    const found = reconcileFiles(
      journal,
      candidates.filter(({ path }) => !backPaths.has(path)),
      noteOf,
      (path) => gathered.unchanged.get(path),
    );
    return { gathered: { ...gathered, candidates }, found };
  };
  const first = await find(look);
  // A note whose file is gone from its place may lie elsewhere now, where nobody would look.
  const displaced = pathsOf(findReplaced(journal, store.lookup, first.found));
  const sought = [...first.found.deleted, ...first.found.missing, ...displaced];
  const blobAt = (path: string): BlobId | undefined => store.lookup.blobAt(name, path);
  const elsewhere =
    look === 'all'
      ? nameById(journal.folder, await findNamedOtherwise(journal, first.gathered.left, sought, blobAt, noteOf))
      : await findElsewhere(store, journal, sought);
  const { gathered, found: all } =
    elsewhere.length === 0 ? first : await find(look === 'all' ? look : [...look, ...elsewhere]);
  const headOf = new Map(gathered.candidates.map(({ path, head: blob }) => [path, blob]));
  const known = withoutLeaving(await withoutUnmerged(journal, all), leaving);
  const { found: merged, others } = partOthers(name, store.lookup, known, leftBehind, published);
  const certain =
    name === 'portable' && readLostLocal(store.state) !== undefined
      ? withoutNew(store.lookup, merged, headOf, published)
      : merged;
  const allowed =
    name === 'portable' ? await withoutLeft(store, journal, certain, leftBehind, published, headOf) : certain;
  const found = { ...allowed, ...(await mergeOlder(store, journal, head, allowed)) };
  const secrets = head === undefined ? [] : await findForeignSecrets(journal, head, events, store.nowMs());
  const byHand = new Set([...found.adopt, ...found.merge].map(({ path }) => path));
  const together = { ...found, adopt: [...found.adopt, ...secrets.filter(({ path }) => !byHand.has(path))] };
  const back = deletions === 'put-back' ? moveBack(journal, store.lookup, together) : [];
  if (back.length > 0) {
    const wanted = look === 'all' ? look : [...look, ...back.flatMap(({ from, to }) => [from, to])];
    const after = await reconcileOnce(store, journal, head, checkout, wanted, leftBehind, options);
    return { ...after, putBack: [...back.map(({ to }) => to), ...after.putBack] };
  }
  const gone = settleGone(journal, store.lookup, together, deletions, asked);
  const ofOthers = await settleOthers(store.journals, name, others, deletions);
  const reconciliation = { ...gone.found, left: [...gone.found.left, ...ofOthers.left] };
  const { recorded, held } = gone;
  const restored = [...gone.restored, ...ofOthers.restored];
  const waitingNotes = { heldDeletions: held, heldReplaced: gone.replaced, putBack: pathsOf(restored) };

  const toPut = [...reconciliation.put, ...restored.map((one) => ({ ...one, head: headOf.get(one.path) }))];
  const laid = await layOut(store, journal, toPut);
  const eventId = store.newId(store.nowMs());
  // A move between journals was killed after its destination was written: the source goes, unless a person edited it.
  const edited = new Set([...reconciliation.adopt, ...reconciliation.merge].map(({ path }) => path));
  const finishing = leftBehind
    .filter((path) => !edited.has(path))
    .map((path): FileChange => ({ journal: name, path, bytes: undefined }));
  const hand = await buildHandEvent(store, journal, reconciliation, recorded, [...putBack, ...finishing], eventId);
  const waiting = [...pathsOf(reconciliation.left), ...gone.waiting];
  const put = [...reconciliation.advance, ...laid.put, ...keptBases(store, name, waiting, baseOf)];
  const removed = [...reconciliation.gone, ...laid.removed];
  const unseenLeft = unseenOf(waiting);
  // Until the event that merges a version is recorded, that version still waits.
  keepUnseenLeft(store, journal, new Map([...readUnseenLeft(store, journal), ...unseenLeft]));
  if (hand === undefined) {
    const done = laid.contested.length === 0;
    store.step('checkpoint');
    store.state.advance(name, done ? head : undefined, put, removed);
    if (done) keepUnseenLeft(store, journal, unseenLeft);
    return {
      event: undefined,
      merged: [],
      masked: [],
      left: [...gathered.left, ...reconciliation.left, ...laid.left],
      ...waitingNotes,
      again: !done,
      contested: laid.contested,
    };
  }
  const isByHand = edited.size + recorded.length + putBack.length > 0;
  const told = { id: eventId, at: formatTime(hand.atMs), machine: store.machine, notes: hand.notes };
  const event: KnownEvent = isByHand
    ? {
        ...told,
        kind: 'hand.adopted',
        subject: hand.subject,
        adopted: hand.adopted.length === 0 ? undefined : hand.adopted,
        lost: hand.lost.length === 0 ? undefined : hand.lost.map(formatLost),
      }
    : { ...told, kind: 'note.moved', subject: 'finished a move to the other journal' };
  const takenIn = new Map([...reconciliation.adopt, ...reconciliation.merge].map(({ path, blob }) => [path, blob]));
  const commit = { event, epochMs: hand.atMs, changes: hand.changes };
  keepTakenIn(store, journal, events, eventId, reconciliation, recorded, hand.adopted);
  const appended = await appendEvents(store, name, [commit], { head, takenIn, put, removed });
  const left = [...gathered.left, ...reconciliation.left, ...laid.left];
  // Nothing may be decided on files and an index that do not show it.
  if (appended !== 'moved' && appended.unfinished !== undefined) throw appended.unfinished;
  if (appended === 'moved') {
    return { ...nothingReconciled, left, ...waitingNotes, again: true, contested: [] };
  }
  keepUnseenLeft(store, journal, unseenLeft);
  // The file that a person saved holds the secret still.
  if (hand.masked.length > 0) clearSetAside(journal.folder, keepNothing);
  return {
    event,
    merged: hand.merged,
    masked: hand.masked,
    left,
    ...waitingNotes,
    again: appended.contested.length > 0 || laid.contested.length > 0,
    contested: [...appended.contested, ...laid.contested],
  };
};

/** A person goes on with a file that was left. Only files of notes are watched: there may be any number of others. */
const lookAgain = (store: Store, name: JournalName, left: readonly LeftFile[]): void => {
  const known = left.filter(({ path }) => store.state.checkedOut(name, path) !== undefined);
  for (const { path } of known.slice(0, maxLookedAtAgain)) store.state.touch(name, path);
};
const maxLookedAtAgain = 20;

/** Takes in what was saved into files that have been replaced since. */
export const reconcileSaves = async (store: Store, name: JournalName): Promise<void> => {
  const written = clearSetAside(store.journals[name].folder, keptAside);
  if (written.length > 0) await reconcile(store, name, { look: [], deletions: 'hold' });
};
