/** Two machines with a remote of their own for each test: one purges, the other learns of it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { setRemote } from '../../../src/sync/remote.js';
import { syncStore } from '../../../src/sync/syncing.js';
import { copyJournals, copyRemote } from '../../support/copied-repositories.js';
import { openStore, type TestStore, temporaryFolder } from '../../support/store.js';

export type TwoMachines = { readonly remote: string; readonly laptop: TestStore; readonly desk: TestStore };

/** Makes new machines before each test and passes them to `take`. */
export const useTwoMachines = (take: (machines: TwoMachines) => void): void => {
  let made: TwoMachines;
  beforeEach(async () => {
    const remote = join(temporaryFolder(), 'remote.git');
    copyRemote(remote);
    made = { remote, laptop: openStore({ machine: 'laptop' }), desk: openStore({ machine: 'desk' }) };
    for (const { home, memory } of [made.laptop, made.desk]) {
      await copyJournals(home);
      await memory.initialise();
      await setRemote(memory, remote);
    }
    take(made);
  });
  afterEach(async () => {
    await made.laptop.close();
    await made.desk.close();
    rmSync(join(made.remote, '..'), { recursive: true, force: true });
  });
};

export const sync = async ({ memory }: TestStore): Promise<void> => {
  expect(await syncStore(memory, { environment: {} })).toMatchObject({ outcome: 'synced' });
};
