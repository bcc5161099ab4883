/**
 * One handle on the current index for all of this process who ask of it. Another process may publish a newer index at any
 * moment: the handle on the older one is closed when nobody is at it any more.
 */
import type Database from 'better-sqlite3';
import { isDenied } from '../events/environment-faults.js';
import { copyGeneration, currentGeneration, IndexUnusable, openGeneration } from '../projections/generation.js';

export type OpenIndex = {
  readonly file: string;
  readonly database: Database.Database;
  /** When it was copied to memory, undefined for the file itself: what is written to a copy is lost with it. */
  readonly copiedMs: number | undefined;
};

export type IndexHandles = {
  /** The current index, good for what is done at once; whatever waits in between goes through `during`. */
  open(mayCopy: boolean): OpenIndex;
  /** Where the disk is full or may not be written, reading goes on in memory. Undefined where it can't be read either. */
  openCopy(file: string, reason: unknown): OpenIndex | undefined;
  during<Answer>(used: OpenIndex, run: (used: OpenIndex) => Promise<Answer> | Answer): Promise<Answer>;
  /** Keeps it open until it is let go. */
  hold(used: OpenIndex): void;
  letGo(used: OpenIndex): void;
  /** The next question opens it anew. */
  forget(): void;
  /** The same when it was copied longer ago than this. */
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
    /** A replay anywhere moves the pointer, so it is looked at each time (about 20 microseconds). */
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
