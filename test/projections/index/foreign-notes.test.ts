/** Which text counts as brought by a foreign commit when a note or its name exists in more than one place. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { Memory } from '../../../src/store/memory.js';
import { idOf } from '../../support/arbitraries.js';
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
  expect(await isClaimed(a, id)).toBe(false);
});

it('a pushed note that is moved to machine-local stays marked as claimed until it is edited', async () => {
  const { a, push } = await oneMachine();
  await push(`semantic/q/${idOf(1)}.md`, fileOf(idOf(1)));
  expect(await isClaimed(a, idOf(1))).toBe(true);
  await a.perform({ kind: 'move', id: idOf(1), scope: 'machine-local' });
  expect(await isClaimed(a, idOf(1))).toBe(true);
  await a.perform({ kind: 'edit', id: idOf(1), set: { body: 'mine\n' } });
  expect(await isClaimed(a, idOf(1))).toBe(false);
});

it('a note that was edited and then moved is not marked as claimed, whatever was pushed before or after', async () => {
  const { a, push } = await oneMachine();
  await push(`semantic/q/${idOf(1)}.md`, fileOf(idOf(1)));
  await a.perform({ kind: 'edit', id: idOf(1), set: { body: 'mine\n' } });
  await a.perform({ kind: 'move', id: idOf(1), scope: 'machine-local' });
  await push(`semantic/r/${idOf(1)}.md`, fileOf(idOf(1)));
  expect(await isClaimed(a, idOf(1))).toBe(false);
});

it('a machine-local note committed by hand stays marked as claimed when it is moved to portable', async () => {
  const { a } = await oneMachine();
  const { id, path = '' } = await writeNote(a, { title: 'Mine', scope: 'machine-local' });
  appendFileSync(path, 'by hand\n');
  personsGit(a.journals.local.folder, 'commit', '-q', '-m', 'by hand', '--', path);
  expect(await isClaimed(a, id)).toBe(true);
  await a.perform({ kind: 'move', id, scope: 'portable' });
  expect(await isClaimed(a, id)).toBe(true);
});

it('a note is marked as claimed when someone pushes a newer file of it under another name', async () => {
  const { a, shared, push } = await oneMachine();
  await push(`semantic/q/${idOf(1)}.md`, fileOf(shared.id, 'updated_at: 2099-01-01T00:00:00+00:00'));
  expect(await a.show(shared.id)).toMatchObject({ answer: { title: 'Theirs' } });
  expect(await isClaimed(a, shared.id)).toBe(true);
});
