/** Files that a person made another note's, by a copy over them or by another id: their notes went away. */
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readStatus } from '../../../src/app/status.js';
import { appOver, openStore, type TestStore, writeNote } from '../../support/store.js';

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(async () => {
  await store.close();
});

const write = async (title: string) => {
  const { id, path = '' } = await writeNote(store.memory, { title, body: `The text of ${title}.\n` });
  return { id, title, file: path, relative: `semantic/${id.slice(-2)}/${id}.md` };
};
const writeMany = async (count: number) => {
  const notes = [];
  for (let at = 0; at < count; at += 1) notes.push(await write(`Note ${at}`));
  return notes;
};
const adopt = (deletions: 'hold' | 'record' | 'put-back' = 'hold') => appOver(store.memory).intake.adopt(deletions);
const titles = async (): Promise<readonly string[]> =>
  (await store.memory.list({}, 100)).notes.map(({ title }) => title).toSorted();
const newId = (at: number): string => `01JC000000000000000000000${at}`;
const setId = (file: string, id: string): void =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^id: .*$/m, `id: ${id}`));

describe('many notes that are replaced at once', () => {
  it.each([
    ['by copies of another one', (file: string, other: string) => copyFileSync(other, file)],
    ['by notes with other ids', (file: string, _: string, at: number) => setId(file, newId(at))],
  ])('%s wait for a word, and are named', async (_, replace) => {
    const [other, ...notes] = await writeMany(9);
    for (const [at, { file }] of notes.entries()) replace(file, other?.file ?? '', at);
    const before = await titles();
    const held = await adopt();
    expect(held).toMatchObject({ events: [], changes: [] });
    expect(held.held_deletions).toHaveLength(8);
    expect(held.held_deletions.map(({ path }) => path).toSorted()).toEqual(
      notes.map(({ relative }) => relative).toSorted(),
    );
    expect(held.held_deletions.every(({ replaced_by: by }) => by !== undefined)).toBe(true);
    expect(await titles()).toEqual(before);
    expect((await adopt()).held_deletions).toHaveLength(8);
    const { hand_edits } = await readStatus(store.memory);
    expect(hand_edits.map(({ change }) => change)).toEqual(Array.from({ length: 8 }, () => 'replaced'));
  });

  it('are held together with removed files', async () => {
    const [other, ...notes] = await writeMany(8);
    for (const { file } of notes.slice(0, 3)) rmSync(file);
    for (const { file } of notes.slice(3)) copyFileSync(other?.file ?? '', file);
    expect((await adopt()).held_deletions).toHaveLength(7);
  });

  it('are recorded where the person says so, and come back by restore', async () => {
    const [other, ...notes] = await writeMany(8);
    for (const { file } of notes) copyFileSync(other?.file ?? '', file);
    await adopt();
    const { changes, held_deletions } = await adopt('record');
    expect(held_deletions).toEqual([]);
    expect(changes).toHaveLength(7);
    for (const { id } of notes) await store.memory.perform({ kind: 'restore', id });
    expect(await titles()).toEqual([other, ...notes].map((note) => note?.title).toSorted());
  });

  it('are put back where the person says so, over copies that lose no text', async () => {
    const [other, ...notes] = await writeMany(8);
    for (const { file } of notes) copyFileSync(other?.file ?? '', file);
    const { put_back, left } = await adopt('put-back');
    expect([put_back.length, left]).toEqual([7, []]);
    for (const { file, title } of notes) expect(readFileSync(file, 'utf8')).toContain(`The text of ${title}.`);
    expect((await adopt()).events).toEqual([]);
  });

  it('stay as they were typed where their text is nowhere else', async () => {
    const notes = await writeMany(8);
    for (const [at, { file }] of notes.entries()) setId(file, newId(at));
    const typed = notes.map(({ file }) => readFileSync(file, 'utf8'));
    const { put_back, left } = await adopt('put-back');
    expect(put_back).toEqual([]);
    expect(left.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining([expect.stringContaining(`took the place of note ${notes[0]?.id}`)]),
    );
    expect(notes.map(({ file }) => readFileSync(file, 'utf8'))).toEqual(typed);
    expect((await titles()).length).toBe(8);
  });
});

describe('one note', () => {
  it('whose file a copy of another replaced is named with that one, and comes back by restore', async () => {
    const [a, b] = [await write('A'), await write('B')];
    copyFileSync(a.file, b.file);
    const status = await readStatus(store.memory);
    expect(status.hand_edits).toEqual([{ journal: 'memory', path: b.relative, change: 'replaced', replaced_by: a.id }]);
    const { changes } = await adopt();
    expect(changes).toMatchObject([{ id: b.id, title: 'B', change: 'removed', replaced_by: a.id }]);
    expect(await titles()).toEqual(['A']);
    expect(await store.memory.perform({ kind: 'restore', id: b.id })).toMatchObject({ status: 'recorded' });
    expect(await titles()).toEqual(['A', 'B']);
  });

  it('whose file a copy of another replaced gets it back by a command on it, though a reader saw it first', async () => {
    const [a, b] = [await write('A'), await write('B')];
    copyFileSync(a.file, b.file);
    await store.memory.show(b.id);
    expect(await store.memory.perform({ kind: 'tag', id: b.id, add: ['x'], remove: [] })).toMatchObject({
      status: 'recorded',
    });
    expect(readFileSync(b.file, 'utf8')).toContain('The text of B.');
  });

  it('whose file an edited copy of another replaced is told of by a command on it, and stays', async () => {
    const [a, b] = [await write('A'), await write('B')];
    copyFileSync(a.file, b.file);
    writeFileSync(b.file, `${readFileSync(b.file, 'utf8')}TYPED\n`);
    await store.memory.show(b.id);
    expect(await store.memory.perform({ kind: 'tag', id: b.id, add: ['x'], remove: [] })).toMatchObject({
      status: 'refused',
      refusal: { message: expect.stringContaining(`it says it is note ${a.id}`) },
    });
    expect(await titles()).toEqual(['A', 'B']);
  });

  it('whose id was changed in its file is named with the new one', async () => {
    const a = await write('A');
    setId(a.file, newId(1));
    const { changes } = await adopt();
    expect(changes).toMatchObject([
      { id: newId(1), change: 'added' },
      { id: a.id, title: 'A', change: 'removed', replaced_by: newId(1) },
    ]);
  });

  it('is not gone where two changed places', async () => {
    const [a, b] = [await write('A'), await write('B')];
    renameSync(a.file, `${a.file}.tmp`);
    renameSync(b.file, a.file);
    renameSync(`${a.file}.tmp`, b.file);
    const { changes } = await adopt();
    expect(changes.some(({ change }) => change === 'removed')).toBe(false);
    expect(await titles()).toEqual(['A', 'B']);
  });

  it('that was moved over another is renamed, and the other is replaced', async () => {
    const [a, b] = [await write('A'), await write('B')];
    renameSync(a.file, b.file);
    const { changes } = await adopt();
    expect(changes.filter(({ change }) => change === 'removed')).toMatchObject([{ id: b.id, replaced_by: a.id }]);
    expect(await titles()).toEqual(['A']);
  });
});

describe('a note that was renamed to a name of its own and edited', () => {
  it.each([
    ['of its last version', true],
    ['of an earlier version', false],
  ])('keeps the edit beside a copy %s', async (_, isLast) => {
    const a = await write('A');
    const folder = dirname(a.file);
    copyFileSync(a.file, join(folder, 'a-copy.md'));
    if (!isLast) await store.memory.perform({ kind: 'edit', id: a.id, set: { body: 'The second text.\n' } });
    await store.memory.finish();
    mkdirSync(join(folder, 'sub'));
    const renamed = join(folder, 'sub/new-name.md');
    renameSync(a.file, renamed);
    writeFileSync(renamed, `${readFileSync(renamed, 'utf8')}TYPED\n`);
    expect((await readStatus(store.memory)).left).toMatchObject([
      { path: expect.stringContaining('a-copy.md'), reason: expect.not.stringContaining('names it') },
      { path: expect.stringContaining('sub/new-name.md'), reason: expect.stringContaining('names it') },
    ]);
    await adopt();
    const shown = await store.memory.show(a.id);
    expect(shown).toMatchObject({ answer: { body: expect.stringContaining('TYPED') } });
    expect(readFileSync(join(folder, 'a-copy.md'), 'utf8')).toContain('The text of A.');
  });

  it('is the version that git has last, where no copy was edited', async () => {
    const a = await write('A');
    const folder = dirname(a.file);
    copyFileSync(a.file, join(folder, 'a-copy.md'));
    await store.memory.perform({ kind: 'edit', id: a.id, set: { body: 'The second text.\n' } });
    await store.memory.finish();
    renameSync(a.file, join(folder, 'b.md'));
    await adopt();
    expect(await store.memory.show(a.id)).toMatchObject({ answer: { body: 'The second text.\n' } });
  });
});
