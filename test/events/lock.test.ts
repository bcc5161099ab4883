import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLock, type WriteLock } from '../../src/events/lock.js';
import { temporaryFolder } from '../support/store.js';

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

  it('is known to whoever holds it, until it is had', async () => {
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

  it('stays known for as long as it takes', async () => {
    const [holder, waiter] = [open(), open()];
    holder.tryAcquire();
    const waiting = waiter.acquire(5000);
    await sleep(900);
    expect(holder.isWanted()).toBe(true);
    holder.release();
    await waiting;
    waiter.release();
  });

  it('is forgotten where the one that waited was killed', () => {
    writeFileSync(`${file}.wanted`, '');
    const then = new Date(Date.now() - 1000);
    utimesSync(`${file}.wanted`, then, then);
    expect(open().isWanted()).toBe(false);
  });
});
