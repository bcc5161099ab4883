/** A person copies another note over a note's file, or changes its id, so that the note has no file left. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adoptEdits } from '../../../src/app/adopting.js';
import { readStatus } from '../../../src/app/status.js';
import { openStore, type TestStore, writeNote } from '../../support/store.js';

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
const adopt = (deletions: 'hold' | 'record' | 'put-back' = 'hold') => adoptEdits(store.memory, deletions);
const titles = async (): Promise<readonly string[]> =>
  (await store.memory.list({}, 100)).notes.map(({ title }) => title).toSorted();
const moves = (...files: readonly (readonly (string | undefined)[])[]): void => {
  for (const [from = '', to = ''] of files) renameSync(from, to);
};
const newId = (at: number): string => `01JC000000000000000000000${at}`;
const setId = (file: string, id: string): void =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^id: .*$/m, `id: ${id}`));

describe('many notes that are replaced at once', () => {
  it.each([
    ['by copies of another one', (file: string, other: string) => copyFileSync(other, file)],
    ['by notes with other ids', (file: string, _: string, at: number) => setId(file, newId(at))],
  ])('%s wait for a decision and are named', async (_, replace) => {
    const [other, ...notes] = await writeMany(9);
    for (const [at, { file }] of notes.entries()) replace(file, other?.file ?? '', at);
    const before = await titles();
    const held = await adopt();
    expect(held).toMatchObject({ event_ids: [], changes: [] });
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

  it('count together with removed files, and are held', async () => {
    const [other, ...notes] = await writeMany(8);
    for (const { file } of notes.slice(0, 3)) rmSync(file);
    for (const { file } of notes.slice(3)) copyFileSync(other?.file ?? '', file);
    expect((await adopt()).held_deletions).toHaveLength(7);
  });

  it('are recorded when the person says so, and can be restored', async () => {
    const [other, ...notes] = await writeMany(8);
    for (const { file } of notes) copyFileSync(other?.file ?? '', file);
    await adopt();
    const { changes, held_deletions } = await adopt('record');
    expect(held_deletions).toEqual([]);
    expect(changes).toHaveLength(7);
    for (const { id } of notes) await store.memory.perform({ kind: 'restore', id });
    expect(await titles()).toEqual([other, ...notes].map((note) => note?.title).toSorted());
  });

  it('are put back when the person says so, over copies whose text is not lost', async () => {
    const [other, ...notes] = await writeMany(8);
    for (const { file } of notes) copyFileSync(other?.file ?? '', file);
    const { put_back, left } = await adopt('put-back');
    expect([put_back.length, left]).toEqual([7, []]);
    for (const { file, title } of notes) expect(readFileSync(file, 'utf8')).toContain(`The text of ${title}.`);
    expect((await adopt()).event_ids).toEqual([]);
  });

  it('by files whose own places are free are all put back', async () => {
    const notes = await writeMany(8);
    for (const at of [0, 2, 4, 6]) moves([notes[at]?.file, notes[at + 1]?.file]);
    expect((await adopt()).held_deletions).toHaveLength(4);
    expect((await adopt('put-back')).held_deletions).toEqual([]);
    expect(await titles()).toHaveLength(8);
  });

  it('are not put back over files whose text is nowhere else', async () => {
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
  it('whose file was replaced by a copy of another is named with that one, and can be restored', async () => {
    const [a, b] = [await write('A'), await write('B')];
    copyFileSync(a.file, b.file);
    const status = await readStatus(store.memory);
    expect(status.hand_edits).toEqual([{ journal: 'memory', path: b.relative, change: 'replaced', replaced_by: a.id }]);
    const { changes } = await adopt();
    expect(changes).toMatchObject([{ id: b.id, title: 'B', change: 'replaced', replaced_by: a.id }]);
    expect(await titles()).toEqual(['A']);
    expect(await store.memory.perform({ kind: 'restore', id: b.id })).toMatchObject({ status: 'recorded' });
    expect(await titles()).toEqual(['A', 'B']);
  });

  it('whose file was replaced by a copy of another is put back by a command, even after a read', async () => {
    const [a, b] = [await write('A'), await write('B')];
    copyFileSync(a.file, b.file);
    await store.memory.show(b.id);
    expect(await store.memory.perform({ kind: 'tag', id: b.id, add: ['x'], remove: [] })).toMatchObject({
      status: 'recorded',
    });
    expect(readFileSync(b.file, 'utf8')).toContain('The text of B.');
  });

  it('whose file was replaced by an edited copy of another is kept, and a command on it is refused', async () => {
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

  it('whose id was changed in its file is named with the new id', async () => {
    const a = await write('A');
    setId(a.file, newId(1));
    const { changes } = await adopt();
    expect(changes).toMatchObject([
      { id: newId(1), change: 'added' },
      { id: a.id, title: 'A', change: 'replaced', replaced_by: newId(1) },
    ]);
  });

  it('is not removed when two notes are swapped', async () => {
    const [a, b] = [await write('A'), await write('B')];
    renameSync(a.file, `${a.file}.tmp`);
    renameSync(b.file, a.file);
    renameSync(`${a.file}.tmp`, b.file);
    const { changes } = await adopt();
    expect(changes.some(({ change }) => change === 'replaced' || change === 'forgotten')).toBe(false);
    expect(await titles()).toEqual(['A', 'B']);
  });

  it('that was moved over another is counted once by status, and is not held by adopt', async () => {
    const notes = await writeMany(30);
    for (const at of [0, 2, 4]) moves([notes[at]?.file, notes[at + 1]?.file]);
    const { hand_edits, sync } = await readStatus(store.memory);
    expect(hand_edits.map(({ change }) => change)).toEqual(['replaced', 'replaced', 'replaced']);
    expect(sync.detail).toBe('3 changed by hand: anamnesis adopt records them');
    expect((await adopt()).held_deletions).toEqual([]);
  });

  it('that was moved over another counts as renamed, and the other as replaced', async () => {
    const [a, b] = [await write('A'), await write('B')];
    renameSync(a.file, b.file);
    const { changes } = await adopt();
    expect(changes.filter(({ change }) => change === 'replaced')).toMatchObject([{ id: b.id, replaced_by: a.id }]);
    expect(await titles()).toEqual(['A']);
  });
});

describe('while replaced notes wait, the notes whose files replaced them', () => {
  it.each([
    ['were moved there', ([n, x, y, z]: readonly string[]) => moves([x, n], [z, y])],
    [
      'were copied and then moved there',
      ([n = '', x = '', y]: readonly string[]) => {
        copyFileSync(x, n);
        moves([x, y]);
      },
    ],
    [
      'were moved there, and another to the path of one',
      ([n, x, y, z, w]: readonly string[]) => moves([x, n], [z, y], [w, x]),
    ],
  ])('are not lost when they %s', async (_, replace) => {
    const notes = await writeMany(5);
    const before = await titles();
    replace(notes.map(({ file }) => file));
    const held = await adopt();
    expect([held.event_ids, held.held_deletions.length]).toEqual([[], 2]);
    expect(await titles()).toEqual(before);
    expect(await adopt()).toMatchObject({ event_ids: [], changes: [] });
    expect(await titles()).toEqual(before);
    // The decision that they wait for still applies.
    const { changes } = await adopt('record');
    expect(changes.filter(({ change }) => change === 'replaced')).toHaveLength(2);
    expect((await titles()).length).toBe(3);
  });
});

describe('a file that was moved over that of another note, when that note is put back', () => {
  const tag = (id: string) => store.memory.perform({ kind: 'tag', id, add: ['t'], remove: [] });
  const texts = (notes: readonly { readonly file: string }[]) => notes.map(({ file }) => readFileSync(file, 'utf8'));
  const noHandEvents = async () => expect(await store.memory.events({ kind: 'hand.adopted' }, 10)).toEqual([]);

  it.each([
    ['the note that was there', 0],
    ['the note that was moved', 1],
  ])('goes back to its own path before a command on %s', async (_, at) => {
    const notes = await writeMany(3);
    const before = texts(notes);
    moves([notes[1]?.file, notes[0]?.file]);
    expect(await tag(notes[at]?.id ?? '')).toMatchObject({ status: 'recorded' });
    expect(texts(notes).filter((text, place) => place === at || text === before[place])).toHaveLength(3);
    expect(texts(notes)[at]).toBe(before[at]?.replace('tags: []', 'tags:\n- t'));
    await noHandEvents();
  });

  it('stays with what was typed into it, and its note is put back at its own path', async () => {
    const [n, x] = await writeMany(3);
    if (n === undefined || x === undefined) throw new Error('no notes');
    moves([x.file, n.file]);
    writeFileSync(n.file, `${readFileSync(n.file, 'utf8')}TYPED\n`);
    const { put_back, changes, left } = await adopt('put-back');
    expect([put_back, changes]).toEqual([[{ journal: 'memory', path: x.relative }], []]);
    expect(left).toMatchObject([{ path: n.relative, reason: expect.stringContaining('is nowhere else') }]);
    expect(texts([n, x])).toEqual([expect.stringContaining('TYPED'), expect.not.stringContaining('TYPED')]);
  });

  it('goes back after the file at its own path went back in turn', async () => {
    const notes = await writeMany(5);
    const before = texts(notes);
    const [n, x, w, v] = notes;
    moves([x?.file, n?.file], [w?.file, x?.file], [v?.file, w?.file]);
    await adopt('put-back');
    expect(texts(notes)).toEqual(before);
    await noHandEvents();
  });

  it('is replaced, because git has its text, even if the file at its own path is not a note', async () => {
    const [n, x] = await writeMany(3);
    moves([x?.file, n?.file]);
    writeFileSync(x?.file ?? '', 'no note yet\n');
    const { put_back, left } = await adopt('put-back');
    expect([put_back.map(({ path }) => path), left.length]).toEqual([[n?.relative], 1]);
    expect(readFileSync(n?.file ?? '', 'utf8')).toContain('The text of Note 0.');
    expect(await titles()).toEqual(['Note 0', 'Note 1', 'Note 2']);
  });

  it('stays if the note that was there is now at another path', async () => {
    const [n, x, y] = await writeMany(3);
    if (n === undefined || x === undefined || y === undefined) throw new Error('no notes');
    const folder = join(dirname(n.file), '../d1');
    mkdirSync(folder);
    moves([y.file, join(folder, `${y.id}.md`)], [n.file, y.file], [x.file, n.file]);
    expect(await tag(n.id)).toMatchObject({ status: 'recorded' });
    expect(await titles()).toEqual(['Note 0', 'Note 1', 'Note 2']);
    expect(texts([n, y])).toEqual([
      expect.stringContaining('The text of Note 1.'),
      expect.stringMatching(/tags:\n- t\n(?:.*\n)*The text of Note 0\./),
    ]);
    expect(existsSync(x.file)).toBe(false);
    expect((await readStatus(store.memory)).hand_edits).toEqual([]);
  });
});

describe('a note that is at the path of another since they were swapped', () => {
  const swapped = async () => {
    const [a, b, c] = [await write('A'), await write('B'), await write('C')];
    renameSync(a.file, `${a.file}.tmp`);
    renameSync(b.file, a.file);
    renameSync(`${a.file}.tmp`, b.file);
    await adopt();
    return { a, b, c };
  };

  it('is put back if its file is removed and the other note is edited', async () => {
    const { a, b } = await swapped();
    rmSync(a.file);
    writeFileSync(b.file, `${readFileSync(b.file, 'utf8')}TYPED\n`);
    expect((await adopt('put-back')).put_back).toEqual([{ journal: 'memory', path: a.relative }]);
    expect(await titles()).toEqual(['A', 'B', 'C']);
    expect(readFileSync(a.file, 'utf8')).toContain('The text of B.');
  });

  it('is named by the event that records the removal of its file', async () => {
    const { a, b } = await swapped();
    rmSync(a.file);
    await adopt();
    expect(await titles()).toEqual(['A', 'C']);
    const removals = async (id: string) =>
      (await store.memory.events({ note: id, kind: 'hand.adopted' }, 10)).slice(0, -1);
    // The oldest of these events is that of their swap, which names both.
    expect(await removals(b.id)).toHaveLength(1);
    expect(await removals(a.id)).toEqual([]);
  });

  const inFolder = (file: string, name: string): string => {
    const folder = join(dirname(file), '../d1');
    mkdirSync(folder, { recursive: true });
    return join(folder, name);
  };

  it('is not reported as removed if its file is moved and edited', async () => {
    const { a, b } = await swapped();
    moves([a.file, inFolder(a.file, `${b.id}.md`)]);
    writeFileSync(
      inFolder(a.file, `${b.id}.md`),
      readFileSync(inFolder(a.file, `${b.id}.md`), 'utf8').replace('text', 'TEXT'),
    );
    expect((await readStatus(store.memory)).hand_edits.filter(({ change }) => change === 'removed')).toEqual([]);
  });

  it('is put back if its file is removed, despite a copy of the other note elsewhere', async () => {
    const { a, b } = await swapped();
    copyFileSync(b.file, inFolder(a.file, `${a.id}.md`));
    rmSync(a.file);
    expect((await adopt('put-back')).put_back).toEqual([{ journal: 'memory', path: a.relative }]);
    expect(await titles()).toContain('B');
  });

  it('is not removed if its file says at a new path that it is machine-local', async () => {
    const { a, b } = await swapped();
    const there = inFolder(a.file, `${b.id}.md`);
    moves([a.file, there]);
    writeFileSync(there, readFileSync(there, 'utf8').replace(/^scope: .*$/m, 'scope: machine-local'));
    const { left, changes } = await adopt();
    expect([left.length, changes]).toEqual([1, []]);
    expect(await titles()).toEqual(['A', 'B', 'C']);
  });
});
