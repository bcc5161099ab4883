/**
 * Replay: the whole index anew from the journals. Threads read and parse batches of files; one writer puts the rows in
 * path order, so that the result does not depend on how many threads there are.
 */
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { Journal } from '../events/journal.js';
import { noteFolders } from '../events/note/paths.js';
import { recordEvents } from '../projections/catch-up.js';
import { setCheckpoint } from '../projections/checkpoint.js';
import { type Digests, digestsOf, foundingDigestsOf, otherDigestsOf } from '../projections/digest.js';
import { currentGeneration, openGeneration } from '../projections/generation.js';
import { countEvents } from '../projections/history/query.js';
import { findRepeated, withRepeated } from '../projections/history/repeated.js';
import { countNoteFiles } from '../projections/index/counts.js';
import {
  beginGeneration,
  discardGeneration,
  finishGeneration,
  publishGeneration,
  shareGeneration,
} from '../projections/new-generation.js';
import type { ProjectedEvent } from '../projections/projection.js';
import { copyThresholds } from '../projections/recall/thresholds.js';
import { beginFold, makeIndexes } from '../projections/registry.js';
import { batchesOf, insertNotes } from './insert-notes.js';
import { openPool, type Pool } from './pool.js';

export type ReplayOptions = {
  readonly journals: readonly Journal[];
  readonly indexFolder: string;
  readonly workers?: number | undefined;
  /** Commits to replay instead of the heads; undefined leaves a journal out. */
  readonly at?: Readonly<Partial<Record<string, string>>> | undefined;
  /** 'current' makes the new index the one that is asked; 'beside' leaves it for the caller to use and remove. */
  readonly publish: 'current' | 'beside';
  /** Threads to use whatever the number of files; they stay open. */
  readonly pool?: Pool | undefined;
  /** Files per task. */
  readonly batchSize?: number | undefined;
};

export type ReplayResult = Digests & {
  readonly notes: number;
  readonly skipped: number;
  readonly events: number;
  readonly ms: number;
  readonly workers: number;
  readonly file: string;
};

/** Throws Fault 'worker-died'; the old index goes on serving then. */
export const replay = async (options: ReplayOptions): Promise<ReplayResult> => {
  const started = performance.now();
  // One core is left to the writer, which is busy all the time.
  const workers = options.workers ?? Math.max(1, Math.min(4, availableParallelism() - 1));
  const { file, database } = beginGeneration(options.indexFolder);
  // Threads take a tenth of a second to start: where many notes are likely they do so while git lists them.
  let pool = options.pool ?? (options.journals.some(looksLarge) ? openPool(workers) : undefined);
  try {
    // One transaction for all rows: FTS5 writes a segment at each commit and merges them later.
    database.exec('BEGIN');
    const fold = beginFold(database, 'replay');
    for (const journal of options.journals) {
      const commit =
        options.at === undefined ? (journal.exists() ? journal.head() : undefined) : options.at[journal.name];
      if (commit === undefined) continue;
      const recorded = readEvents(journal, commit);
      // Awaited below; a failure until then must not count as unhandled.
      recorded.catch(() => undefined);
      const entries = await journal.notes(commit);
      if (entries.length > inlineLimit || options.workers !== undefined) pool ??= openPool(workers);
      const batches = batchesOf(entries, options.batchSize);
      // The events are there first: they are added while the writer waits for the threads.
      const eventsAdded = recorded.then((events) => {
        for (const event of events) fold.addEvent(event);
      });
      await Promise.all([insertNotes(fold, { journal, batches, pool, workers }), eventsAdded]);
      setCheckpoint(database, journal.name, commit);
    }
    makeIndexes(database);
    fold.finish();
    if (options.publish === 'current') keepThresholds(options.indexFolder, database);
    database.exec('COMMIT');
    const result = {
      ...(await digestWith(pool, file, database)),
      ...countNoteFiles(database),
      events: countEvents(database),
      workers,
      file,
    };
    if (options.publish === 'current') publishGeneration(options.indexFolder, file, database);
    else finishGeneration(file, database);
    return { ...result, ms: Math.round(performance.now() - started) };
  } catch (error) {
    discardGeneration(file, database);
    throw error;
  } finally {
    if (options.pool === undefined) await pool?.close();
  }
};

const readEvents = async (journal: Journal, commit: string): Promise<readonly ProjectedEvent[]> => {
  const recorded = recordEvents(journal.name, await journal.events(undefined, commit), () => undefined);
  if (recorded === undefined) throw journal.incomplete();
  return withRepeated(recorded, await journal.asForeign(findRepeated(recorded)));
};

/**
 * A thread, which is idle by now, takes half of the digests. Where a newer index took the file away, only this thread, which has
 * it open, still can.
 */
const digestWith = async (pool: Pool | undefined, file: string, database: Database.Database): Promise<Digests> => {
  if (pool === undefined) return digestsOf(database);
  shareGeneration(database);
  const taken = pool.run({ task: 'digest', indexFile: file }).catch((error: unknown) => {
    if (existsSync(file)) throw error;
    return undefined;
  });
  taken.catch(() => undefined);
  const digests = foundingDigestsOf(database);
  const others = (await taken) ?? otherDigestsOf(database);
  return { ...digests, projections: { ...digests.projections, ...others } };
};

/** Measuring them takes as long as a replay, and the notes are those that they were measured on, or nearly. */
const keepThresholds = (indexFolder: string, database: Database.Database): void => {
  const before = currentGeneration(indexFolder);
  // Where the file of the one before is gone, its name may have been given again.
  if (before === undefined || before === database.name) return;
  let old: Database.Database | undefined;
  try {
    old = openGeneration(before);
    copyThresholds(old, database);
  } catch {
    // The index that is replaced may be damaged or held; then they are measured anew when somebody has the time.
  } finally {
    old?.close();
  }
};

/** Below this many files starting threads costs more than they save, unless their number was asked for. */
const inlineLimit = 300;
/** The fan-out folders of a few hundred notes; one look, so that a small store starts no threads. */
const looksLarge = ({ workingTree }: Journal): boolean =>
  workingTree !== undefined &&
  noteFolders.some((name) => {
    const folder = join(workingTree, name);
    return existsSync(folder) && readdirSync(folder).length > manyFolders;
  });
const manyFolders = 200;
