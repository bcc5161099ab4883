/** A sync that fails because of this machine or the program is reported like one that a remote refused. */
import { describe, expect, it } from 'vitest';
import { readStatus } from '../../src/app/status.js';
import { Fault } from '../../src/events/faults.js';
import { readTrouble, type SyncTrouble } from '../../src/state/sync-state.js';
import type { Memory } from '../../src/store/memory.js';
import { describeFailure } from '../../src/sync/sync-failure.js';
import { syncStore } from '../../src/sync/syncing.js';
import { newMachines } from '../support/machines.js';
import { writeNote } from '../support/store.js';

const remote = { url: 'https://ann:hunter2secret@example.com/notes.git', shown: 'https://example.com/notes.git' };

/** A machine that synced once and has more to pull; `failWith` makes syncs fail until it is called with undefined. */
const syncedOnce = async () => {
  let failure: (() => Error) | undefined;
  let nowMs = Date.now();
  const step = (name: string): void => {
    if (name === 'sync:fetch' && failure !== undefined) throw failure();
  };
  const machines = newMachines();
  const [memory, other] = [await machines.open('a', { step, nowMs: () => nowMs }), await machines.open('b')];
  await machines.sync(memory, other);
  await writeNote(other);
  await machines.sync(other);
  return {
    memory,
    failWith: (make: typeof failure): void => {
      failure = make;
    },
    later: (): void => {
      nowMs += 7_200_000;
    },
  };
};

const troubleOf = async (memory: Memory): Promise<SyncTrouble | undefined> => readTrouble((await memory.store()).state);

describe('a sync that fails with an internal error', () => {
  it('still fails the command, and is reported by status later', async () => {
    const { memory, failWith } = await syncedOnce();
    failWith(() => new TypeError("Cannot read properties of undefined (reading 'hash')"));
    await expect(syncStore(memory)).rejects.toThrow(TypeError);
    const { sync } = await readStatus(memory);
    expect(sync.trouble).toMatchObject({
      code: 'internal',
      message: "internal error: Cannot read properties of undefined (reading 'hash')",
      next: expect.stringMatching(/anamnesis sync/),
      failures: 1,
    });
    expect(sync.detail).toMatch(/^not synced since .*: internal error: /);
  });

  it('is no longer reported after the next success', async () => {
    const { memory, failWith } = await syncedOnce();
    failWith(() => new TypeError('x is not a function'));
    await expect(syncStore(memory)).rejects.toThrow();
    failWith(undefined);
    expect(await syncStore(memory)).toMatchObject({ outcome: 'synced', pulled: 1 });
    expect(await troubleOf(memory)).toBeUndefined();
  });

  it('makes the background wait for a while, then try again', async () => {
    const { memory, failWith, later } = await syncedOnce();
    failWith(() => new TypeError('x is not a function'));
    await expect(syncStore(memory, { background: true })).rejects.toThrow();
    expect(await syncStore(memory, { background: true })).toMatchObject({ outcome: 'waiting' });
    later();
    await expect(syncStore(memory, { background: true })).rejects.toThrow();
    expect(await troubleOf(memory)).toMatchObject({ code: 'internal', failures: 2 });
  });

  it('is not recorded when the caller aborted it', async () => {
    const { memory, failWith } = await syncedOnce();
    const ending = new AbortController();
    failWith(() => {
      ending.abort();
      return new TypeError('The database connection is not open');
    });
    await expect(syncStore(memory, { signal: ending.signal })).rejects.toThrow();
    expect(await troubleOf(memory)).toBeUndefined();
  });
});

describe('the recorded message of a failure', () => {
  const messageOf = (error: unknown): string => describeFailure(error, '/home/ann/.anamnesis', remote).message;

  it('is that of the fault, with what to do about it', () => {
    const fault = new Fault('disk-full', 'there is no room left on the disk', 'make room');
    expect(describeFailure(fault, '/home/ann/.anamnesis', remote)).toEqual({
      code: 'disk-full',
      message: 'there is no room left on the disk',
      next: 'make room',
    });
  });

  it('has neither a stack nor a second line', () => {
    expect(messageOf(new Error('first\n    at run (file.js:1:2)\nsecond'))).toBe('internal error: first');
    expect(messageOf(new TypeError(''))).toBe('internal error: TypeError');
    expect(messageOf('thrown text')).toBe('internal error: thrown text');
  });

  it('is short', () => {
    expect(messageOf(new Error('word '.repeat(1000))).length).toBeLessThan(330);
  });

  it('has no secret from the address, nor any other', () => {
    const message = messageOf(new Error(`git failed at ${remote.url} and at ssh://bob:pw1@host/x?token=abc`));
    expect(message).toBe('internal error: git failed at https://example.com/notes.git and at ssh://host/x?…');
    expect(messageOf(new Error(`key ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)} was refused`))).toMatch(
      /^internal error: key \[REDACTED:[a-z-]+\] was refused$/,
    );
  });
});
