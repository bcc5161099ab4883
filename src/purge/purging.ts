/** Erases a note or a text from the store and its whole history: the one exception to append-only. */
import { join } from 'node:path';
import { noteUnknown, type Refusal } from '../commands/refusals.js';
import type { Store } from '../commands/worktree/write-store.js';
import { nextForOtherHead, readOtherHead } from '../events/git/git-files.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { type JournalName, journalFolder, journalNames, type NoteId } from '../events/note/note.js';
import { formatTime } from '../events/time.js';
import { openLock } from '../state/lock.js';
import type { Memory } from '../store/memory.js';
import type { Found } from '../store/reading.js';
import { findObstacleToPurge } from './clean-git.js';
import { describeScan, type PurgePlan, type PurgeReceipt } from './purge-answer.js';
import { cleanAfter, linesElsewhere, prepareJournals } from './purge-cleaning.js';
import { describePurge } from './purge-event.js';
import { countHistory, type MadeHistory, makeHistory, moveToHistory, type Telling } from './purge-journal.js';
import { checkPlaces, findFiles, notChecked } from './purge-receipt.js';
import { beginPurge, endPurge } from './purge-state.js';
import type { Rewritten } from './rewrite.js';
import { needleOf, type PurgeWhat, ruleOf, standsInStructure } from './rule/asked.js';
import { type JournalScan, type Scan, scanJournals } from './scan-journals.js';

export type PurgeAsked = { readonly what: PurgeWhat; readonly reason?: string | undefined };

/** Finds what a purge would erase; changes nothing. */
export const planPurge = async (memory: Memory, { what }: PurgeAsked): Promise<Found<PurgePlan>> => {
  const rule = ruleOf(what);
  if ('code' in rule) return { ok: false, refusal: rule };
  const refusal = refuseNow(memory);
  if (refusal !== undefined) return { ok: false, refusal };
  const scan = await scanJournals(existing(memory), rule, { write: false });
  const counted = new Map<JournalName, Rewritten>();
  for (const one of scan.journals) counted.set(one.journal.name, await countHistory(scan, one));
  const structural = [...scan.structural, ...[...counted.values()].flatMap((one) => one.structural)];
  if (structural.length > 0) return { ok: false, refusal: standsInStructure(structural) };
  if (what.kind === 'note' && scan.notes.size === 0 && !(await wasThere(memory, what.id))) {
    return { ok: false, refusal: noteUnknown(what.id) };
  }
  const files = what.kind === 'note' ? [] : findFiles(memory.settings.home, needleOf(what, [...scan.texts]));
  return { ok: true, answer: { ...describeScan(scan, counted), files } };
};

/**
 * Purges, and checks the result. If it is killed at any point, either the old history or the new one is complete;
 * repeating the command finishes the rest. Reports `purge:…` steps to the store. Throws Fault 'lock-timeout' and
 * GitError.
 */
export const purgeStore = async (memory: Memory, asked: PurgeAsked): Promise<Found<PurgeReceipt>> => {
  const rule = ruleOf(asked.what);
  if ('code' in rule) return { ok: false, refusal: rule };
  const refusal = refuseNow(memory);
  if (refusal !== undefined) return { ok: false, refusal };
  const store = await memory.store();
  // Acquired before the write lock, in the same order as in the worker.
  return withLocks(memory.settings.home, ['worker.db', 'sync.db'], () =>
    memory.exclusively(() => purgeUnderLock(memory, store, asked)),
  );
};

const withLocks = async <Answer>(
  home: string,
  names: readonly string[],
  run: () => Promise<Answer>,
): Promise<Answer> => {
  const [name, ...others] = names;
  if (name === undefined) return run();
  const lock = openLock(join(home, name));
  try {
    await lock.acquire(lockTimeoutMs);
    try {
      return await withLocks(home, others, run);
    } finally {
      lock.release();
    }
  } finally {
    lock.close();
  }
};

/** A worker that asks a model may take long, and so may a sync. */
const lockTimeoutMs = 120_000;
const attempts = 4;

const purgeUnderLock = async (memory: Memory, store: Store, asked: PurgeAsked): Promise<Found<PurgeReceipt>> => {
  const { what } = asked;
  const rule = ruleOf(what);
  if ('code' in rule) return { ok: false, refusal: rule };
  const atMs = store.nowMs();
  const isKnown = what.kind !== 'note' || (await wasThere(memory, what.id));
  /** Includes the journal moved by an earlier attempt, which another git stopped between the two journals. */
  const moved: MadeHistory[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const purge = store.newId(atMs);
    // Also adopts files that a person created in a journal without commits.
    const prepared = await prepareJournals(store, initialized(memory));
    store.step('purge:scan');
    const scan = await scanJournals(existing(memory), rule, { write: true });
    const refusal =
      scan.structural.length > 0
        ? standsInStructure(scan.structural)
        : scan.notes.size === 0 && !isKnown && what.kind === 'note'
          ? noteUnknown(what.id)
          : undefined;
    if (refusal !== undefined) {
      await giveUp(scan);
      return { ok: false, refusal };
    }
    beginPurge(store.state, { at: formatTime(atMs), what: nameOf(what), followed: [] });
    const done = await purgeAll(store, scan, moved, (one, rewritten, oldHead) =>
      messageOf(memory, asked, scan, { purge, atMs }, one, rewritten, oldHead),
    );
    if (done === 'moved') continue;
    if ('code' in done) {
      endPurge(store.state);
      return { ok: false, refusal: done };
    }
    const elsewhere = await linesElsewhere(existing(memory), scan);
    const needle = needleOf(
      what,
      [...scan.texts].filter((text) => !elsewhere.texts.has(text)),
    );
    const warnings = await cleanAfter(memory, store, { scan, purged: done, prepared, kept: elsewhere.texts });
    store.step('purge:check');
    const gone = goneOf(scan, done);
    const checked = await checkPlaces(memory, { needle, notes: rule.notes, gone });
    const counted = new Map(done.map(({ journal, rewritten }) => [journal.name, rewritten]));
    const isChanged = moved.some(({ rewritten }) => rewritten.changed > 0) || scan.gone.length > 0;
    const receipt: PurgeReceipt = {
      status: isChanged ? 'purged' : 'unchanged',
      purge: moved.some(({ oldHead, newHead }) => oldHead !== newHead) ? purge : null,
      ...describeScan(scan, counted),
      heads: done.map(({ journal: { name }, oldHead, newHead }) => ({
        journal: journalFolder[name],
        before: moved.find(({ journal }) => journal.name === name)?.oldHead ?? oldHead ?? null,
        after: newHead ?? null,
      })),
      warnings: [...warnings, ...elsewhere.warnings],
      checked: checked.places,
      clean: checked.clean,
      transcripts: checked.transcripts,
      remote: null,
      not_checked: notChecked(null),
    };
    if (checked.clean) endPurge(store.state);
    memory.log(
      `purge: ${purge} ${receipt.status}, ${receipt.places} places, ${checked.clean ? 'nothing found afterwards' : 'found again, see the receipt'}`,
    );
    store.step('purge:done');
    return { ok: true, answer: receipt };
  }
  return { ok: false, refusal: keepsMoving };
};

const keepsMoving: Refusal = {
  code: 'busy',
  message: 'another git program kept writing to this journal',
  next: 'wait until it is done, then repeat the purge',
};

/** Makes every history before it moves any ref: a text that can't be replaced somewhere stops the whole purge. */
const purgeAll = async (
  store: Store,
  scan: Scan,
  moved: MadeHistory[],
  tellFor: (one: JournalScan, rewritten: Rewritten, oldHead: string) => Telling,
): Promise<readonly MadeHistory[] | 'moved' | Refusal> => {
  try {
    const made: MadeHistory[] = [];
    for (const one of scan.journals) {
      const history = await makeHistory(store, scan, one, (rewritten, oldHead) => tellFor(one, rewritten, oldHead));
      if ('structural' in history) return standsInStructure(history.structural);
      made.push(history);
    }
    for (const history of made) {
      if ((await moveToHistory(store, history)) === 'moved') return 'moved';
      moved.push(history);
    }
    return made;
  } finally {
    await giveUp(scan);
  }
};

/** Abandons the new histories: unless git was told to finish one, the store is unchanged. */
const giveUp = async (scan: Scan): Promise<void> => {
  for (const { into } of scan.journals) await into?.giveUp();
};

const messageOf = (
  { settings: { machine, user } }: Memory,
  { what, reason }: PurgeAsked,
  scan: Scan,
  { purge, atMs }: { readonly purge: string; readonly atMs: number },
  { journal, fates, changed }: JournalScan,
  rewritten: Rewritten,
  oldHead: string,
): Telling => {
  const message = describePurge({
    ...{ purge, atMs, machine, user, what, reason, oldHead },
    matcher: scan.rule.text,
    texts: [...scan.texts],
    journal: journal.name,
    notes: [...changed],
    places: rewritten.places + fates.size,
  });
  return { message, epochMs: atMs, purge };
};

const goneOf = (scan: Scan, done: readonly MadeHistory[]): Readonly<Partial<Record<JournalName, readonly string[]>>> =>
  Object.fromEntries(
    done.map(({ journal: { name }, oldHead, newHead, moves }) => {
      // A ref that was dropped may have named a commit that stays.
      const heads = moves
        .filter(({ before, after }) => after !== undefined && after !== before)
        .map(({ before }) => before);
      return [name, [...scan.gone, ...(oldHead === undefined || oldHead === newHead ? [] : [oldHead]), ...heads]];
    }),
  );

const nameOf = (what: PurgeWhat): string => (what.kind === 'note' ? `note ${what.id}` : `a ${what.kind}`);

const initialized = ({ journals }: Memory): readonly GitJournal[] =>
  journalNames.map((name) => journals[name]).filter((journal) => journal.exists());

const existing = (memory: Memory): readonly GitJournal[] =>
  initialized(memory).filter((journal) => journal.head() !== undefined);

const wasThere = async (memory: Memory, id: NoteId): Promise<boolean> =>
  (await memory.events({ note: id }, 1)).length > 0;

const refuseNow = (memory: Memory): Refusal | undefined => {
  const journals = existing(memory);
  if (journals.length === 0) {
    return {
      code: 'store-empty',
      message: 'there is nothing to purge: this store has no events',
      next: 'see where the store is: anamnesis status',
    };
  }
  for (const { folders, folder } of journals) {
    const elsewhere = readOtherHead(folders.gitDir);
    if (elsewhere !== undefined) {
      return {
        code: 'head-elsewhere',
        message: `HEAD of ${folder} is not on main`,
        next: nextForOtherHead(folders.gitDir, folder),
      };
    }
    const why = findObstacleToPurge(folders);
    if (why !== undefined) return { code: 'not-now', ...why };
  }
  return undefined;
};
