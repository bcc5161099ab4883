/** One writer at a time, over all processes: a transaction on a small SQLite file that a crash releases. */

import { rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { isDenied } from './environment-faults.js';
import { Fault } from './faults.js';

export type WriteLock = {
  /** True when the caller now holds the lock; false also while another part of this process does. Never waits. */
  tryAcquire(): boolean;
  /** Waits without blocking the event loop, and lets the others know. Throws Fault 'lock-timeout'. */
  acquire(timeoutMs: number): Promise<void>;
  /** True while somebody waits in `acquire`, whom those who take the lock again and again let in first. */
  isWanted(): boolean;
  release(): void;
  close(): void;
};

/** Pause between two attempts; a write holds the lock for 10 to 20 ms. */
const pauseMs = 2;

/** What a waiter that was killed left behind counts for so long. */
const wantedMs = 400;

/** Only a courtesy: where nothing can be written, the lock comes by chance. */
const announce = (file: string): void => {
  try {
    writeFileSync(file, '', { mode: 0o600 });
  } catch (error) {
    if (!isDenied(error)) throw error;
  }
};

export const openLock = (file: string): WriteLock => {
  const wanted = `${file}.wanted`;
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
      const startedMs = Date.now();
      let announcedMs = 0;
      while (!tryAcquire()) {
        const nowMs = Date.now();
        if (nowMs - announcedMs > wantedMs / 2) {
          announce(wanted);
          announcedMs = nowMs;
        }
        if (nowMs > startedMs + timeoutMs) {
          throw new Fault(
            'lock-timeout',
            `another process has been writing to this store for ${Math.round(timeoutMs / 1000)} s`,
            'wait for it to end, or look for a stuck anamnesis process',
          );
        }
        await sleep(pauseMs + Math.random() * pauseMs);
      }
      if (announcedMs !== 0) rmSync(wanted, { force: true });
    },
    isWanted() {
      const stat = statSync(wanted, { throwIfNoEntry: false });
      return stat !== undefined && Date.now() - stat.mtimeMs < wantedMs;
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
