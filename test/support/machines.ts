/** Machines that sync with one bare repository, all below one folder that goes when the test ends. */
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { journalFolder } from '../../src/events/note/note.js';
import { isRefusal } from '../../src/files/settings-file.js';
import type { Memory, MemoryOptions } from '../../src/store/memory.js';
import { setRemote } from '../../src/sync/remote.js';
import { syncStore } from '../../src/sync/syncing.js';
import { endForGood, openStore, personsGit, temporaryFolder } from './store.js';

export type Machines = {
  readonly folder: string;
  /** The machine's store, with its remote set; a name given twice is the same machine. */
  open(name: string, options?: MemoryOptions): Promise<Memory>;
  /** Syncs one after the other; fails where one of them does not get through. */
  sync(...machines: readonly Memory[]): Promise<void>;
};

/** Empty repositories to copy: making those of two machines and their remote takes git eight processes. */
const makeTemplates = (): { readonly bare: string; readonly journals: Promise<string> } => {
  const folder = mkdtempSync(join(inject('templateFolder'), 'machines-'));
  const bare = join(folder, 'remote.git');
  personsGit(folder, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  // After each push git would start two programs to find that a few objects need no packing.
  appendFileSync(join(bare, 'config'), '[receive]\n\tautogc = false\n');
  const home = join(folder, 'store');
  const { memory } = openStore({ home });
  return {
    bare,
    journals: memory
      .initialise()
      .then(() => memory.finish())
      .then(() => home),
  };
};

let made: ReturnType<typeof makeTemplates> | undefined;
const templates = (): ReturnType<typeof makeTemplates> => {
  made ??= makeTemplates();
  return made;
};

export const newMachines = (): Machines => {
  const folder = temporaryFolder();
  const bare = join(folder, 'remote.git');
  cpSync(templates().bare, bare, { recursive: true });
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
      const { journals } = templates();
      for (const at of Object.values(journalFolder))
        cpSync(join(await journals, at), join(folder, name, at), { recursive: true });
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
