/** Finishes what a crash left, takes in what others committed and what a person edited. Runs under the write lock. */
import type { FileChange, JournalEvent } from '../events/event.js';
import { Fault } from '../events/faults.js';
import type { Journal, LoggedEvent } from '../events/journal.js';
import type { BlobId, JournalName } from '../events/note.js';
import type { Masked } from '../events/redact.js';
import type { LaidOutFile } from '../events/state.js';
import { formatTime } from '../events/time.js';
import {
  type FoundFile,
  isUnchanged,
  putNoteFile,
  readNoteFile,
  removeNoteFile,
  walkNotes,
} from '../events/working-tree.js';
import { appendEvents } from './append.js';
import {
  areTooManyDeletions,
  buildHandEvent,
  type Candidate,
  type LeftFile,
  type Settlement,
  settleFiles,
} from './hand-edits.js';
import type { Store } from './store.js';

export type SettleOptions = {
  /** Paths to look at besides what changed since the checkpoint; 'all' walks the whole tree. */
  readonly look: readonly string[] | 'all';
  /** What to do with files that a person removed, when there are many. */
  readonly deletions: 'hold' | 'record' | 'put-back';
};

export type Settled = {
  readonly event: JournalEvent | undefined;
  readonly masked: readonly Masked[];
  readonly left: readonly LeftFile[];
  /** Removed files that wait for a word: `adopt --deletions` or `adopt --put-back`. */
  readonly heldDeletions: readonly string[];
};

const nothingSettled: Settled = { event: undefined, masked: [], left: [], heldDeletions: [] };
const rounds = 8;

export const settle = async (store: Store, name: JournalName, options: SettleOptions): Promise<Settled> => {
  const journal = store.journals[name];
  let result = nothingSettled;
  let look = options.look;
  for (let round = 0; round < rounds; round += 1) {
    const head = journal.head();
    await store.catalog.catchUp(journal);
    if (head === undefined && look !== 'all') return result;
    const checkout = store.state.checkout(name);
    const leftBehind = store.catalog.unfinishedMoves(name);
    const noticed = look === 'all' ? [] : [...look, ...leftBehind, ...store.state.touched(name)];
    if (look !== 'all' && noticed.length === 0 && checkout === head) return result;
    const wanted = look === 'all' || checkout === undefined ? 'all' : noticed;
    const after = await settleOnce(store, journal, head, checkout, wanted, leftBehind, options.deletions);
    store.state.untouch(name, noticed);
    result = {
      event: after.event ?? result.event,
      masked: [...result.masked, ...after.masked],
      left: after.left,
      heldDeletions: after.heldDeletions,
    };
    if (!after.again) return result;
    look = after.contested;
  }
  throw new Fault(
    'lock-timeout',
    `files in ${journal.folder} kept changing while they were taken in`,
    'wait until the other program is done with them, then repeat the command',
  );
};

type Once = Settled & { readonly again: boolean; readonly contested: readonly string[] };

const settleOnce = async (
  store: Store,
  journal: Journal,
  head: string | undefined,
  checkout: string | undefined,
  look: readonly string[] | 'all',
  leftBehind: readonly string[],
  deletions: SettleOptions['deletions'],
): Promise<Once> => {
  const { name } = journal;
  const events = head === undefined || checkout === undefined || checkout === head ? [] : await journal.events(checkout, head);
  const gathered = await gatherCandidates(store, journal, head, checkout, look, events, true);
  const settlement = settleFiles(journal, gathered.candidates, (path) => gathered.unchanged.get(path));
  const putBack = head === undefined ? [] : await findStaleReverts(store, journal, head, events);
  const backPaths = new Set(putBack.map(({ path }) => path));

  const mayRecord =
    deletions === 'record' || !areTooManyDeletions(settlement.deleted.length, store.catalog.countFiles(name));
  const recorded = deletions === 'put-back' ? [] : mayRecord ? settlement.deleted : [];
  const held = deletions === 'hold' && !mayRecord ? settlement.deleted : [];
  const restored = deletions === 'put-back' ? settlement.deleted : [];

  const headOf = new Map(gathered.candidates.map(({ path, head: blob }) => [path, blob]));
  const toPut = [
    ...settlement.put.filter(({ path }) => !backPaths.has(path)),
    ...restored.map((path) => ({ path, head: headOf.get(path), base: undefined })),
  ];
  const laid = await layOut(store, journal, toPut);

  const eventId = store.newId(store.nowMs());
  // A move between journals was killed after its destination was written: the source goes, unless a person edited it.
  const edited = new Set([...settlement.adopt, ...settlement.merge].map(({ path }) => path));
  const finishing = leftBehind
    .filter((path) => !edited.has(path))
    .map((path): FileChange => ({ journal: name, path, bytes: undefined }));
  const hand = await buildHandEvent(store, journal, settlement, recorded, [...putBack, ...finishing], eventId);
  const advanced = [...settlement.advance, ...laid.put];
  const gone = [...settlement.gone, ...laid.removed];
  if (hand === undefined) {
    const done = laid.contested.length === 0;
    store.step('checkpoint');
    store.state.advance(name, done ? head : undefined, advanced, gone);
    return {
      event: undefined,
      masked: [],
      left: [...gathered.left, ...settlement.left],
      heldDeletions: held,
      again: !done,
      contested: laid.contested,
    };
  }
  store.state.advance(name, undefined, advanced, gone);
  const event: JournalEvent = {
    id: eventId,
    kind: 'hand.adopted',
    at: formatTime(hand.atMs),
    machine: store.machine,
    subject: hand.subject,
    notes: hand.notes,
    adopted: hand.adopted.length === 0 ? undefined : hand.adopted,
  };
  const fileNow = new Map<string, BlobId | undefined>();
  for (const { path, blob } of [...settlement.adopt, ...settlement.merge]) fileNow.set(path, blob);
  const appended = await appendEvents(store, name, [{ event, epochMs: hand.atMs, changes: hand.changes }], (path) =>
    fileNow.has(path) ? fileNow.get(path) : currentBlob(journal, path),
  );
  const left = [...gathered.left, ...settlement.left];
  if (appended === 'moved') return { ...nothingSettled, left, heldDeletions: held, again: true, contested: [] };
  return {
    event,
    masked: hand.masked,
    left,
    heldDeletions: held,
    again: appended.contested.length > 0 || laid.contested.length > 0,
    contested: [...appended.contested, ...laid.contested],
  };
};

const currentBlob = (journal: Journal, path: string): BlobId | undefined => {
  const found = readNoteFile(journal.folder, path);
  return found.kind === 'file' ? found.row.blob : undefined;
};

type Gathered = {
  readonly candidates: readonly Candidate[];
  /** Files that surely are what was last laid out, so that they need not be read. */
  readonly unchanged: ReadonlyMap<string, FoundFile>;
  readonly left: readonly LeftFile[];
};

const gatherCandidates = async (
  store: Store,
  journal: Journal,
  head: string | undefined,
  checkout: string | undefined,
  look: readonly string[] | 'all',
  events: readonly LoggedEvent[],
  cleanUp: boolean,
): Promise<Gathered> => {
  const { name } = journal;
  const adopted = new Set(events.flatMap(({ event }) => event.adopted ?? []));
  const baseOf = (path: string, laidOut: BlobId | undefined): BlobId | undefined => {
    // The edit at this path was merged already by an event that did not get as far as laying its result out.
    const found = adopted.size === 0 ? undefined : currentBlob(journal, path);
    return found !== undefined && adopted.has(`${found} ${path}`) ? found : laidOut;
  };
  const unchanged = new Map<string, FoundFile>();
  if (look === 'all') {
    const walk = await walkNotes(journal.folder, cleanUp);
    const laidOut = store.state.allLaidOut(name);
    const inHead = new Map((head === undefined ? [] : await journal.notes(head)).map(({ path, blob }) => [path, blob]));
    for (const { path, stat } of walk.files) {
      const row = laidOut.get(path);
      if (row !== undefined && isUnchanged(row, stat)) unchanged.set(path, { kind: 'file', bytes: Buffer.alloc(0), row });
    }
    const paths = new Set([...walk.files.map(({ path }) => path), ...laidOut.keys(), ...inHead.keys()]);
    const candidates: Candidate[] = [];
    for (const path of paths) {
      const row = laidOut.get(path);
      const blob = inHead.get(path);
      // An unchanged file whose head moved on is settled by its base, so its bytes are never looked at.
      if (row !== undefined && row.blob === blob && unchanged.has(path)) continue;
      const base =
        row !== undefined
          ? baseOf(path, row.blob)
          : checkout === undefined
            ? await guessBase(journal, head, path, blob)
            : baseWithoutRow(journal, path, blob);
      candidates.push({ path, base, head: blob });
    }
    return { candidates, unchanged, left: walk.ignored };
  }
  const changes = head === undefined || checkout === undefined ? [] : await journal.diff(checkout, head);
  const candidates = new Map<string, Candidate>();
  for (const { path, before, after } of changes) {
    candidates.set(path, { path, base: baseOf(path, store.state.laidOut(name, path)?.blob ?? before), head: after });
  }
  for (const path of look) {
    if (candidates.has(path)) continue;
    const blob = store.catalog.blobAt(name, path);
    candidates.set(path, { path, base: baseOf(path, store.state.laidOut(name, path)?.blob ?? blob), head: blob });
  }
  return { candidates: [...candidates.values()], unchanged, left: [] };
};

/** A path without a record: a file is a person's new one; no file means that ours was never laid out. */
const baseWithoutRow = (journal: Journal, path: string, head: BlobId | undefined): BlobId | undefined =>
  currentBlob(journal, path) === undefined ? undefined : head;

/**
 * Nothing is recorded of the working tree (state.db was lost): a file equal to any earlier version of its path is
 * stale, anything else is a hand edit, and a missing file is put back.
 */
const guessBase = async (
  journal: Journal,
  head: string | undefined,
  path: string,
  inHead: BlobId | undefined,
): Promise<BlobId | undefined> => {
  const file = currentBlob(journal, path);
  if (file === undefined || head === undefined) return undefined;
  if (file === inHead) return file;
  return (await journal.versions(head, path)).has(file) ? file : inHead;
};

const layOut = async (
  store: Store,
  journal: Journal,
  wanted: readonly { readonly path: string; readonly head: BlobId | undefined; readonly base: BlobId | undefined }[],
): Promise<{ readonly put: readonly LaidOutFile[]; readonly removed: readonly string[]; readonly contested: readonly string[] }> => {
  const put: LaidOutFile[] = [];
  const removed: string[] = [];
  const contested: string[] = [];
  const blobs = await journal.blobs(wanted.flatMap(({ head }) => (head === undefined ? [] : [head])));
  for (const { path, head, base } of wanted) {
    store.step('put');
    if (head === undefined) {
      if (removeNoteFile(journal.folder, path, base) === 'removed') removed.push(path);
      else contested.push(path);
      continue;
    }
    const bytes = blobs.get(head);
    if (bytes === undefined) {
      throw new Fault('journal-damaged', `git has no object ${head} for ${path}`, 'run: anamnesis verify');
    }
    const row = putNoteFile(journal.folder, path, bytes, base);
    if (row === 'changed') contested.push(path);
    else put.push(row);
  }
  return { put, removed, contested };
};

/**
 * Commits that a person made on a git index from before our last writes take those writes back without meaning to. What
 * such a commit dropped or turned back to an older version, while the file still says otherwise, is put back.
 */
const findStaleReverts = async (
  store: Store,
  journal: Journal,
  head: string,
  events: readonly LoggedEvent[],
): Promise<readonly FileChange[]> => {
  const back = new Map<string, BlobId>();
  for (const { foreign, commit, parents } of events) {
    if (!foreign) continue;
    for (const { path, before, after } of await journal.diff(parents[0], commit)) {
      if (before === undefined) continue;
      const laidOut = store.state.laidOut(journal.name, path)?.blob;
      const file = currentBlob(journal, path);
      if (file === after && laidOut === before) continue;
      const neverLaidOut = laidOut !== before && after === laidOut;
      const untouched = file === before && (after === undefined || (await journal.versions(commit, path)).has(after));
      if (neverLaidOut || untouched) back.set(path, before);
    }
  }
  if (back.size === 0) return [];
  const inHead = new Map((await journal.notes(head)).map(({ path, blob }) => [path, blob]));
  const blobs = await journal.blobs([...back.values()]);
  return [...back].flatMap(([path, blob]) => {
    const bytes = blobs.get(blob);
    return bytes === undefined || inHead.get(path) === blob ? [] : [{ journal: journal.name, path, bytes }];
  });
};

/** What `settle` would find in a journal's working tree, without doing anything about it. */
export const inspectTree = async (store: Store, name: JournalName): Promise<Settlement> => {
  const journal = store.journals[name];
  if (!journal.exists()) return settleFiles(journal, []);
  const head = journal.head();
  const checkout = store.state.checkout(name);
  const events = head === undefined || checkout === undefined || checkout === head ? [] : await journal.events(checkout, head);
  const gathered = await gatherCandidates(store, journal, head, checkout, 'all', events, false);
  const settlement = settleFiles(journal, gathered.candidates, (path) => gathered.unchanged.get(path));
  return { ...settlement, left: [...gathered.left, ...settlement.left] };
};
