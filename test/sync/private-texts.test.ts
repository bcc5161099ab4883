/** Machine-local texts in memory/: none of them reaches the remote without a move to the portable notes. */
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspectTree } from '../../src/commands/worktree/inspect-tree.js';
import type { Memory } from '../../src/store/memory.js';
import { syncStore } from '../../src/sync/syncing.js';
import { bodyOf } from '../commands/worktree/support/killed-command.js';
import { newMachines } from '../support/machines.js';
import { openStore, personsGit, writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';

const published = (folder: string): string =>
  personsGit(join(folder, 'remote.git'), 'log', '-p', '--all', '--format=%B');
const copyInto = (a: Memory, path: string): string => {
  const copy = join(a.journals.portable.folder, 'semantic', basename(path));
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(path, copy);
  return copy;
};
const leftOf = async (memory: Memory) => (await memory.adopt('hold')).portable.left;
const secret = { title: 'X', body: 'PRIVATE\n', scope: 'machine-local' } as const;

/** A copy of a machine-local note in memory/, at the path of the portable one, which `b` edited meanwhile. */
const copyAtPortable = startOnce(['a', 'b'], async ({ a, b }, machines) => {
  const { id, path = '' } = await writeNote(a, { title: 'X', body: 'one\n' });
  await machines.sync(a, b);
  await a.perform({ kind: 'move', id, scope: 'machine-local' });
  await a.perform({ kind: 'edit', id, set: { body: 'PRIVATE\n' } });
  await a.finish();
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(path.replace('/memory/', '/local/'), path);
  expect(await leftOf(a)).toHaveLength(1);
  await b.perform({ kind: 'edit', id, set: { body: 'THEIRS\n' } });
  await machines.sync(b, a, b);
  return { id, path };
});

/** A portable file that a person marks as machine-local and edits. */
const saidLocal = startOnce(['a'], async ({ a }, machines) => {
  const { id, path = '' } = await writeNote(a, { title: 'X', body: 'one\n' });
  await machines.sync(a);
  await a.finish();
  const text = readFileSync(path, 'utf8').replace('scope: portable', 'scope: machine-local');
  writeFileSync(path, text.replace('one', 'one\nPRIVATE'));
  return { id, path };
});

/** A copy of a machine-local note in memory/, committed by a person. */
const sweptUp = startOnce(['a'], async ({ a }) => {
  await writeNote(a, { title: 'Y', body: 'y\n' });
  const { id, path = '' } = await writeNote(a, secret);
  await a.finish();
  copyInto(a, path);
  expect(await leftOf(a)).toHaveLength(1);
  personsGit(a.journals.portable.folder, 'add', '-A');
  personsGit(a.journals.portable.folder, 'commit', '-qm', 'all');
  return { id };
});

describe('a copy of a machine-local note in memory/', () => {
  it.each([
    ['is forgotten', async (): Promise<void> => undefined],
    [
      'was portable once and is forgotten',
      async (a: Memory, id: string): Promise<void> => {
        await a.perform({ kind: 'move', id, scope: 'portable' });
        await a.perform({ kind: 'move', id, scope: 'machine-local' });
        await a.perform({ kind: 'edit', id, set: { body: 'PRIVATE\n' } });
      },
    ],
  ])('is left alone when the note %s', async (_, before) => {
    const machines = newMachines();
    const a = await machines.open('a');
    const { id } = await writeNote(a, { ...secret, body: 'one\n' });
    await before(a, id);
    await a.perform({ kind: 'edit', id, set: { body: 'PRIVATE\n' } });
    await a.finish();
    const shown = await a.show(id);
    copyInto(a, (shown.ok && shown.answer.path) || '');
    await a.perform({ kind: 'forget', id });
    const ways = new RegExp(`: anamnesis restore ${id} .* anamnesis move ${id} --scope machine-local .*`);
    expect(await leftOf(a)).toMatchObject([{ reason: expect.stringMatching(ways) }]);
    await machines.sync(a);
    expect(published(machines.folder)).not.toContain('PRIVATE');
  });

  it('is left alone when another machine’s version of the note arrives at its path', async () => {
    const { machines, a, b, id } = await copyAtPortable();
    expect(await inspectTree(await a.store(), 'portable')).toMatchObject({ adopt: [], merge: [], left: [{}] });
    expect(await leftOf(a)).toHaveLength(1);
    await machines.sync(a, b);
    expect(published(machines.folder)).not.toContain('PRIVATE');
    expect(await bodyOf(b, id)).toBe('THEIRS\n');
  });

  it.each([
    ['a tag', { kind: 'tag', add: ['kept'], remove: [] }],
    ['an edit', { kind: 'edit', set: { body: 'other\n' } }],
  ] as const)(
    'is not recorded by %s of the note whose file it replaced, and the refusal names the file',
    async (_, command) => {
      const { memory, home, close } = openStore();
      const { id, path = '' } = await writeNote(memory, { title: 'Portable', body: 'one\n' });
      const { path: privatePath = '' } = await writeNote(memory, secret);
      writeFileSync(path, `${readFileSync(privatePath, 'utf8')}typed\n`);
      expect(await memory.perform({ ...command, id })).toMatchObject({
        status: 'refused',
        refusal: { code: 'file-blocked', message: expect.stringContaining(basename(path)) },
      });
      expect(personsGit(join(home, 'memory'), 'log', '-p', '--format=%B')).not.toContain('PRIVATE');
      await close();
    },
  );

  it('is removed by a move that keeps the note here with the same text', async () => {
    const { machines, a, id, path } = await copyAtPortable();
    expect(await a.perform({ kind: 'move', id, scope: 'machine-local' })).toMatchObject({ status: 'recorded' });
    expect(existsSync(path)).toBe(false);
    expect((await a.list({ scope: 'machine-local' }, 9)).notes).toHaveLength(1);
    await machines.sync(a);
    expect(published(machines.folder)).not.toContain('PRIVATE');
  });

  it('is published by a move to the portable notes, beside the other text', async () => {
    const { machines, a, b, id } = await copyAtPortable();
    expect(await a.perform({ kind: 'move', id, scope: 'portable' })).toMatchObject({ status: 'recorded' });
    await machines.sync(a, b);
    expect(await bodyOf(b, id)).toBe('PRIVATE\n');
    expect(published(machines.folder)).toContain('THEIRS');
  });

  it('is left alone when a person moved the file there', async () => {
    const machines = newMachines();
    const a = await machines.open('a');
    const { path = '' } = await writeNote(a, secret);
    renameSync(path, copyInto(a, path));
    expect(await leftOf(a)).toHaveLength(1);
    expect(await leftOf(a)).toHaveLength(1);
    await machines.sync(a);
    expect(published(machines.folder)).not.toContain('PRIVATE');
  });
});

/** A file that a person wrote to after the move of its note was killed. */
const leftByKilledMove = startOnce(['a'], async ({ a }, machines) => {
  const { id, path = '' } = await writeNote(a, { title: 'X', body: 'one\n' });
  await machines.sync(a);
  await a.finish();
  let commits = 0;
  const step = (name: string): void => {
    if (name === 'commit') commits += 1;
    if (commits === 2) throw new Error('killed');
  };
  const home = dirname(a.journals.portable.folder);
  const killed = openStore({ home, machine: 'a', step }).memory;
  await expect(killed.perform({ kind: 'move', id, scope: 'machine-local' })).rejects.toThrow('killed');
  appendFileSync(path, 'PRIVATE\n');
  return { id, path };
});

describe('a file that a killed move to the machine-local notes had yet to remove', () => {
  it('is left alone when a command publishes another note', async () => {
    const { machines, a, path } = await leftByKilledMove();
    const other = await writeNote(a, { title: 'Other', body: 'other\n', scope: 'machine-local' });
    await a.finish();
    const copy = (other.path ?? '').replace('/local/', '/memory/');
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(other.path ?? '', copy);
    expect(await a.perform({ kind: 'move', id: other.id, scope: 'portable' })).toMatchObject({ status: 'recorded' });
    await machines.sync(a);
    expect(published(machines.folder)).toContain('other');
    expect(published(machines.folder)).not.toContain('PRIVATE');
    expect(readFileSync(path, 'utf8')).toContain('PRIVATE');
  });

  it('is left alone and named when a person kept writing to it', async () => {
    const { machines, a, id, path } = await leftByKilledMove();
    await writeNote(a, { title: 'n' });
    await machines.sync(a);
    expect(published(machines.folder)).not.toContain('PRIVATE');
    expect(await leftOf(a)).toMatchObject([{ reason: expect.stringContaining(`anamnesis move ${id}`) }]);
    expect(readFileSync(path, 'utf8')).toContain('PRIVATE');
  });
});

describe('a file in memory/ that says scope: machine-local', () => {
  it('is left alone and named, with what to do about it', async () => {
    const { machines, a, id } = await saidLocal();
    const named = { reason: expect.stringContaining(`anamnesis move ${id} --scope machine-local`) };
    expect(await leftOf(a)).toMatchObject([named]);
    expect((await inspectTree(await a.store(), 'portable')).left).toMatchObject([named]);
    expect(await a.perform({ kind: 'tag', id, add: ['t'], remove: [] })).toMatchObject({ status: 'refused' });
    await machines.sync(a);
    expect(published(machines.folder)).not.toContain('PRIVATE');
  });

  it('keeps its whole text in a move to the machine-local notes', async () => {
    const { machines, a, id, path } = await saidLocal();
    expect(await a.perform({ kind: 'move', id, scope: 'machine-local' })).toMatchObject({ status: 'recorded' });
    expect(await bodyOf(a, id)).toBe('one\nPRIVATE\n');
    expect(existsSync(path)).toBe(false);
    expect(await leftOf(a)).toEqual([]);
    await machines.sync(a);
    expect(published(machines.folder)).not.toContain('PRIVATE');
  });

  it('is adopted once that line is gone', async () => {
    const { machines, a, id, path } = await saidLocal();
    await leftOf(a);
    writeFileSync(path, readFileSync(path, 'utf8').replace('scope: machine-local', 'scope: portable'));
    expect(await leftOf(a)).toEqual([]);
    await machines.sync(a);
    expect(await bodyOf(a, id)).toBe('one\nPRIVATE\n');
  });

  it('does not remove its note from the remote when a person moves it over another note’s file', async () => {
    const { machines, a, id, path } = await saidLocal();
    const { path: other = '' } = await writeNote(a, { title: 'Other' });
    renameSync(path, other);
    expect(await leftOf(a)).toHaveLength(1);
    await machines.sync(a);
    expect(published(machines.folder)).not.toContain('PRIVATE');
    expect(personsGit(join(machines.folder, 'remote.git'), 'ls-tree', '-r', '--name-only', 'main')).toContain(id);
  });

  it('does not remove its note from the remote when a person renames it', async () => {
    const { machines, a, id, path } = await saidLocal();
    renameSync(path, join(a.journals.portable.folder, 'semantic', basename(path)));
    expect(await leftOf(a)).toHaveLength(1);
    await machines.sync(a);
    expect(published(machines.folder)).not.toContain('PRIVATE');
    expect(personsGit(join(machines.folder, 'remote.git'), 'ls-tree', '-r', '--name-only', 'main')).toContain(id);
  });
});

describe('a machine-local note’s file that a person committed in memory/', () => {
  it('makes the sync publish nothing and say how to go on', async () => {
    const { machines, a, id } = await sweptUp();
    const answer = await syncStore(a);
    expect(answer).toMatchObject({ outcome: 'refused', trouble: { code: 'note-private' } });
    expect(answer.trouble?.next).toContain(`anamnesis move ${id} --scope portable`);
    expect(published(machines.folder)).not.toContain('PRIVATE');
  });

  it('makes the sync refuse again when others published meanwhile', async () => {
    const { machines, a } = await sweptUp();
    const b = await machines.open('b');
    await writeNote(b, { title: 'Z' });
    await machines.sync(b);
    expect(await syncStore(a)).toMatchObject({ outcome: 'refused' });
    expect(await syncStore(a)).toMatchObject({ outcome: 'refused' });
    expect(published(machines.folder)).not.toContain('PRIVATE');
  });

  it('is left alone again once the commit is reset, and the next sync succeeds', async () => {
    const { machines, a } = await sweptUp();
    await syncStore(a);
    personsGit(a.journals.portable.folder, 'reset', '-q', 'HEAD^');
    expect(await leftOf(a)).toHaveLength(1);
    await machines.sync(a);
    expect(published(machines.folder)).not.toContain('PRIVATE');
  });

  it('is published once a person moves the note to the portable ones', async () => {
    const { machines, a, id } = await sweptUp();
    await a.perform({ kind: 'move', id, scope: 'portable' });
    await machines.sync(a);
    expect(published(machines.folder)).toContain('PRIVATE');
  });
});

it('text typed into a note forgotten in both journals stays in its file when another machine brings the note back', async () => {
  const machines = newMachines();
  const [a, b] = [await machines.open('a'), await machines.open('b')];
  const { id, path = '' } = await writeNote(a, { title: 'X', body: 'one\n' });
  await machines.sync(a, b);
  await a.perform({ kind: 'move', id, scope: 'machine-local' });
  await b.perform({ kind: 'edit', id, set: { body: 'THEIRS\n' } });
  await machines.sync(b, a);
  await a.finish();
  const text = readFileSync(path, 'utf8');
  for (const _ of ['local', 'portable']) await a.perform({ kind: 'forget', id });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${text}typed again\n`);
  await a.perform({ kind: 'restore', id });
  await b.perform({ kind: 'edit', id, set: { body: 'THEIRS\nand more\n' } });
  await machines.sync(a, b, a);
  await a.finish();
  const there = [...(await a.journals.portable.notes(a.journals.portable.head() ?? ''))].map((one) => one.path);
  expect(there).toEqual([expect.stringContaining(id)]);
  expect(readFileSync(path, 'utf8')).toBe(`${text}typed again\n`);
  expect(await leftOf(a)).toHaveLength(1);
  await machines.sync(a);
  await a.perform({ kind: 'tag', id, add: ['t'], remove: [] });
  await a.finish();
  expect(readFileSync(path, 'utf8')).toBe(`${text}typed again\n`);
  expect(published(machines.folder)).not.toContain('typed again');
});
