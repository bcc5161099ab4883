/** One writer at a time across all processes: a transaction on a small SQLite file, which a crash releases. */

import { rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Fault } from '../events/faults.js';

export type WriteLock = {
  /** True if the caller now holds the lock; false also while another part of this process does. Never waits. */
  tryAcquire(): boolean;
  /** Waits without blocking the event loop, and lets other processes know. Throws Fault 'lock-timeout'. */
  acquire(timeoutMs: number): Promise<void>;
  /**
   * True while a process waits in `acquire`; who takes the lock again and again lets it go first. A courtesy: anyone
   * can leave such a request, so it ends once the lock was left free for 0.4 s.
   */
  isWanted(): boolean;
  release(): void;
  close(): void;
};

/** Pause between two attempts; a write holds the lock for 10 to 20 ms. */
const pauseMs = 2;
/** How long a killed waiter's request counts: a live one polls every few milliseconds, and has the lock by then. */
const wantedMs = 400;

/** Only a courtesy: if it can't be written, getting the lock is left to chance. */
const announce = (file: string): void => {
  try {
    writeFileSync(file, '', { mode: 0o600 });
  } catch {
    // The disk is full.
  }
};

/** Another waiter renews its request at once. */
const withdraw = (file: string): void => {
  try {
    rmSync(file, { force: true });
  } catch {
    // The request counts for a moment longer.
  }
};

/** The clock may have been set back, and a file of another machine may be dated by another clock. */
const isRequested = (file: string): boolean => {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) < wantedMs;
};

export const openLock = (file: string): WriteLock => {
  const wanted = `${file}.wanted`;
  const database = new Database(file, { timeout: 0 });
  const begin = database.prepare('BEGIN IMMEDIATE');
  const end = database.prepare('ROLLBACK');
  let held = false;
  let courteousSinceMs: number | undefined;
  const tryAcquire = (): boolean => {
    if (held || !tryRun(begin, file)) return false;
    held = true;
    courteousSinceMs = undefined;
    return true;
  };
  return {
    tryAcquire,
    acquire: (timeoutMs) => waitFor(tryAcquire, wanted, timeoutMs),
    isWanted() {
      if (!isRequested(wanted)) {
        courteousSinceMs = undefined;
        return false;
      }
      courteousSinceMs ??= performance.now();
      return performance.now() - courteousSinceMs < wantedMs;
    },
    release: () => {
      end.run();
      held = false;
    },
    close: () => {
      database.close();
    },
  };
};

/** False while another process holds the lock. */
const tryRun = (begin: Database.Statement, file: string): boolean => {
  try {
    begin.run();
    return true;
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    if (error.code.startsWith('SQLITE_BUSY')) return false;
    if (error.code !== 'SQLITE_NOTADB' && error.code !== 'SQLITE_CORRUPT') throw error;
    throw new Fault(
      'store-damaged',
      `${file} is damaged; it holds nothing but the lock`,
      'end other anamnesis processes, remove that file and repeat the command',
      { cause: error },
    );
  }
};

const waitFor = async (tryAcquire: () => boolean, wanted: string, timeoutMs: number): Promise<void> => {
  let startedMs: number | undefined;
  let announcedMs: number | undefined;
  while (!tryAcquire()) {
    // Unaffected by changes of the system clock. First read here, because that costs 2 ms at startup.
    const nowMs = performance.now();
    startedMs ??= nowMs;
    if (announcedMs === undefined || nowMs - announcedMs > wantedMs / 2) {
      announce(wanted);
      announcedMs = nowMs;
    }
    if (nowMs > startedMs + timeoutMs)
      throw new Fault(
        'lock-timeout',
        `another process has been writing to this store for ${Math.round(timeoutMs / 1000)} s`,
        'wait for it to end, or look for a stuck anamnesis process',
      );
    await sleep(pauseMs + Math.random() * pauseMs);
  }
  if (announcedMs !== undefined) withdraw(wanted);
};

/** Runs it under the lock of that file. Must not be nested. Throws Fault 'lock-timeout'. */
export const withLock = async <Answer>(
  file: string,
  timeoutMs: number,
  run: () => Promise<Answer>,
): Promise<Answer> => {
  const lock = openLock(file);
  try {
    await lock.acquire(timeoutMs);
    try {
      return await run();
    } finally {
      lock.release();
    }
  } finally {
    lock.close();
  }
};
