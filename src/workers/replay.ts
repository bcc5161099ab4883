/** Replay: rebuilds the index. Threads parse batches of files; one writer inserts the rows in path order. */
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
import { findDuplicateEvents, withRepeated } from '../projections/history/event-history.js';
import { countEvents } from '../projections/history/query.js';
import { countNoteFiles } from '../projections/index/rows.js';
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
  /** 'current' makes the new index the current one; 'beside' leaves it for the caller to use and remove. */
  readonly publish: 'current' | 'beside';
  /** Threads to use whatever the number of files; the caller closes them. */
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

/** Throws Fault 'worker-died'; the old index then stays current. */
export const replay = async (options: ReplayOptions): Promise<ReplayResult> => {
  const started = performance.now();
  // One core is left for the writer, which is always busy.
  const workers = options.workers ?? Math.max(1, Math.min(4, availableParallelism() - 1));
  const { file, database } = beginGeneration(options.indexFolder);
  // Threads take a tenth of a second to start, so if many notes are likely they start while git lists them.
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
      // Events are read first; they are added while the writer waits for the threads.
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
  return withRepeated(recorded, await journal.asForeign(findDuplicateEvents(recorded)));
};

/** An idle thread computes half. If a newer index removed the file, only this one, which has it open, still can. */
const digestWith = async (pool: Pool | undefined, file: string, database: Database.Database): Promise<Digests> => {
  if (pool === undefined) return digestsOf(database);
  shareGeneration(database);
  const delegated = pool.run({ task: 'digest', indexFile: file }).catch((error: unknown) => {
    if (existsSync(file)) throw error;
    return undefined;
  });
  delegated.catch(() => undefined);
  const digests = foundingDigestsOf(database);
  const others = (await delegated) ?? otherDigestsOf(database);
  return { ...digests, projections: { ...digests.projections, ...others } };
};

/** Copies the recall thresholds: measuring them takes as long as a replay, and the notes are the same, or nearly. */
const keepThresholds = (indexFolder: string, database: Database.Database): void => {
  const before = currentGeneration(indexFolder);
  // If the previous index's file is gone, the new one may have got its name.
  if (before === undefined || before === database.name) return;
  let old: Database.Database | undefined;
  try {
    old = openGeneration(before);
    copyThresholds(old, database);
  } catch {
    // The replaced index may be damaged or locked; the thresholds are then measured again later.
  } finally {
    old?.close();
  }
};

/** Up to this many files, threads cost more than they save, so they are started only if their number was given. */
const inlineLimit = 300;
/** Estimates the number of notes from the fan-out folders, so that a small store starts no threads. */
const looksLarge = ({ folder: above }: Journal): boolean =>
  noteFolders.some((name) => {
    const folder = join(above, name);
    return existsSync(folder) && readdirSync(folder).length > manyFolders;
  });
const manyFolders = 200;
