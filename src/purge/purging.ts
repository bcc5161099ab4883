/** Erases a note or a text from the store and its whole history: the one exception to append-only. */
import { join } from 'node:path';
import type { PurgePlan, PurgeReceipt } from '../answers/store-schema.js';
import { noteUnknown, type Refusal } from '../commands/refusals.js';
import type { Store } from '../commands/worktree/write-store.js';
import { acceptHead } from '../events/git/branch.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { type BlobId, type JournalName, journalFolder, journalNames, type NoteId } from '../events/note/note.js';
import { formatTime } from '../events/time.js';
import { TransportError } from '../events/transport.js';
import { openConflicts } from '../projections/index/conflicts.js';
import { withLock } from '../state/lock.js';
import type { Memory } from '../store/memory.js';
import type { Lookup } from '../store/reading.js';
import { checkPlaces, findFiles, notChecked } from './check-places.js';
import { cleanAfter, prepareJournals } from './cleaning.js';
import { countHistory, makeHistory, moveToHistory, type NewJournal } from './purge-journal.js';
import { beginPurge, endPurge, readUnfinished, setUnpublished, type UnfinishedPurge } from './purge-state.js';
import type { RewrittenHistory } from './rewrite.js';
import { needleOf, type PurgeRequest, type PurgeTarget, ruleOf, standsInStructure } from './rule/request.js';
import type { PurgeRule } from './rule/rule.js';
import { describeScan, giveUp, type Scan, scanJournals } from './scan.js';

/** Finds what a purge would erase; changes nothing. */
export const planPurge = async (memory: Memory, request: PurgeRequest): Promise<Lookup<PurgePlan>> => {
  const { what } = request;
  const rule = ruleOf(what);
  if ('code' in rule) return { ok: false, refusal: rule };
  if (existing(memory, {}).length === 0) return { ok: false, refusal: storeEmpty };
  const scan = await scanJournals(existing(memory, request), rule, { write: false });
  const counted = new Map<JournalName, RewrittenHistory>();
  for (const one of scan.journals) counted.set(one.journal.name, await countHistory(scan, one));
  const structural = [...scan.structural, ...[...counted.values()].flatMap((one) => one.structural)];
  if (structural.length > 0) return { ok: false, refusal: standsInStructure(structural) };
  if (what.kind === 'note' && scan.notes.size === 0 && !(await wasThere(memory, what.id)))
    return { ok: false, refusal: noteUnknown(what.id) };
  const files = what.kind === 'note' ? [] : findFiles(memory.settings.home, needleOf(request, [...scan.texts]));
  return { ok: true, answer: { ...describeScan(scan, counted), files } };
};

/** The remote, whose history must be replaced too. */
export type PurgedRemote = {
  /** Its head: all of it is in ours, and nothing but it may be replaced. */
  readonly head: string;
  /** Replaces that head; false if it has moved on. Without it, a later sync does. Throws TransportError. */
  readonly replace?: ((to: string) => Promise<boolean>) | undefined;
};

/** The remote has moved on since it was merged: merge again, and repeat. */
export const remoteMoved = 'remote-moved';

/**
 * Killed at any point, either history is complete; repeating the command finishes the rest. Reports `purge:…` steps to
 * the store. Throws Fault 'lock-timeout' and GitError.
 */
export const purgeStore = async (
  memory: Memory,
  request: PurgeRequest,
  remote?: PurgedRemote,
): Promise<Lookup<PurgeReceipt>> => {
  const rule = ruleOf(request.what);
  if ('code' in rule) return { ok: false, refusal: rule };
  if (existing(memory, {}).length === 0) return { ok: false, refusal: storeEmpty };
  const store = await memory.store();
  const purge = async (): Promise<Lookup<PurgeReceipt>> => {
    const purging = new Purging(memory, store, request, rule, remote);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const done = await purging.run();
      if (done !== 'moved') return done;
    }
    return { ok: false, refusal: keepsMoving };
  };
  // Acquired before the write lock, in the same order as in the worker.
  const lockOf = (name: string): string => join(memory.settings.home, name);
  return withLock(lockOf('worker.db'), lockTimeoutMs, () =>
    withLock(lockOf('sync.db'), lockTimeoutMs, () => memory.exclusively(purge)),
  );
};

/** A worker that asks a model may take long, and so may a sync. */
const lockTimeoutMs = 120_000;
const attempts = 4;

const keepsMoving: Refusal = {
  code: 'busy',
  message: 'another git program kept writing to this journal',
  next: 'wait until it is done, then repeat the purge',
};

/** One purge under the locks. */
class Purging {
  readonly #atMs: number;

  constructor(
    private readonly memory: Memory,
    private readonly store: Store,
    private readonly request: PurgeRequest,
    private readonly rule: PurgeRule,
    private readonly remote: PurgedRemote | undefined,
  ) {
    this.#atMs = store.nowMs();
  }

  /** Returns 'moved' if another git program moved a ref meanwhile: then it is to be run again. */
  async run(): Promise<Lookup<PurgeReceipt> | 'moved'> {
    const { memory, store, request } = this;
    const { what } = request;
    const purge = store.newId(this.#atMs);
    const isKnown = what.kind !== 'note' || (await wasThere(memory, what.id));
    const copies = what.kind === 'note' ? await copiesOf(memory, what.id) : [];
    // Also adopts files that a person created in a journal without commits.
    await prepareJournals(store, initialized(memory, request));
    store.step('purge:scan');
    const scan = await scanJournals(existing(memory, request), this.rule, { write: true });
    try {
      if (scan.structural.length > 0) return { ok: false, refusal: standsInStructure(scan.structural) };
      if (scan.notes.size === 0 && !isKnown && what.kind === 'note')
        return { ok: false, refusal: noteUnknown(what.id) };
      const made = await this.#make(scan, purge);
      if ('code' in made) return { ok: false, refusal: made };
      const stopped = await this.#move(made);
      if (stopped === 'moved') return stopped;
      return stopped === undefined
        ? { ok: true, answer: await this.#clean(scan, made, purge, copies) }
        : { ok: false, refusal: stopped };
    } finally {
      await giveUp(scan.journals);
    }
  }

  /** Makes every history before it moves any ref: a text that can't be replaced somewhere stops the whole purge. */
  async #make(scan: Scan, purge: string): Promise<readonly NewJournal[] | Refusal> {
    const made: NewJournal[] = [];
    for (const one of scan.journals) {
      const facts = { purge, atMs: this.#atMs, settings: this.memory.settings, request: this.request };
      const history = await makeHistory(this.store, scan, one, facts);
      if ('structural' in history) return standsInStructure(history.structural);
      made.push(history);
    }
    return made;
  }

  /** Replaces the remote's history first, so that nothing is changed here if that fails; then moves the refs. */
  async #move(made: readonly NewJournal[]): Promise<Refusal | 'moved' | undefined> {
    const { store, remote } = this;
    const shared = made.find(({ journal }) => journal.name === 'portable');
    const newHead = shared?.newHead === shared?.oldHead ? undefined : shared?.newHead;
    const before = readUnfinished(store.state);
    const begun: UnfinishedPurge = { at: formatTime(this.#atMs), what: nameOf(this.request.what) };
    if (newHead !== undefined && remote?.replace !== undefined) {
      beginPurge(store.state, { ...begun, pushed: newHead });
      const refusal = await replaceRemote(remote.replace, newHead);
      if (refusal !== undefined) {
        if (before === undefined) endPurge(store.state);
        else beginPurge(store.state, before);
        return refusal;
      }
      store.step('purge:pushed');
    } else {
      beginPurge(store.state, begun);
      if (newHead !== undefined && remote !== undefined) setUnpublished(store.state, remote.head);
    }
    for (const history of made) if ((await moveToHistory(store, history)) === 'moved') return 'moved';
    if (newHead !== undefined && remote?.replace !== undefined)
      await acceptHead(this.memory.journals.portable.folders, newHead);
    return undefined;
  }

  async #clean(
    scan: Scan,
    made: readonly NewJournal[],
    purge: string,
    copies: readonly NoteId[],
  ): Promise<PurgeReceipt> {
    const { memory, store, request } = this;
    const warnings = [
      ...(await cleanAfter(memory, store, scan, made)),
      ...copies.map((id) => `its conflict copy ${id} is still found; to purge that too: anamnesis purge ${id}`),
    ];
    store.step('purge:check');
    const gone = made.map((one) => [one.journal.name, { notes: scan.rule.notes, ids: goneOf(scan, one) }] as const);
    const found = await checkPlaces(memory, needleOf(request, [...scan.texts]), new Map(gone));
    const counted = new Map(made.map(({ journal, rewritten }) => [journal.name, rewritten]));
    const isChanged =
      scan.journals.some(({ fates }) => fates.size > 0) || made.some((one) => one.rewritten.changed > 0);
    if (found.clean) endPurge(store.state);
    const status = isChanged ? 'purged' : 'unchanged';
    memory.log(
      `purge: ${purge} ${status}, ${found.clean ? 'nothing found afterwards' : 'found again, see the receipt'}`,
    );
    store.step('purge:done');
    return {
      status,
      purge: made.some(({ oldHead, newHead }) => oldHead !== newHead) ? purge : null,
      ...describeScan(scan, counted),
      heads: made.map(({ journal: { name }, oldHead, newHead }) => ({
        journal: journalFolder[name],
        before: oldHead ?? null,
        after: newHead ?? null,
      })),
      warnings,
      ...found,
      remote: null,
      not_checked: notChecked(null),
    };
  }
}

const replaceRemote = async (
  replace: NonNullable<PurgedRemote['replace']>,
  newHead: string,
): Promise<Refusal | undefined> => {
  try {
    if (await replace(newHead)) return undefined;
    return { code: remoteMoved, message: 'another machine kept publishing meanwhile', next: 'repeat the purge' };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const { code, message, next } = error;
    return { code, message: `nothing was purged: ${message}`, next };
  }
};

/** The versions and heads of a journal that must no longer exist. */
const goneOf = ({ journals }: Scan, { journal, moves }: NewJournal): ReadonlySet<BlobId> => {
  const fates = journals.find((one) => one.journal.name === journal.name)?.fates ?? new Map<BlobId, unknown>();
  // A ref that was dropped may have named a commit that stays.
  return new Set([...fates.keys(), ...moves.flatMap(({ before, after }) => (after === undefined ? [] : [before]))]);
};

const nameOf = (what: PurgeTarget): string => (what.kind === 'note' ? `note ${what.id}` : `a ${what.kind}`);

const initialized = ({ journals }: Memory, { journal }: Pick<PurgeRequest, 'journal'>): readonly GitJournal[] =>
  journalNames
    .filter((name) => journal === undefined || journal === name)
    .map((name) => journals[name])
    .filter((one) => one.exists());

const existing = (memory: Memory, request: Pick<PurgeRequest, 'journal'>): readonly GitJournal[] =>
  initialized(memory, request).filter((journal) => journal.head() !== undefined);

const wasThere = async (memory: Memory, id: NoteId): Promise<boolean> =>
  (await memory.events({ note: id }, 1)).length > 0;

const copiesOf = async (memory: Memory, id: NoteId): Promise<readonly NoteId[]> => {
  const { conflicts } = await memory.liveIndex.ask((database) => openConflicts(database, { about: id }, maxCopies));
  return conflicts.flatMap(({ copy, original }) => (original === id && copy.id !== id ? [copy.id] : []));
};
const maxCopies = 10;

const storeEmpty: Refusal = {
  code: 'store-empty',
  message: 'there is nothing to purge: this store has no events',
  next: 'see where the store is: anamnesis status',
};
