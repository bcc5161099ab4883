/** Importing a folder of markdown again after its files were changed, moved and deleted, with real git and SQLite. */
import { existsSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { importPath } from '../../src/import/importing.js';
import type { Memory } from '../../src/store/memory.js';
import type { NoteJson } from '../../src/store/note-json.js';
import { openStore, type TestStore } from '../support/store.js';
import { countsOf, folderWith, move, put, takeIn } from './support.js';

const newStore = (): TestStore => {
  const store = openStore();
  onTestFinished(() => store.close());
  return store;
};

const byTitle = async (memory: Memory, title: string): Promise<NoteJson> => {
  const { notes } = await memory.list({}, 1000);
  const note = notes.find((one) => one.title === title);
  const shown = note === undefined ? undefined : await memory.show(note.id);
  if (shown?.ok !== true) throw new Error(`no note ${title}`);
  return shown.answer;
};

describe('a folder that is imported again', () => {
  it('keeps the links of its notes as ids, and records nothing the second time', async () => {
    const { memory } = newStore();
    const folder = folderWith({ 'a.md': '# A\n[[b]] [[later]]\n', 'b.md': '# B\n' });
    await takeIn(memory, folder);
    const b = await byTitle(memory, 'B');
    expect((await byTitle(memory, 'A')).links).toEqual([`links-to ${b.id}`]);
    expect(b.links).toBeUndefined();
    const again = await takeIn(memory, folder);
    expect([again.answer.status, countsOf(again)]).toEqual(['unchanged', [0, 0, 2]]);
    put(folder, 'later.md', '# Later\n');
    expect(countsOf(await takeIn(memory, folder))).toEqual([1, 1, 1]);
    expect((await byTitle(memory, 'A')).links).toEqual([
      `links-to ${b.id}`,
      `links-to ${(await byTitle(memory, 'Later')).id}`,
    ]);
  });

  it('dates its notes by their files', async () => {
    const { memory } = newStore();
    const folder = folderWith({ 'a.md': '# A\n' });
    const at = new Date('2026-03-04T05:06:07Z');
    utimesSync(join(folder, 'a.md'), at, at);
    await takeIn(memory, folder);
    const time = '2026-03-04T05:06:07+00:00';
    expect(await byTitle(memory, 'A')).toMatchObject({ created_at: time, updated_at: time });
  });

  it('leaves a note alone when its file is older, and warns', async () => {
    const { memory } = newStore();
    const folder = folderWith({ 'a.md': '# A\nNew.\n' });
    await takeIn(memory, folder);
    put(folder, 'a.md', '# A\nOld.\n');
    utimesSync(join(folder, 'a.md'), new Date('2026-01-01'), new Date('2026-01-01'));
    const { answer } = await takeIn(memory, folder);
    expect(answer).toMatchObject({ status: 'unchanged', warnings: [expect.stringMatching(/^1 file older/)] });
    expect((await byTitle(memory, 'A')).body).toContain('New.');
  });

  it('moves the note of a file that was moved or renamed, and keeps its id', async () => {
    const { memory } = newStore();
    const folder = folderWith({ 'a.md': '# A\nText.\n', 'b.md': '# B\none\ntwo\nthree\n', 'c.md': '# C\n' });
    await takeIn(memory, folder);
    const [a, b] = [await byTitle(memory, 'A'), await byTitle(memory, 'B')];
    move(folder, 'a.md', 'sub/other name.md');
    move(folder, 'b.md', 'sub/b.md');
    const { moved, missing, answer } = await takeIn(memory, folder);
    expect(moved).toEqual([
      { id: a.id, title: 'A', from: 'a.md', to: 'sub/other name.md' },
      { id: b.id, title: 'B', from: 'b.md', to: 'sub/b.md' },
    ]);
    expect([missing, answer.status]).toEqual([[], 'recorded']);
    expect((await byTitle(memory, 'A')).source_key).toMatch(/\/sub\/other name\.md$/);
    const again = await takeIn(memory, folder);
    expect([again.moved, countsOf(again)]).toEqual([[], [0, 0, 3]]);
  });

  it('treats a file of the same name with another text as a new one', async () => {
    const { memory } = newStore();
    const folder = folderWith({ 'a/index.md': '# One\nabout one\n', 'z.md': '# Z\n' });
    await takeIn(memory, folder);
    move(folder, 'a/index.md', 'b/index.md');
    put(folder, 'b/index.md', '# Two\nabout two\n');
    const { moved, missing } = await takeIn(memory, folder);
    expect(moved).toEqual([]);
    expect(missing.map(({ path, title }) => [path, title])).toEqual([['a/index.md', 'One']]);
  });

  it('lists the notes whose file is missing until they are forgotten, and keeps them', async () => {
    const { memory } = newStore();
    const folder = folderWith({ 'a.md': '# A\n', 'b.md': '# B\n' });
    await takeIn(memory, folder);
    rmSync(join(folder, 'a.md'));
    const { id } = await byTitle(memory, 'A');
    for (const _ of [1, 2]) expect((await takeIn(memory, folder)).missing).toEqual([{ id, title: 'A', path: 'a.md' }]);
    await memory.perform({ kind: 'forget', id, reason: undefined });
    expect((await takeIn(memory, folder)).missing).toEqual([]);
  });

  it('lists nothing as missing when a file is half saved or the whole folder is another one', async () => {
    const { memory } = newStore();
    const folder = folderWith({ 'x/notes/a.md': '# A\n', 'x/notes/b.md': '# B\n', 'y/notes/other.md': '# Other\n' });
    await takeIn(memory, join(folder, 'x/notes'));
    put(folder, 'x/notes/a.md', '');
    const { missing, problems } = await takeIn(memory, join(folder, 'x/notes'));
    expect(problems).toEqual([{ where: 'a.md:1', message: 'the file is empty' }]);
    expect(missing).toEqual([]);
    expect((await takeIn(memory, join(folder, 'y/notes'), { source: 'notes' })).missing).toEqual([]);
  });
});

describe('the project of imported notes', () => {
  it('must be given when they name none', async () => {
    const { memory, home } = newStore();
    const folder = folderWith({ 'a.md': '# A\n', 'b.md': '---\nproject: own\n---\n# B\n' });
    const refused = await importPath(memory, folder, { needsProject: true });
    expect(refused).toMatchObject({ answer: { status: 'refused', refusal: { code: 'project-missing' } } });
    expect(existsSync(join(home, 'memory'))).toBe(false);
    const taken = await takeIn(memory, folder, { needsProject: true, project: 'shop' });
    expect(countsOf(taken)).toEqual([2, 0, 0]);
    expect([(await byTitle(memory, 'A')).project, (await byTitle(memory, 'B')).project]).toEqual(['shop', 'shop']);
  });

  it('is read from their front matter only if it is a valid key, and is never global unless asked', async () => {
    const { memory } = newStore();
    const files = { 'a.md': '---\nproject: own\n---\n# A\n', 'b.md': '---\nproject: Global\n---\n# B\n' };
    const folder = folderWith({ ...files, 'c.md': '---\nproject: "[[Kitchen]]"\n---\n# C\n' });
    const options = { needsProject: true, project: undefined };
    expect((await takeIn(memory, folder, options)).answer).toMatchObject({
      refusal: { message: '2 notes name no project' },
    });
    rmSync(join(folder, 'b.md'));
    rmSync(join(folder, 'c.md'));
    await takeIn(memory, folder, options);
    expect((await byTitle(memory, 'A')).project).toBe('own');
    put(folder, 'b.md', files['b.md']);
    await takeIn(memory, folder, { project: 'global' });
    expect([(await byTitle(memory, 'A')).project, (await byTitle(memory, 'B')).project]).toEqual(['own', 'global']);
  });
});

describe('a dry run', () => {
  it('reports what would happen to each note, and records nothing', async () => {
    const { memory, home } = newStore();
    const folder = folderWith({ 'a.md': '# A\n', 'b.md': '# B\n', 'c.md': '# C\n' });
    const first = await takeIn(memory, folder, { dryRun: true });
    expect(countsOf(first)).toEqual([3, 0, 0]);
    expect(first.planned?.map(({ title, change, project }) => [title, change, project])).toEqual([
      ['A', 'imported', 'p'],
      ['B', 'imported', 'p'],
      ['C', 'imported', 'p'],
    ]);
    expect(existsSync(join(home, 'memory'))).toBe(false);
    await takeIn(memory, folder);
    const later = new Date(Date.now() + 5000);
    put(folder, 'a.md', '# A\nMore.\n');
    utimesSync(join(folder, 'a.md'), later, later);
    await memory.perform({ kind: 'forget', id: (await byTitle(memory, 'C')).id, reason: undefined });
    const second = await takeIn(memory, folder, { dryRun: true });
    expect([second.answer.status, countsOf(second)]).toEqual(['unchanged', [0, 1, 2]]);
    expect(second.planned?.map(({ title, change }) => [title, change])).toEqual([
      ['A', 'updated'],
      ['B', 'same'],
      ['C', 'forgotten'],
    ]);
    expect((await byTitle(memory, 'A')).body).toBe('# A\n');
  });
});
