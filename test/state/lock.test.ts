import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLock, type WriteLock } from '../../src/state/lock.js';
import { openStore, type TestStore, temporaryFolder, writeNote } from '../support/store.js';

describe('waiting for the lock', () => {
  let folder: string;
  let file: string;
  const locks: WriteLock[] = [];
  const open = (): WriteLock => {
    const lock = openLock(file);
    locks.push(lock);
    return lock;
  };
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder, 'lock.db');
  });
  afterEach(() => {
    for (const lock of locks.splice(0)) lock.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is visible to the holder until the waiter gets it', async () => {
    const [holder, waiter] = [open(), open()];
    holder.tryAcquire();
    const waiting = waiter.acquire(5000);
    await sleep(20);
    expect(holder.isWanted()).toBe(true);
    holder.release();
    await waiting;
    expect(holder.isWanted()).toBe(false);
    waiter.release();
  });

  it('stays visible for as long as it takes', async () => {
    const [holder, waiter] = [open(), open()];
    holder.tryAcquire();
    const waiting = waiter.acquire(5000);
    await sleep(900);
    expect(holder.isWanted()).toBe(true);
    holder.release();
    await waiting;
    waiter.release();
  });

  it('is ignored when the waiter was killed', () => {
    writeFileSync(`${file}.wanted`, '');
    const then = new Date(Date.now() - 1000);
    utimesSync(`${file}.wanted`, then, then);
    expect(open().isWanted()).toBe(false);
  });

  it('is ignored when its file is dated in the future', () => {
    writeFileSync(`${file}.wanted`, '');
    const tomorrow = new Date(Date.now() + 24 * 3600 * 1000);
    utimesSync(`${file}.wanted`, tomorrow, tomorrow);
    expect(open().isWanted()).toBe(false);
  });
});

describe('writes while a file says that another process waits', () => {
  let store: TestStore;
  beforeEach(async () => {
    store = openStore();
    await writeNote(store.memory);
  });
  afterEach(() => store.close());

  it('continue immediately when it is dated in the future', async () => {
    const wanted = join(store.home, 'lock.db.wanted');
    writeFileSync(wanted, '');
    const tomorrow = new Date(Date.now() + 24 * 3600 * 1000);
    utimesSync(wanted, tomorrow, tomorrow);
    const startedMs = performance.now();
    await writeNote(store.memory, { title: 'Later' });
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });

  it('continue a little later when it is renewed forever but no process takes the lock', async () => {
    const wanted = join(store.home, 'lock.db.wanted');
    const renewing = setInterval(() => writeFileSync(wanted, ''), 20);
    try {
      const startedMs = performance.now();
      await writeNote(store.memory, { title: 'Later' });
      expect(performance.now() - startedMs).toBeLessThan(10_000);
    } finally {
      clearInterval(renewing);
    }
  });
});
