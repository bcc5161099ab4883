/** Machines with a history made once per test file and copied for each test: syncing takes git dozens of processes. */
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { journalFolder } from '../../src/events/note/note.js';
import type { Memory, MemoryOptions } from '../../src/store/memory.js';
import { type Machines, newMachines } from './machines.js';
import { endForGood, openStore } from './store.js';

/** Returns copies of the machines as `tell` left them, and the result of `tell`. */
export const tellOnce = <Told>(
  tell: (machines: Machines) => Promise<Told>,
): (() => Promise<{ readonly machines: Machines; readonly told: Told }>) => {
  let made: Promise<{ readonly folder: string; readonly from: string; readonly told: Told }> | undefined;
  const make = async () => {
    const machines = newMachines();
    const opened: Memory[] = [];
    const told = await tell({
      ...machines,
      async open(name, options) {
        const memory = await machines.open(name, options);
        opened.push(memory);
        return memory;
      },
    });
    for (const memory of opened) await endForGood(memory);
    const folder = mkdtempSync(join(inject('templateFolder'), 'told-'));
    cpSync(machines.folder, folder, { recursive: true, preserveTimestamps: true });
    return { folder, from: machines.folder, told };
  };
  return async () => {
    made ??= make();
    const { folder, from, told } = await made;
    return { machines: copiesOf(folder, from), told };
  };
};

const copiesOf = (template: string, from: string): Machines => {
  const machines = newMachines();
  const { folder } = machines;
  cpSync(template, folder, { recursive: true, preserveTimestamps: true });
  const opened = new Map<string, Memory>();
  onTestFinished(async () => {
    for (const memory of opened.values()) await endForGood(memory);
  });
  return {
    ...machines,
    async open(name, options) {
      const home = join(folder, name);
      const known = opened.get(name);
      if (known !== undefined || !existsSync(home)) return known ?? machines.open(name, options);
      // The address of the remote is in both files and in the store's state.
      for (const file of [join(home, 'config.json'), join(home, journalFolder.portable, '.git', 'config')])
        writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, folder));
      const { memory } = openStore({ ...options, home, machine: name });
      opened.set(name, memory);
      const { state } = await memory.store();
      state.setFact(remoteFact, (state.fact(remoteFact) ?? '').replaceAll(from, folder));
      return memory;
    },
  };
};

/** The name that src/sync/syncing.ts uses. */
const remoteFact = 'sync:remote';

/**
 * Returns open copies of these machines as `tell` left them, with the result of `tell`, in which paths are those of the
 * copy. `tell` runs once for the same arguments, which are plain data.
 */
export const startOnce = <Name extends string, Args extends readonly unknown[], Told extends Texts>(
  names: readonly Name[],
  tell: (memories: Readonly<Record<Name, Memory>>, machines: Machines, ...args: Args) => Promise<Told>,
  options?: MemoryOptions,
): ((...args: Args) => Promise<Readonly<Record<Name, Memory>> & Told & { readonly machines: Machines }>) => {
  const openAll = async (machines: Machines): Promise<Record<Name, Memory>> => {
    const opened: Partial<Record<Name, Memory>> = {};
    for (const name of names) opened[name] = await machines.open(name, options);
    return opened as Record<Name, Memory>;
  };
  const begun = (args: Args) =>
    tellOnce(async (machines) => ({
      texts: await tell(await openAll(machines), machines, ...args),
      folder: machines.folder,
    }));
  const begunByArguments = new Map<string, ReturnType<typeof begun>>();
  return async (...args) => {
    const key = JSON.stringify(args);
    const copied = begunByArguments.get(key) ?? begun(args);
    begunByArguments.set(key, copied);
    const { machines, told } = await copied();
    const here = Object.entries(told.texts).map(([name, text]) => [
      name,
      text?.replaceAll(told.folder, machines.folder),
    ]);
    return { ...(Object.fromEntries(here) as Told), ...(await openAll(machines)), machines };
  };
};

type Texts = Readonly<Record<string, string | undefined>>;
