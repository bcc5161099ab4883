/** A command reported as still queued is carried out by a later process, whatever goes wrong in between. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../../src/events/faults.js';
import { openLock } from '../../../src/state/lock.js';
import { openState } from '../../../src/state/state.js';
import { openStore, type TestStore, writeCommand, writeNote } from '../../support/store.js';

const faults: Readonly<Record<string, () => Error>> = {
  'a full disk': () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
  'a journal that git program after git program writes to': () => new Fault('lock-timeout', 'busy', 'wait'),
};

it('a command is carried out by its own waiting process, even if another process fails at it', async () => {
  const failing = openStore({
    step: (step) => {
      if (step === 'commit') throw faults['a full disk']?.();
    },
  });
  const store = openStore({ home: failing.home });
  const lock = openLock(join(failing.home, 'lock.db'));
  try {
    await writeNote(store.memory, { title: 'First' });
    await failing.memory.store();
    await lock.acquire(10_000);
    const theirs = failing.memory.perform(writeCommand({ title: 'Theirs' })).catch((error: unknown) => error);
    const ours = [1, 2, 3].map((at) => store.memory.perform(writeCommand({ title: `Ours ${at}`, body: `${at}\n` })));
    const { state } = await store.memory.store();
    while (state.waiting(10).length < 4) await sleep(5);
    lock.release();
    expect(await Promise.all(ours)).toMatchObject(ours.map(() => ({ status: 'recorded' })));
    await theirs;
  } finally {
    lock.close();
    await store.close();
    await failing.close();
  }
});

describe.each(Object.keys(faults))('a queued command whose next process meets %s', (name) => {
  let store: TestStore;
  let failing = false;
  beforeEach(async () => {
    store = openStore({
      step: (step) => {
        if (failing && step === 'commit') throw faults[name]?.();
      },
    });
    await writeNote(store.memory, { title: 'First' });
    const state = openState(join(store.home, 'state.db'));
    const stamp = { eventId, commandId: eventId, atMs: 1_700_000_000_000, machine: 'testbox', user: 'self' };
    state.enqueue({ id: eventId, payload: JSON.stringify({ command: writeCommand({ title: 'Promised' }), stamp }) });
    state.close();
  });
  afterEach(() => store.close());
  const eventId = '01J00000000000000000000QUE';
  const titles = async (): Promise<readonly string[]> =>
    (await store.memory.events({}, 10)).map(({ subject }) => subject).toSorted();

  it('is carried out once, by the first process that meets no fault', async () => {
    failing = true;
    for (let tries = 0; tries < 2; tries += 1)
      await expect(store.memory.perform(writeCommand({ title: 'Refused' }))).rejects.toThrow();
    failing = false;
    expect(await titles()).toEqual(['First']);
    await writeNote(store.memory, { title: 'Second' });
    expect(await titles()).toEqual(['First', 'Promised', 'Second']);
    await writeNote(store.memory, { title: 'Third' });
    expect(await titles()).toEqual(['First', 'Promised', 'Second', 'Third']);
  });
});
