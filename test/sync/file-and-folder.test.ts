/** One machine has a file where another has a folder of that name: git's tree holds only one, and no text is lost. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/store/memory.js';
import type { Machines } from '../support/machines.js';
import { personsGit, writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';
import { git } from './support/private-notes.js';

const folderOf = (memory: Memory): string => memory.journals.portable.folder;
const place = (memory: Memory, path: string, text: string): void => {
  mkdirSync(dirname(join(folderOf(memory), path)), { recursive: true });
  writeFileSync(join(folderOf(memory), path), text);
};
const commitFile = async (memory: Memory, path: string, text: string): Promise<void> => {
  // Upkeep may hold git's index, and could not finish while this process waits for git.
  await memory.finish();
  place(memory, path, text);
  git(memory, 'add', path);
  git(memory, 'commit', '-qm', `adds ${path}`);
};

const remoteOf = ({ folder }: Machines): string => join(folder, 'remote.git');
const published = (machines: Machines): readonly string[] =>
  personsGit(remoteOf(machines), 'ls-tree', '-r', '--name-only', 'main').trim().split('\n');
const textAt = (machines: Machines, path: string | undefined): string =>
  personsGit(remoteOf(machines), 'show', `main:${path}`).trim();
/** The names that the file `path` was given beside the folder. */
const besideOf = (machines: Machines, path: string): readonly string[] =>
  published(machines).filter((one) => one.startsWith(`${path}.`));

const twoMachines = startOnce(['a', 'b'], async ({ a, b }, machines) => {
  const { id } = await writeNote(a, { title: 'N', body: 'text of the note\n' });
  await machines.sync(a, b);
  return { id, inFolder: `semantic/d1/${id}.md` };
});

/** Moves the note's file into the folder semantic/d1 by hand. */
const moveToFolder = async (memory: Memory, id: string): Promise<void> => {
  const shown = await memory.show(id);
  const path = (shown.ok && shown.answer.path) || '';
  mkdirSync(join(folderOf(memory), 'semantic/d1'), { recursive: true });
  renameSync(path, join(folderOf(memory), 'semantic/d1', `${id}.md`));
  await memory.adopt('hold');
};

const expectNote = async (memory: Memory, id: string): Promise<void> => {
  expect(await memory.show(id)).toMatchObject({ ok: true, answer: { body: 'text of the note\n' } });
};

describe('a file with the name of a folder of notes', () => {
  it('is published beside the folder that others published meanwhile', async () => {
    const { machines, a, b, id, inFolder } = await twoMachines();
    await moveToFolder(b, id);
    await commitFile(a, 'semantic/d1', 'plain\n');
    await machines.sync(b, a, b);
    expect(published(machines)).toContain(inFolder);
    const [beside, ...more] = besideOf(machines, 'semantic/d1');
    expect(more).toEqual([]);
    expect(textAt(machines, beside)).toBe('plain');
    for (const memory of [a, b]) await expectNote(memory, id);
  });

  it('is moved beside the folder when the file was published first', async () => {
    const { machines, a, b, id, inFolder } = await twoMachines();
    await commitFile(a, 'semantic/d1', 'plain\n');
    await moveToFolder(b, id);
    await machines.sync(a, b, a);
    expect(published(machines)).toContain(inFolder);
    const [beside, ...more] = besideOf(machines, 'semantic/d1');
    expect(more).toEqual([]);
    expect(textAt(machines, beside)).toBe('plain');
    for (const memory of [a, b]) await expectNote(memory, id);
  });

  it('stays as it is when the person kept editing it', async () => {
    const { machines, a, b, id } = await twoMachines();
    await commitFile(a, 'semantic/d1', 'plain\n');
    await moveToFolder(b, id);
    await machines.sync(a, b);
    place(a, 'semantic/d1', 'plain\nedited\n');
    await machines.sync(a);
    expect(readFileSync(join(folderOf(a), 'semantic/d1'), 'utf8')).toBe('plain\nedited\n');
    await expectNote(a, id);
  });

  it('is kept along with the notes when it has the name of a note type’s folder', async () => {
    const { machines, a, b } = await twoMachines();
    await commitFile(a, 'procedural', 'plain\n');
    const { id } = await writeNote(b, { title: 'P', body: 'text of the note\n', type: 'procedural' });
    await machines.sync(a, b, a);
    expect(published(machines).filter((path) => path.includes(id))).toHaveLength(1);
    expect(textAt(machines, besideOf(machines, 'procedural')[0])).toBe('plain');
    for (const memory of [a, b]) await expectNote(memory, id);
  });
});

describe('a file with the name of a folder of other files', () => {
  it('is moved only once when two machines find it in the way', async () => {
    const { machines, a, b } = await twoMachines();
    const c = await machines.open('c');
    await machines.sync(c);
    await commitFile(a, 'docs', 'A\n');
    await commitFile(b, 'docs/x.txt', 'B\n');
    await commitFile(c, 'docs/y.txt', 'C\n');
    await machines.sync(a, b, c, b, a);
    expect(published(machines)).toEqual(expect.arrayContaining(['docs/x.txt', 'docs/y.txt']));
    expect(besideOf(machines, 'docs')).toHaveLength(1);
  });
});

describe('a note whose path another machine gave to a folder', () => {
  it('is kept in another folder', async () => {
    const { machines, a, b, id } = await twoMachines();
    const { path = '' } = await writeNote(a, { title: 'M', body: 'text of the other\n' });
    const below = path.slice(folderOf(a).length + 1);
    await commitFile(b, `${below}/x.txt`, 'X\n');
    await machines.sync(b, a, b);
    expect(textAt(machines, `${below}/x.txt`)).toBe('X');
    expect(published(machines).filter((one) => one.endsWith(`/${below.split('/').at(-1)}`))).toHaveLength(1);
    await expectNote(b, id);
    const { notes } = await b.list({}, 10);
    expect(notes.map(({ title }) => title).sort()).toEqual(['M', 'N']);
  });
});
