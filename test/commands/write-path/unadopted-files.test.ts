/** Text typed into a machine-local note's file in memory/, which adopting leaves: a move keeps it on this machine. */
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Memory, MemoryOptions } from '../../../src/store/memory.js';
import { openStore, personsGit, writeNote } from '../../support/store.js';

const open = async (options: MemoryOptions = {}) => {
  const { memory, home, close } = openStore(options);
  onTestFinished(close);
  const { id, path: local = '' } = await writeNote(memory, { title: 'X', body: 'one\ntwo\n', scope: 'machine-local' });
  await memory.finish();
  const portable = local.replace('/local/', '/memory/');
  mkdirSync(dirname(portable), { recursive: true });
  return { memory, home, id, local, portable, keep: { kind: 'move', id, scope: 'machine-local' } as const };
};

const bodyOf = async (memory: Memory, id: string): Promise<string> => {
  const found = await memory.show(id);
  return found.ok ? (found.answer.body ?? '') : found.refusal.code;
};
const leftOf = async (memory: Memory) => (await memory.adopt('hold')).portable.left;
const historyOf = (memory: Memory, name: 'portable' | 'local'): string =>
  memory.journals[name].head() === undefined
    ? ''
    : personsGit(memory.journals[name].folder, 'log', '-p', '--format=%B', 'main');

describe('a text in a file that adopting left in memory/, when a move makes its note machine-local', () => {
  it('is added to the note if this was its only file, and never enters the portable journal', async () => {
    const { memory, id, local, portable, keep } = await open();
    renameSync(local, portable);
    appendFileSync(portable, 'TYPED\n');
    expect(await memory.perform(keep)).toMatchObject({
      status: 'recorded',
      warnings: [expect.stringContaining('is in the note now')],
    });
    expect(await bodyOf(memory, id)).toBe('one\ntwo\nTYPED\n');
    expect(readFileSync(local, 'utf8')).toContain('TYPED');
    expect(existsSync(portable)).toBe(false);
    expect(historyOf(memory, 'local')).toContain('TYPED');
    expect(historyOf(memory, 'portable')).not.toContain('TYPED');
    expect(await leftOf(memory)).toEqual([]);
  });

  it('is kept once the note is restored, if adopting took it for removed', async () => {
    const { memory, id, local, portable, keep } = await open();
    renameSync(local, portable);
    appendFileSync(portable, 'TYPED\n');
    await memory.adopt('hold');
    const [left] = await leftOf(memory);
    expect(left?.reason).toContain(`anamnesis restore ${id}`);
    expect(left?.reason).toContain(`anamnesis move ${id} --scope machine-local`);
    await memory.perform({ kind: 'restore', id });
    await memory.perform(keep);
    expect(await bodyOf(memory, id)).toBe('one\ntwo\nTYPED\n');
    expect(existsSync(portable)).toBe(false);
  });

  it('is merged with edits of the note since the file was copied', async () => {
    const { memory, id, local, portable, keep } = await open();
    copyFileSync(local, portable);
    await memory.perform({ kind: 'edit', id, set: { body: 'ONE\ntwo\nsince\n' } });
    writeFileSync(
      portable,
      readFileSync(portable, 'utf8').replace('one\n', 'TYPED\none\n').replace('title: X', 'title: Y'),
    );
    await memory.perform({ kind: 'edit', id, set: { body: 'one\ntwo\nsince\n' } });
    await memory.perform(keep);
    expect(await bodyOf(memory, id)).toBe('TYPED\none\ntwo\nsince\n');
    expect(existsSync(portable)).toBe(false);
  });

  it('is kept in a machine-local conflict copy when both changed the same lines', async () => {
    const { memory, id, local, portable, keep } = await open();
    copyFileSync(local, portable);
    await memory.perform({ kind: 'edit', id, set: { body: 'since\ntwo\n' } });
    writeFileSync(portable, readFileSync(portable, 'utf8').replace('one\n', 'TYPED\n'));
    const answer = await memory.perform(keep);
    expect(answer).toMatchObject({ status: 'recorded', warnings: [expect.stringContaining('anamnesis conflicts')] });
    expect(await bodyOf(memory, id)).toBe('since\ntwo\n');
    const { notes } = await memory.list({ scope: 'machine-local' }, 9);
    const bodies = await Promise.all(notes.map((note) => bodyOf(memory, note.id)));
    expect(bodies.sort()).toEqual(['TYPED\ntwo\n', 'since\ntwo\n']);
    expect(historyOf(memory, 'portable')).not.toContain('TYPED');
    expect(existsSync(portable)).toBe(false);
  });

  it('is masked if it contains a secret', async () => {
    const { memory, local, portable, keep } = await open();
    renameSync(local, portable);
    const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
    appendFileSync(portable, `token ${secret}\n`);
    expect(await memory.perform(keep)).toMatchObject({ masked: [expect.anything()] });
    expect(historyOf(memory, 'local')).not.toContain(secret);
  });

  it('is in the note once if the process is killed before it removes the file', async () => {
    let isKilled = false;
    const step = (name: string): void => {
      if (isKilled && name === 'done') throw new Error('killed');
    };
    const { memory, id, local, portable, keep } = await open({ step });
    renameSync(local, portable);
    appendFileSync(portable, 'TYPED\n');
    isKilled = true;
    await expect(memory.perform(keep)).rejects.toThrow('killed');
    isKilled = false;
    expect(existsSync(portable)).toBe(true);
    expect(await leftOf(memory)).toEqual([]);
    expect(existsSync(portable)).toBe(false);
    expect(await bodyOf(memory, id)).toBe('one\ntwo\nTYPED\n');
  });

  it('leaves the note alone if the text is an old version, and removes the file', async () => {
    const { memory, id, local, portable, keep } = await open();
    copyFileSync(local, portable);
    await memory.perform({ kind: 'edit', id, set: { body: 'other\n' } });
    expect(await memory.perform(keep)).toMatchObject({ status: 'recorded' });
    expect(await bodyOf(memory, id)).toBe('other\n');
    expect(existsSync(portable)).toBe(false);
    expect((await memory.list({}, 9)).notes).toHaveLength(1);
  });

  it('stays in a file that has the id of another note', async () => {
    const { memory, id, portable, local, keep } = await open();
    const other = await writeNote(memory, { title: 'Other', body: 'two\n', scope: 'machine-local' });
    await memory.finish();
    const path = portable.replace(id, other.id);
    copyFileSync(other.path ?? '', path);
    appendFileSync(path, 'TYPED\n');
    copyFileSync(local, portable);
    await memory.perform(keep);
    expect(readFileSync(path, 'utf8')).toContain('TYPED');
  });
});

describe('the reason for which adopting leaves a file of a machine-local note', () => {
  it('names the commands that keep the text here and that publish it, and never says to delete it', async () => {
    const { memory, id, local, portable } = await open();
    copyFileSync(local, portable);
    const [left] = await leftOf(memory);
    expect(left?.reason).toContain(`anamnesis move ${id} --scope machine-local`);
    expect(left?.reason).toContain(`anamnesis move ${id} --scope portable`);
    expect(left?.reason).not.toContain('delete');
  });
});
