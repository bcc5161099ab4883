/**
 * Shares one handle on the current index within this process. Another process may publish a newer index at any moment;
 * the handle on the older one is closed once it is no longer in use.
 */
import type Database from 'better-sqlite3';
import { isDenied } from '../events/environment-faults.js';
import { copyGeneration, currentGeneration, IndexUnusable, openGeneration } from '../projections/generation.js';

export type OpenIndex = {
  readonly file: string;
  readonly database: Database.Database;
  /** When it was copied to memory; undefined for the file itself. What is written to a copy is lost with it. */
  readonly copiedMs: number | undefined;
};

export type IndexHandles = {
  /** Returns the current index for immediate use; anything that awaits in between must use `during`. */
  open(mayCopy: boolean): OpenIndex;
  /** Opens a copy in memory if the disk is full or read-only. Returns undefined if the file can't be read either. */
  openCopy(file: string, reason: unknown): OpenIndex | undefined;
  during<Answer>(used: OpenIndex, run: (used: OpenIndex) => Promise<Answer> | Answer): Promise<Answer>;
  /** Keeps the index open until `letGo`. */
  hold(used: OpenIndex): void;
  letGo(used: OpenIndex): void;
  /** Drops the handle; the next question opens the index again. */
  forget(): void;
  /** Drops the handle on a copy that was made longer ago than this. */
  forgetCopy(lastsMs: number): void;
};

export const openHandles = (folder: string, log: (line: string) => void): IndexHandles => {
  let current: OpenIndex | undefined;
  const holders = new Map<OpenIndex, number>();

  const closeUnlessUsed = (used: OpenIndex): void => {
    if (used !== current && !holders.has(used)) used.database.close();
  };

  const replace = (next: OpenIndex | undefined): void => {
    const before = current;
    current = next;
    if (before !== undefined) closeUnlessUsed(before);
  };

  const openCopy = (file: string, reason: unknown): OpenIndex | undefined => {
    const database = copyGeneration(file);
    if (database === undefined) return undefined;
    log(`reading a copy of the index: ${reason instanceof Error ? reason.message : String(reason)}`);
    const copy = { file, database, copiedMs: performance.now() };
    replace(copy);
    return copy;
  };

  const hold = (used: OpenIndex): void => {
    holders.set(used, (holders.get(used) ?? 0) + 1);
  };

  const letGo = (used: OpenIndex): void => {
    const others = (holders.get(used) ?? 0) - 1;
    if (others > 0) holders.set(used, others);
    else holders.delete(used);
    closeUnlessUsed(used);
  };

  return {
    /** A replay in any process moves the pointer, so it is read each time (about 20 microseconds). */
    open(mayCopy) {
      const file = currentGeneration(folder);
      if (current !== undefined && current.file === file && (mayCopy || current.copiedMs === undefined)) return current;
      replace(undefined);
      if (file === undefined) throw new IndexUnusable('there is no index yet');
      try {
        const opened = { file, database: openGeneration(file), copiedMs: undefined };
        replace(opened);
        return opened;
      } catch (error) {
        const copy = mayCopy && isDenied(error) ? openCopy(file, error) : undefined;
        if (copy === undefined) throw error;
        return copy;
      }
    },
    openCopy,
    async during(used, run) {
      hold(used);
      try {
        return await run(used);
      } finally {
        letGo(used);
      }
    },
    hold,
    letGo,
    forget: () => replace(undefined),
    forgetCopy(lastsMs) {
      if (current?.copiedMs !== undefined && performance.now() - current.copiedMs > lastsMs) replace(undefined);
    },
  };
};
