/** One writer at a time, over all processes: a transaction on a small SQLite file that a crash releases. */

import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Fault } from './faults.js';

export type WriteLock = {
  /** True when the caller now holds the lock; false also while another part of this process does. Never waits. */
  tryAcquire(): boolean;
  /** Waits without blocking the event loop. Throws Fault 'lock-timeout'. */
  acquire(timeoutMs: number): Promise<void>;
  release(): void;
  close(): void;
};

/** Pause between two attempts; a write holds the lock for 10 to 20 ms. */
const pauseMs = 2;

export const openLock = (file: string): WriteLock => {
  const database = new Database(file, { timeout: 0 });
  const begin = database.prepare('BEGIN IMMEDIATE');
  const end = database.prepare('ROLLBACK');
  let held = false;
  const tryAcquire = (): boolean => {
    if (held) return false;
    try {
      begin.run();
      held = true;
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
  return {
    tryAcquire,
    async acquire(timeoutMs) {
      const deadline = Date.now() + timeoutMs;
      while (!tryAcquire()) {
        if (Date.now() > deadline) {
          throw new Fault(
            'lock-timeout',
            `another process has been writing to this store for ${Math.round(timeoutMs / 1000)} s`,
            'wait for it to end, or look for a stuck anamnesis process',
          );
        }
        await sleep(pauseMs + Math.random() * pauseMs);
      }
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
