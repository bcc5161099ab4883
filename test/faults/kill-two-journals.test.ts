import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readConflicts } from '../../src/app/conflicts.js';
import { undoEvent } from '../../src/app/undoing.js';
import { importPath } from '../../src/import/importing.js';
import { verifyStore } from '../../src/maintenance/verifying.js';
import type { Memory } from '../../src/store/memory.js';
import { bundleChild, startChild } from '../support/children.js';
import { newMachines } from '../support/machines.js';
import { byLength, isLong } from '../support/run-length.js';
import { openStore, personsGit, temporaryFolder, writeNote } from '../support/store.js';
import type { ChildTask } from './support/machines-sync.js';

/** Kills at every step in the long run, otherwise at every third. */
const everyNth = byLength(6, 3, 1);

type Action = ChildTask['actions'][number];

/** All that the store shows, without anything that depends on how often a command was tried. */
const stateOf = async (memory: Memory): Promise<unknown> => {
  await memory.adopt('record');
  const { notes } = await memory.list({}, 100);
  const shown = await Promise.all(notes.map(({ id }) => memory.show(id)));
  const verified = await verifyStore(memory);
  await memory.finish();
  const { portable: shared, local } = memory.journals;
  return {
    notes: shown
      .map((one) => (one.ok ? one.answer : one.refusal))
      .map((note) => ('code' in note ? note.code : [note.id, note.scope, note.title, note.tags, note.body]))
      .sort(),
    problems: verified.problems.map(({ kind, detail }) => `${kind}: ${detail}`),
    trees: [shared, local].map(({ folder }) => personsGit(folder, 'ls-tree', '-r', '--name-only', 'main')),
    status: [shared, local].map(({ folder }) => personsGit(folder, 'status', '--porcelain')),
  };
};

const repeat = async (memory: Memory, action: Action): Promise<void> => {
  if (action.kind === 'take-back') await undoEvent(memory, action.event);
  else if (action.kind !== 'sync' && action.kind !== 'adopt') await memory.perform(action);
};

const openAt = (home: string): Memory => {
  const store = openStore({ home, machine: 'box' });
  onTestFinished(() => store.close());
  return store.memory;
};

/** Two imported notes, one of which was made machine-local, and an event that updated both. */
const updatedByImport = async (folder: string): Promise<{ home: string; action: Action }> => {
  const home = join(folder, 'box');
  const source = join(folder, 'source');
  mkdirSync(source);
  const write = (text: string): void => {
    for (const name of ['a', 'b']) writeFileSync(join(source, `${name}.md`), `# Topic ${name}\n\nIt says ${text}.\n`);
  };
  const memory = openAt(home);
  await memory.initialise();
  write('the old');
  await importPath(memory, source, { format: 'markdown', project: 'p' });
  const [first] = (await memory.list({}, 10)).notes;
  await memory.perform({ kind: 'move', id: first?.id ?? '', scope: 'machine-local' });
  write('the new');
  const taken = await importPath(memory, source, { format: 'markdown', project: 'p' });
  const event = 'answer' in taken && taken.answer.status !== 'refused' ? taken.answer.event?.id : undefined;
  await memory.finish();
  return { home, action: { kind: 'take-back', event: event ?? '' } };
};

const movedAway = async (folder: string): Promise<{ home: string; action: Action }> => {
  const home = join(folder, 'box');
  const memory = openAt(home);
  const { id } = await writeNote(memory);
  const moved = await memory.perform({ kind: 'move', id, scope: 'machine-local' });
  await memory.finish();
  return { home, action: { kind: 'take-back', event: moved.status === 'recorded' ? (moved.event?.id ?? '') : '' } };
};

/** A machine-local note whose conflict copy is portable. */
const conflicted = (verdict: 'ours' | 'both') => async (folder: string) => {
  const machines = newMachines();
  const [box, other] = [await machines.open('box'), await machines.open('other')];
  const { id } = await writeNote(box);
  await machines.sync(box, other);
  await other.perform({ kind: 'edit', id, set: { body: 'Theirs.\n' } });
  await box.perform({ kind: 'edit', id, set: { body: 'Ours.\n' } });
  await machines.sync(other, box);
  const [conflict] = (await readConflicts(box, {}, { conflicts: 1, diffLines: 1 })).conflicts;
  await box.perform({ kind: 'move', id, scope: 'machine-local' });
  await box.finish();
  const home = join(folder, 'box');
  cpSync(join(machines.folder, 'box'), home, { recursive: true });
  const action: Action = { kind: 'resolve-conflict', copy: conflict?.id ?? '', original: id, verdict };
  return { home, action };
};

describe('a change to both journals that is killed between any two steps and then repeated', () => {
  let child = '';
  beforeAll(async () => {
    child = await bundleChild('killed-machine');
  });

  const cases = [
    ['undoing an import', updatedByImport],
    ['resolving a conflict for both', conflicted('both')],
    ['undoing a move', movedAway],
    ['resolving a conflict for the copy', conflicted('ours')],
  ] as const;
  it.each(isLong ? cases : cases.slice(0, 2))(
    'ends as if it had not been killed: %s',
    async (_, prepare) => {
      const folder = temporaryFolder();
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const { home, action } = await prepare(folder);
      const copyOf = (name: string): string => {
        const copy = join(folder, name, 'box');
        cpSync(home, copy, { recursive: true });
        return copy;
      };
      const whole = openAt(copyOf('whole'));
      await repeat(whole, action);
      const wanted = await stateOf(whole);
      const found: [string, unknown][] = [];
      for (let killAt = everyNth; ; killAt += everyNth) {
        const copy = copyOf(`killed-${killAt}`);
        const task: ChildTask = { home: copy, machine: 'box', nowMs: Date.now(), killAt, actions: [action] };
        const { signal, stderr } = await startChild(child, [JSON.stringify(task)]).ended;
        expect(stderr).toBe('');
        if (signal !== 'SIGKILL') break;
        const memory = openAt(copy);
        await repeat(memory, action);
        found.push([`killed at step ${killAt}`, await stateOf(memory)]);
      }
      expect(found.length * everyNth).toBeGreaterThan(4);
      expect(found).toEqual(found.map(([name]) => [name, wanted]));
    },
    300_000,
  );
});
