import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspectTree } from '../../../src/commands/worktree/inspect-tree.js';
import type { Memory } from '../../../src/store/memory.js';
import { newMachines } from '../../support/machines.js';
import { openStore, writeNote } from '../../support/store.js';

const text = 'one\ntwo\nthree\n';
const more = `${text}four\n`;

const bodyOf = async (memory: Memory, id: string): Promise<string> => {
  const found = await memory.show(id);
  return found.ok ? (found.answer.body ?? '') : found.refusal.code;
};

describe('a note that is machine-local here and portable elsewhere', () => {
  it('keeps its portable file in the portable journal when a person renames it', async () => {
    const machines = newMachines();
    const one = await machines.open('one');
    const two = await machines.open('two');
    const { id, path = '' } = await writeNote(one, { title: 'X', body: text });
    await machines.sync(one, two);
    await one.perform({ kind: 'move', id, scope: 'machine-local' });
    await two.perform({ kind: 'edit', id, set: { body: more } });
    await machines.sync(two, one, two);
    await one.finish();
    expect(existsSync(path)).toBe(true);
    const { folder } = one.journals.portable;
    const target = join(folder, 'semantic', 'folder1', basename(path));
    mkdirSync(dirname(target), { recursive: true });
    renameSync(path, target);
    await one.adopt('hold');
    await machines.sync(one, two);
    expect(await bodyOf(two, id)).toBe(more);
    expect(await bodyOf(one, id)).toBe(text);
  });

  it('leaves a copy of its file in the portable folder, and first names the command to keep it here', async () => {
    const { memory, home, close } = openStore();
    const { id, path = '' } = await writeNote(memory, { title: 'X', body: text, scope: 'machine-local' });
    const copy = join(home, 'memory', 'semantic', 'folder1', basename(path));
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, readFileSync(path));
    const ways = new RegExp(
      `: anamnesis move ${id} --scope machine-local .*; anamnesis move ${id} --scope portable publishes it$`,
    );
    const left = [{ path: join('semantic', 'folder1', basename(path)), reason: expect.stringMatching(ways) }];
    expect(await inspectTree(await memory.store(), 'portable')).toMatchObject({ adopt: [], left });
    expect((await memory.adopt('hold')).portable.left).toEqual(left);
    expect(existsSync(copy)).toBe(true);
    await close();
  });
});
