/** Keeps the index current: opens the right generation, catches up, and builds a new one where that is needed. */
import type Database from 'better-sqlite3';
import type { Difference, Journal } from '../events/journal.js';
import type { BlobId, JournalName } from '../events/note.js';
import { checkpointOf } from '../projections/checkpoint.js';
import { asUnusable, currentGeneration, IndexUnusable, openGeneration } from '../projections/index/generation.js';
import { prepared } from '../projections/index/prepared.js';

export type IndexKeeper = {
  /** Brings the index to the heads of all journals, then asks it. An index that proves damaged is rebuilt and asked again. */
  ask<Answer>(question: (database: Database.Database) => Answer): Promise<Answer>;
  /** Asks without catching up or looking for a newer index: for the holder of the write lock, who has just done so. */
  askNow<Answer>(question: (database: Database.Database) => Answer): Answer;
  catchUp(journal: Journal): Promise<void>;
  record(difference: Difference): Promise<void>;
  /** Builds a new generation from the heads. */
  rebuild(reason: string): Promise<void>;
  close(): void;
};

export const openIndexKeeper = (
  folder: string,
  journals: readonly Journal[],
  log: (line: string) => void,
): IndexKeeper => {
  let open: { readonly file: string; readonly database: Database.Database } | undefined;

  const close = (): void => {
    open?.database.close();
    open = undefined;
  };

  /** The current generation: a replay anywhere moves the pointer, so it is looked at each time (about 20 microseconds). */
  const database = (): Database.Database => {
    const file = currentGeneration(folder);
    if (file === undefined) {
      close();
      throw new IndexUnusable('there is no index yet');
    }
    if (open?.file !== file) {
      close();
      open = { file, database: openGeneration(file) };
    }
    return open.database;
  };

  const rebuild = async (reason: string): Promise<void> => {
    close();
    log(`replay: ${reason}`);
    const { replay } = await import('./replay.js');
    await replay({ journals, indexFolder: folder, publish: 'current' });
  };

  /** Runs on a usable index; one that turns out unusable is rebuilt once. */
  const withIndex = async <Answer>(run: (current: Database.Database) => Promise<Answer> | Answer): Promise<Answer> => {
    try {
      return await run(database());
    } catch (error) {
      const unusable = asUnusable(error);
      if (!(unusable instanceof IndexUnusable)) throw error;
      await rebuild(unusable.message);
      return await run(database());
    }
  };

  const catchUp = async (journal: Journal): Promise<void> => {
    const head = journal.exists() ? journal.head() : undefined;
    await withIndex(async (current) => {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const from = checkpointOf(current, journal.name);
        if (from === head) return;
        if (head === undefined) throw new IndexUnusable(`the ${journal.name} journal lost its history`);
        // Loaded when there is something to catch up with: it brings the YAML parser, which a reader mostly does without.
        const { applyDifference, readDifference } = await import('../projections/catch-up.js');
        const difference = await readDifference(journal, from, head).catch((cause: unknown) => {
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

  return {
    async ask(question) {
      for (const journal of journals) {
        if (journal.exists() || currentGeneration(folder) !== undefined) await catchUp(journal);
      }
      return withIndex(question);
    },
    askNow(question) {
      try {
        return question(open?.database ?? database());
      } catch (error) {
        throw asUnusable(error);
      }
    },
    catchUp,
    async record(difference) {
      const journal = journals.find(({ name }) => name === difference.journal);
      const { applyDifference } = await import('../projections/catch-up.js');
      try {
        if (applyDifference(database(), difference) === 'applied') return;
      } catch (error) {
        const unusable = asUnusable(error);
        if (!(unusable instanceof IndexUnusable)) throw error;
        await rebuild(unusable.message);
      }
      if (journal !== undefined) await catchUp(journal);
    },
    rebuild,
    close,
  };
};

const attempts = 10;

/** Version at a path, whether the file there is a readable note or not. */
export const blobAt = (database: Database.Database, journal: JournalName, path: string): BlobId | undefined =>
  selectBlob(database).get(journal, path, journal, path)?.blob;

const selectBlob = prepared<[string, string, string, string], { blob: string }>(
  `SELECT blob FROM notes WHERE journal = ? AND path = ?
   UNION ALL SELECT blob FROM skipped WHERE journal = ? AND path = ? LIMIT 1`,
);
