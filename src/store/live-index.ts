/** Keeps the index current: opens the right generation, catches up, and builds a new one if needed. */
import type Database from 'better-sqlite3';
import { isDenied } from '../events/environment-faults.js';
import type { Difference, Journal } from '../events/journal.js';
import { checkpointOf } from '../projections/checkpoint.js';
import { asUnusable, currentGeneration, IndexUnusable } from '../projections/generation.js';
import { IndexHandles, type OpenIndex } from './index-handles.js';

export class LiveIndex {
  private readonly handles: IndexHandles;
  /** The index in use by the holder of the write lock. */
  private held: OpenIndex | undefined;

  constructor(
    private readonly folder: string,
    private readonly journals: readonly Journal[],
    private readonly log: (line: string) => void,
  ) {
    this.handles = new IndexHandles(folder, log);
  }

  /** Catches up to all heads. A damaged index is rebuilt and asked again; one we can't open is copied to memory. */
  async ask<Answer>(question: (database: Database.Database) => Answer): Promise<Answer> {
    this.handles.forgetCopy(copyLastsMs);
    for (let attempt = 1; ; attempt += 1) {
      const file = currentGeneration(this.folder);
      for (const journal of this.journals) {
        if (journal.exists() || currentGeneration(this.folder) !== undefined) await this.catchUpOne(journal, true);
      }
      // An index that another process published meanwhile may lack what this process has just caught up with.
      const answer = await this.withIndex(true, (used) =>
        used.file === file || attempt === attempts ? { given: askAtOnce(used.database, question) } : undefined,
      );
      if (answer !== undefined) return answer.given;
    }
  }

  /** Without catching up: it lacks at most the write under way and what came with git. Undefined if it is unusable. */
  glance<Answer>(question: (database: Database.Database) => Answer): Answer | undefined {
    let file: string | undefined;
    try {
      const used = this.handles.open(false);
      file = used.file;
      return askAtOnce(used.database, question);
    } catch (error) {
      if (asUnusable(error, file) instanceof IndexUnusable || isDenied(error)) return undefined;
      throw error;
    }
  }

  /** For the holder of the write lock, which has just caught up: asks without checking for a newer index. */
  askNow<Answer>(question: (database: Database.Database) => Answer): Answer {
    const used = this.held ?? this.handles.open(false);
    try {
      return question(used.database);
    } catch (error) {
      throw asUnusable(error, used.file);
    }
  }

  /**
   * For the holder of the write lock, which keeps asking this index with `askNow`, until `letGo`: one that another
   * process publishes meanwhile may be behind in both journals, and a reader here may have opened it.
   */
  async catchUp(journal: Journal): Promise<void> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const used = await this.catchUpOne(journal, false);
      const others = used === this.held ? [] : this.journals.filter((other) => other !== journal);
      let isOne = true;
      for (const other of others) isOne = (await this.catchUpOne(other, false)) === used && isOne;
      if (!isOne) continue;
      this.hold(used);
      return;
    }
    throw new IndexUnusable('the index kept being replaced');
  }

  /** Reads ahead for `record`, see `readDifference`; undefined if so much changes that a rebuild is quicker. */
  async difference(
    journal: Journal,
    from: string | undefined,
    to: string,
    isForward: boolean,
  ): Promise<Difference | undefined> {
    const { readDifference, TooMuchToCatchUp } = await import('../projections/catch-up.js');
    return readDifference(journal, from, to, isForward).catch((error: unknown) => {
      if (error instanceof TooMuchToCatchUp) return undefined;
      throw error;
    });
  }

  async record(difference: Difference): Promise<void> {
    const journal = this.journals.find(({ name }) => name === difference.journal);
    const { applyDifference } = await import('../projections/catch-up.js');
    let file: string | undefined;
    try {
      const used = this.handles.open(false);
      file = used.file;
      const isOurs = this.held === undefined || used === this.held;
      if (isOurs && applyDifference(used.database, difference) === 'applied') return;
    } catch (error) {
      const unusable = asUnusable(error, file);
      if (!(unusable instanceof IndexUnusable)) throw error;
      await this.replay(unusable.message);
    }
    if (journal !== undefined) await this.catchUp(journal);
  }

  /** To be called when the write lock is released. */
  letGo(): void {
    this.hold(undefined);
  }

  /** Builds a new generation from the heads. */
  async rebuild(reason: string): Promise<void> {
    this.letGo();
    await this.replay(reason);
  }

  close(): void {
    this.letGo();
    this.handles.forget();
  }

  private hold(used: OpenIndex | undefined): void {
    if (used === this.held) return;
    const before = this.held;
    this.held = used;
    if (used !== undefined) this.handles.hold(used);
    if (before !== undefined) this.handles.letGo(before);
  }

  private async replay(reason: string): Promise<void> {
    this.handles.forget();
    this.log(`replay: ${reason}`);
    const { replay } = await import('../workers/replay.js');
    await replay({ journals: this.journals, indexFolder: this.folder, publish: 'current' });
  }

  /** Runs on a usable index; one that turns out unusable is rebuilt once. */
  private async withIndex<Answer>(
    mayCopy: boolean,
    run: (used: OpenIndex) => Promise<Answer> | Answer,
  ): Promise<Answer> {
    const { handles, folder } = this;
    let mayRebuild = true;
    for (let attempt = 1; ; attempt += 1) {
      const tried = currentGeneration(folder);
      let used: OpenIndex | undefined;
      try {
        used = handles.open(mayCopy);
        return await handles.during(used, run);
      } catch (error) {
        const copy =
          mayCopy && used !== undefined && used.copiedMs === undefined && isDenied(error)
            ? handles.openCopy(used.file, error)
            : undefined;
        if (copy !== undefined) return await handles.during(copy, run);
        const unusable = asUnusable(error, used?.file);
        // Another process that found the same may have published its own index meanwhile and removed ours.
        const isReplaced = currentGeneration(folder) !== tried;
        if (!(unusable instanceof IndexUnusable) || attempt === attempts || !(isReplaced || mayRebuild)) throw error;
        if (isReplaced) continue;
        mayRebuild = false;
        await this.replay(unusable.message);
      }
    }
  }

  /** Returns an index in which the journal is at its present head. */
  private catchUpOne(journal: Journal, mayCopy: boolean): Promise<OpenIndex> {
    return this.withIndex(mayCopy, async (used) => {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        // The head is read last: a head read before another process moved both would set the index back.
        const from = checkpointOf(used.database, journal.name);
        const head = journal.exists() ? journal.head() : undefined;
        if (from === head) return used;
        if (head === undefined) throw new IndexUnusable(`the ${journal.name} journal lost its history`);
        // Loaded only if there is something to catch up with: it loads the YAML parser, which a reader rarely needs.
        const { applyDifference, readDifference, TooMuchToCatchUp } = await import('../projections/catch-up.js');
        const difference = await readDifference(journal, from, head).catch((cause: unknown) => {
          if (cause instanceof TooMuchToCatchUp) throw new IndexUnusable(cause.message);
          // The checkpoint may be a commit that git no longer has.
          throw from === undefined
            ? cause
            : new IndexUnusable(`the history does not lead from ${from} to ${head}`, { cause });
        });
        const applied = applyDifference(used.database, difference);
        if (applied === 'applied') return used;
        if (applied === 'replay')
          throw new IndexUnusable(`history was rewritten: ${head} does not descend from ${from}`);
      }
      throw new IndexUnusable('the checkpoint kept moving');
    });
  }
}

const attempts = 10;

/** Asks in one transaction, so that a concurrent write is in all of the answer or in none of it. */
const askAtOnce = <Answer>(database: Database.Database, question: (database: Database.Database) => Answer): Answer => {
  if (database.inTransaction) return question(database);
  database.exec('BEGIN');
  try {
    return question(database);
  } finally {
    database.exec('COMMIT');
  }
};

/** After that the file is tried again: the fault may be gone. */
const copyLastsMs = 1000;
