/** Settles the files that reconciling found: adopts edits, checks versions out, and records one event. */
import type { FileChange, KnownEvent } from '../../../events/event.js';
import type { GitJournal } from '../../../events/git/git-journal.js';
import { formatLost } from '../../../events/note/lost-values.js';
import type { BlobId, NoteId } from '../../../events/note/note.js';
import { formatTime } from '../../../events/time.js';
import { clearSetAside, keepNothing } from '../../../events/worktree/replace-file.js';
import { readLostLocal } from '../../../state/lost-journal.js';
import { noteAdoptedVersions } from '../adopted-versions.js';
import { appendEvents } from '../append.js';
import { findElsewhere, gatherCandidates } from '../candidates.js';
import { checkOutFiles } from '../check-out-files.js';
import { keptBases } from '../file-bases.js';
import { findForeignSecrets } from '../foreign-secrets.js';
import { buildHandEvent, classifyFiles } from '../hand-edits.js';
import { findMisnamed, nameById } from '../misnamed-files.js';
import { mergeOlder } from '../older-bases.js';
import { withoutLeaving, withoutLeft } from '../private-files.js';
import { reconcileMisplaced, separateMisplaced } from '../removed/misplaced-files.js';
import { moveBack } from '../removed/moved-back.js';
import { findReplaced, reconcileRemoved } from '../removed/removed-notes.js';
import { withoutNew } from '../removed/while-local-is-lost.js';
import { withoutUnmerged } from '../unmerged.js';
import { keepUnseenLeft, readUnseenLeft } from '../unseen-versions.js';
import type { Gathered } from '../whole-tree.js';
import { noteAt, type Store } from '../write-store.js';
import { eachOnce } from './left-files.js';
import { type JournalState, nothingReconciled, type Once, type ReconcileOptions } from './reconciled.js';

/** `lookAgain` repeats the whole round with other paths to examine. */
export const reconcileFiles = async (
  store: Store,
  journal: GitJournal,
  { head, checkout, events, fileBases, whole }: JournalState,
  look: ReconcileOptions['look'],
  leftBehind: readonly string[],
  options: ReconcileOptions,
  lookAgain: (look: ReconcileOptions['look']) => Promise<Once>,
): Promise<Once> => {
  const { look: asked, deletions, published = [], leaving = [] } = options;
  const { name } = journal;
  const { baseOf, putBack, judge, unseenOf } = fileBases;
  const backPaths = new Set(pathsOf(putBack));
  const noteOf = (path: string): NoteId => noteAt(store.lookup, name, path);
  const find = async (wanted: ReconcileOptions['look'], known?: Gathered) => {
    const gathered = known ?? (await gatherCandidates(store, journal, head, checkout, wanted, baseOf, true));
    const candidates = judge(gathered.candidates);
    const found = classifyFiles(
      journal,
      candidates.filter(({ path }) => !backPaths.has(path)),
      noteOf,
      (path) => gathered.unchanged.get(path),
    );
    return { gathered: { ...gathered, candidates }, found };
  };
  const first = await find(look, whole);
  // A note whose file is gone from its path may be elsewhere now, where nothing would look.
  const displaced = pathsOf(findReplaced(journal, store.lookup, first.found));
  const sought = [...first.found.deleted, ...first.found.missing, ...displaced];
  const blobAt = (path: string): BlobId | undefined => store.lookup.blobAt(name, path);
  const elsewhere =
    look === 'all'
      ? nameById(journal.folder, await findMisnamed(journal, first.gathered.left, sought, blobAt, noteOf))
      : await findElsewhere(store, journal, sought);
  const { gathered, found: all } =
    elsewhere.length === 0 ? first : await find(look === 'all' ? look : [...look, ...elsewhere]);
  const headOf = new Map(gathered.candidates.map(({ path, head: blob }) => [path, blob]));
  const known = withoutLeaving(await withoutUnmerged(journal, all), leaving);
  const { found: merged, others } = separateMisplaced(name, store.lookup, known, leftBehind, published);
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
    const after = await lookAgain(wanted);
    return { ...after, putBack: [...back.map(({ to }) => to), ...after.putBack] };
  }
  const gone = reconcileRemoved(journal, store.lookup, together, deletions, asked);
  const ofOthers = await reconcileMisplaced(store.journals, name, others, deletions);
  const reconciliation = { ...gone.found, left: [...gone.found.left, ...ofOthers.left] };
  const { recorded, held } = gone;
  const restored = [...gone.restored, ...ofOthers.restored];
  const waitingNotes = { heldDeletions: held, heldReplaced: gone.replaced, putBack: pathsOf(restored) };

  const toPut = [...reconciliation.put, ...restored.map((one) => ({ ...one, head: headOf.get(one.path) }))];
  const laid = await checkOutFiles(store, journal, toPut);
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
      left: eachOnce([...gathered.left, ...reconciliation.left, ...laid.left]),
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
  noteAdoptedVersions(store, journal, events, eventId, reconciliation, recorded, hand.adopted);
  const appended = await appendEvents(store, name, [commit], { head, takenIn, put, removed });
  const left = [...gathered.left, ...reconciliation.left, ...laid.left];
  // No command may be decided on files and an index that lack the event.
  if (appended !== 'moved' && appended.unfinished !== undefined) throw appended.unfinished;
  if (appended === 'moved') {
    return { ...nothingReconciled, left, ...waitingNotes, again: true, contested: [] };
  }
  keepUnseenLeft(store, journal, unseenLeft);
  // The file that a person saved still holds the secret.
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

const pathsOf = (files: readonly { readonly path: string }[]): readonly string[] => files.map(({ path }) => path);
