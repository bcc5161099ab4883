/** Which text counts as brought by a foreign commit when a note or its name exists in more than one place. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { Memory } from '../../../src/store/memory.js';
import { newMachines } from '../../support/machines.js';
import { personsGit, writeNote } from '../../support/store.js';

const isClaimed = async (memory: Memory, id: string): Promise<boolean> => {
  const shown = await memory.show(id);
  if (!shown.ok) throw new Error(shown.refusal.message);
  return shown.answer.claimed === true;
};

/** Opens a machine, and a clone of its remote from which someone else pushes files. */
const oneMachine = async () => {
  const machines = newMachines();
  const a = await machines.open('a');
  const shared = await writeNote(a, { title: 'Shared', body: 'text\n' });
  await machines.sync(a);
  const clone = join(machines.folder, 'clone');
  personsGit(machines.folder, 'clone', '-q', join(machines.folder, 'remote.git'), clone);
  const push = async (path: string, text: string): Promise<void> => {
    personsGit(clone, 'pull', '-q');
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    writeFileSync(join(clone, path), text);
    personsGit(clone, 'add', '-A');
    personsGit(clone, 'commit', '-q', '-m', 'hello');
    personsGit(clone, 'push', '-q');
    await machines.sync(a);
  };
  return { machines, a, shared, push };
};
const fileOf = (id: string, ...keys: readonly string[]): string =>
  ['---', `id: ${id}`, 'type: semantic', 'title: Theirs', ...keys, '---', 'x', ''].join('\n');

it('a machine-local note is not marked as claimed when someone pushes a file under its id', async () => {
  const { a, push } = await oneMachine();
  const { id } = await writeNote(a, { title: 'Mine', scope: 'machine-local' });
  await push(`semantic/q/${id}.md`, fileOf(id));
  const [own] = (await a.list({ scope: 'machine-local' }, 9)).notes;
  expect(own).toMatchObject({ title: 'Mine' });
  expect(await isClaimed(a, own?.id ?? '')).toBe(false);
});

it('a note is marked as claimed when someone pushes a newer file of it to another folder', async () => {
  const { a, shared, push } = await oneMachine();
  await push(`semantic/q/${shared.id}.md`, fileOf(shared.id, 'updated_at: 2099-01-01T00:00:00+00:00'));
  expect(await a.show(shared.id)).toMatchObject({ answer: { title: 'Theirs' } });
  expect(await isClaimed(a, shared.id)).toBe(true);
});
