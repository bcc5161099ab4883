/** Machines that sync with one bare repository, all in one folder that is removed when the test ends. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { isRefusal } from '../../src/files/settings-file.js';
import type { Memory, MemoryOptions } from '../../src/store/memory.js';
import { setRemote } from '../../src/sync/remote.js';
import { syncStore } from '../../src/sync/syncing.js';
import { copyJournals, copyRemote } from './copied-repositories.js';
import { endForGood, openStore, temporaryFolder } from './store.js';

export type Machines = {
  readonly folder: string;
  /** Opens the machine's store with its remote set; the same name is the same machine. */
  open(name: string, options?: MemoryOptions): Promise<Memory>;
  /** Syncs the machines one after another; fails if one of them does not succeed. */
  sync(...machines: readonly Memory[]): Promise<void>;
};

export const newMachines = (): Machines => {
  const folder = temporaryFolder();
  const bare = join(folder, 'remote.git');
  copyRemote(bare);
  const opened = new Map<string, Memory>();
  onTestFinished(async () => {
    for (const memory of opened.values()) await endForGood(memory);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    async open(name, options) {
      const known = opened.get(name);
      if (known !== undefined) return known;
      await copyJournals(join(folder, name));
      const { memory } = openStore({ ...options, home: join(folder, name), machine: name });
      opened.set(name, memory);
      await memory.initialise();
      const set = await setRemote(memory, bare);
      if (isRefusal(set)) throw new Error(set.message);
      return memory;
    },
    async sync(...machines) {
      for (const memory of machines) {
        const { outcome, detail } = await syncStore(memory);
        if (outcome !== 'synced') throw new Error(`${memory.settings.machine}: ${detail}`);
      }
    },
  };
};
