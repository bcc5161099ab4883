/** Keeps the index current: opens the right generation, catches up, and builds a new one where that is needed. */
import type Database from 'better-sqlite3';
import { isDenied } from '../events/environment-faults.js';
import type { Difference, Journal } from '../events/journal.js';
import type { BlobId, JournalName } from '../events/note.js';
import { checkpointOf } from '../projections/checkpoint.js';
import {
  asUnusable,
  copyGeneration,
  currentGeneration,
  IndexUnusable,
  openGeneration,
} from '../projections/index/generation.js';
import { prepared } from '../projections/index/prepared.js';

export type IndexKeeper = {
  /**
   * Brings the index to the heads of all journals, then asks it. An index that proves damaged is rebuilt and asked again;
   * one that the machine does not let us open or write is asked in memory.
   */
  ask<Answer>(question: (database: Database.Database) => Answer): Promise<Answer>;
  /** Asks without catching up or looking for a newer index: for the holder of the write lock, who has just done so. */
  askNow<Answer>(question: (database: Database.Database) => Answer): Answer;
  catchUp(journal: Journal): Promise<void>;
  /** Read ahead of `record`, see `readDifference`; undefined when so much changes that building anew is quicker. */
  difference(
    journal: Journal,
    from: string | undefined,
    to: string,
    isForward: boolean,
  ): Promise<Difference | undefined>;
  record(difference: Difference): Promise<void>;
  /** Builds a new generation from the heads. */
  rebuild(reason: string): Promise<void>;
  close(): void;
};

type Open = {
  readonly file: string;
  readonly database: Database.Database;
  /** When it was copied to memory, undefined for the file itself: what is written to a copy is lost with it. */
  readonly copiedMs: number | undefined;
};

export const openIndexKeeper = (
  folder: string,
  journals: readonly Journal[],
  log: (line: string) => void,
): IndexKeeper => {
  let open: Open | undefined;
  /**
   * What the holder of the write lock caught up. A reader of this process may turn to a file that was published since and
   * is behind; nothing may be decided on that.
   */
  let held: Open | undefined;

  const close = (): void => {
    // Another question may still be at a copy, which holds no file.
    if (open?.copiedMs === undefined && open !== held) open?.database.close();
    open = undefined;
  };

  const hold = (): void => {
    if (held !== open) held?.database.close();
    held = open;
  };

  /** The current generation: a replay anywhere moves the pointer, so it is looked at each time (about 20 microseconds). */
  const database = (mayCopy: boolean): Database.Database => {
    const file = currentGeneration(folder);
    if (file === undefined) {
      close();
      throw new IndexUnusable('there is no index yet');
    }
    if (open?.file === file && (mayCopy || open.copiedMs === undefined)) return open.database;
    close();
    try {
      open = { file, database: openGeneration(file), copiedMs: undefined };
      return open.database;
    } catch (error) {
      const copy = mayCopy && isDenied(error) ? openCopy(file, error) : undefined;
      if (copy === undefined) throw error;
      return copy;
    }
  };

  /** Where the disk is full or may not be written, reading goes on in memory. */
  const openCopy = (file: string, reason: unknown): Database.Database | undefined => {
    const copy = copyGeneration(file);
    if (copy === undefined) return undefined;
    log(`reading a copy of the index: ${reason instanceof Error ? reason.message : String(reason)}`);
    close();
    open = { file, database: copy, copiedMs: performance.now() };
    return copy;
  };

  const rebuild = async (reason: string): Promise<void> => {
    close();
    log(`replay: ${reason}`);
    const { replay } = await import('./replay.js');
    await replay({ journals, indexFolder: folder, publish: 'current' });
  };

  /** Runs on a usable index; one that turns out unusable is rebuilt once. */
  const withIndex = async <Answer>(
    mayCopy: boolean,
    run: (current: Database.Database) => Promise<Answer> | Answer,
  ): Promise<Answer> => {
    let mayRebuild = true;
    for (let attempt = 1; ; attempt += 1) {
      const tried = currentGeneration(folder);
      try {
        return await run(database(mayCopy));
      } catch (error) {
        const copy =
          mayCopy && open !== undefined && open.copiedMs === undefined && isDenied(error)
            ? openCopy(open.file, error)
            : undefined;
        if (copy !== undefined) return await run(copy);
        const unusable = asUnusable(error, open?.file);
        // Another process that found the same may have published its own meanwhile, and taken ours away.
        const isReplaced = currentGeneration(folder) !== tried;
        if (!(unusable instanceof IndexUnusable) || attempt === attempts || !(isReplaced || mayRebuild)) throw error;
        if (isReplaced) continue;
        mayRebuild = false;
        await rebuild(unusable.message);
      }
    }
  };

  const catchUp = async (journal: Journal, mayCopy: boolean): Promise<void> => {
    await withIndex(mayCopy, async (current) => {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        // The head is read last: one from before another process moved both would take the index back to it.
        const from = checkpointOf(current, journal.name);
        const head = journal.exists() ? journal.head() : undefined;
        if (from === head) return;
        if (head === undefined) throw new IndexUnusable(`the ${journal.name} journal lost its history`);
        // Loaded when there is something to catch up with: it brings the YAML parser, which a reader mostly does without.
        const { applyDifference, readDifference, TooMuchToCatchUp } = await import('../projections/catch-up.js');
        const difference = await readDifference(journal, from, head).catch((cause: unknown) => {
          if (cause instanceof TooMuchToCatchUp) throw new IndexUnusable(cause.message);
          // The checkpoint may be a commit that git does not have any more.
          throw from === undefined ? cause : new IndexUnusable(`no way from ${from} to ${head}`, { cause });
        });
        const applied = applyDifference(current, difference);
        if (applied === 'applied') return;
        if (applied === 'replay') throw new IndexUnusable(`history was rewritten: ${head} does not continue ${from}`);
      }
      throw new IndexUnusable('the checkpoint kept moving');
    });
  };

  /** A file that the holder of the lock did not have before has to show all journals. */
  const catchUpToHold = async (journal: Journal): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      const file = currentGeneration(folder);
      const isHeld = held !== undefined && held.file === file;
      for (const one of isHeld ? [journal] : journals) {
        if (one === journal || one.exists()) await catchUp(one, false);
      }
      if (open?.copiedMs === undefined && open?.file === file) return hold();
      if (attempt === attempts) throw new IndexUnusable('the index kept changing');
    }
  };

  return {
    async ask(question) {
      if (open?.copiedMs !== undefined && performance.now() - open.copiedMs > copyLastsMs) close();
      for (let attempt = 1; ; attempt += 1) {
        const file = currentGeneration(folder);
        for (const journal of journals) {
          if (journal.exists() || currentGeneration(folder) !== undefined) await catchUp(journal, true);
        }
        // One that another process published meanwhile may be behind what this one has just taken in.
        const isCaughtUp = (): boolean => open?.file === file || attempt === attempts;
        const answer = await withIndex(true, (current) =>
          isCaughtUp() ? { given: askAtOnce(current, question) } : undefined,
        );
        if (answer !== undefined) return answer.given;
      }
    },
    askNow(question) {
      try {
        return question((held ?? open)?.database ?? database(false));
      } catch (error) {
        throw asUnusable(error, (held ?? open)?.file);
      }
    },
    catchUp: catchUpToHold,
    async difference(journal, from, to, isForward) {
      const { readDifference, TooMuchToCatchUp } = await import('../projections/catch-up.js');
      return readDifference(journal, from, to, isForward).catch((error: unknown) => {
        if (error instanceof TooMuchToCatchUp) return undefined;
        throw error;
      });
    },
    async record(difference) {
      const journal = journals.find(({ name }) => name === difference.journal);
      const { applyDifference } = await import('../projections/catch-up.js');
      try {
        if (applyDifference(database(false), difference) === 'applied' && open === held) return;
      } catch (error) {
        const unusable = asUnusable(error, open?.file);
        if (!(unusable instanceof IndexUnusable)) throw error;
        await rebuild(unusable.message);
      }
      if (journal !== undefined) await catchUpToHold(journal);
    },
    rebuild,
    close() {
      close();
      hold();
    },
  };
};

const attempts = 10;

/** In one transaction, so that what is written meanwhile is in all of the answer or in none of it. */
const askAtOnce = <Answer>(database: Database.Database, question: (database: Database.Database) => Answer): Answer => {
  if (database.inTransaction) return question(database);
  database.exec('BEGIN');
  try {
    return question(database);
  } finally {
    database.exec('COMMIT');
  }
};

/** After that the file is tried again: the machine may have been mended. */
const copyLastsMs = 1000;

/** Version at a path, whether the file there is a readable note or not. */
export const blobAt = (database: Database.Database, journal: JournalName, path: string): BlobId | undefined =>
  selectBlob(database).get(journal, path, journal, path)?.blob;

const selectBlob = prepared<[string, string, string, string], { blob: string }>(
  `SELECT blob FROM notes WHERE journal = ? AND path = ?
   UNION ALL SELECT blob FROM skipped WHERE journal = ? AND path = ? LIMIT 1`,
);
