import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readStatus } from '../../../src/app/status.js';
import { undoEvent } from '../../../src/app/undoing.js';
import type { Command } from '../../../src/commands/handlers.js';
import { openStore, type TestStore, writeNote } from '../../support/store.js';

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(async () => {
  await store.close();
});

const folderOf = (journal: 'portable' | 'local'): string => store.memory.journals[journal].folder;
const write = async (fields: Parameters<typeof writeNote>[1] = {}) => {
  const note = await writeNote(store.memory, { body: 'one\ntwo\n', ...fields });
  return { ...note, file: note.path ?? '', relative: `semantic/${note.id.slice(-2)}/${note.id}.md` };
};
const perform = (command: Command) => store.memory.perform(command);
const texts = async (): Promise<string> => {
  const { notes } = await store.memory.list({}, 100);
  const shown = await Promise.all(notes.map(({ id }) => store.memory.show(id)));
  return shown.map((one) => (one.ok ? `${one.answer.body}` : '')).join('\n');
};

describe('a file that is unreadable as a note, whose text only the working tree has', () => {
  const broken: readonly (readonly [string, (text: string) => string])[] = [
    ['half-written front matter', (text) => `${text.replace(/^title:.*$/m, 'title: [half')}WORK\n`],
    ['no content because it is half saved', () => ''],
  ];
  const commands: readonly (readonly [string, (id: string) => Command])[] = [
    ['tag', (id) => ({ kind: 'tag', id, add: ['x'], remove: [] })],
    ['edit', (id) => ({ kind: 'edit', id, set: { body: 'other\n' } })],
    ['forget', (id) => ({ kind: 'forget', id })],
    ['move --scope', (id) => ({ kind: 'move', id, scope: 'machine-local' })],
  ];
  for (const [what, spoil] of broken) {
    it.each(commands)(
      `makes %s refuse while it has ${what}, and succeed once it is corrected`,
      async (name, commandFor) => {
        const { id, file, relative } = await write();
        const good = readFileSync(file, 'utf8');
        const bad = spoil(good);
        writeFileSync(file, bad);
        const refused = await perform(commandFor(id));
        expect(refused).toMatchObject({ status: 'refused', refusal: { code: 'file-blocked' } });
        expect(JSON.stringify(refused)).toContain(relative);
        expect(readFileSync(file, 'utf8')).toBe(bad);
        expect(await writeNote(store.memory, { title: 'Another' })).toMatchObject({ title: 'Another' });
        expect(readFileSync(file, 'utf8')).toBe(bad);
        writeFileSync(file, `${good}WORK\n`);
        expect(await perform(commandFor(id))).toMatchObject({ status: 'recorded' });
        const history = await store.memory.events({ note: id, kind: 'hand.adopted' }, 10);
        expect(history).toHaveLength(1);
        if (name !== 'forget') expect(await texts()).toContain(name === 'edit' ? 'other' : 'WORK');
      },
    );
  }

  it('is left by adopt and named by status', async () => {
    const { file } = await write();
    writeFileSync(file, '');
    await store.memory.adopt('hold');
    expect(readFileSync(file, 'utf8')).toBe('');
    expect((await readStatus(store.memory)).left).toHaveLength(1);
  });
});

describe('a file made by hand at a path that the journal does not have', () => {
  const ways = [
    ['restore', async (id: string) => perform({ kind: 'restore', id })],
    ['undo', async () => undoEvent(store.memory, undefined)],
  ] as const;

  it.each(ways)('is adopted before %s of the note that was forgotten there', async (_, revert) => {
    const { id, file } = await write();
    const text = readFileSync(file, 'utf8');
    await perform({ kind: 'forget', id });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.replace('two', 'by hand'));
    await revert(id);
    expect(readFileSync(file, 'utf8')).toContain('by hand');
    expect(await store.memory.show(id)).toMatchObject({ ok: true, answer: { body: 'one\nby hand\n' } });
    expect(await store.memory.events({ note: id, kind: 'hand.adopted' }, 10)).toHaveLength(1);
  });

  it.each(ways)('makes %s refuse if it is not a note yet', async (_, revert) => {
    const { id, file } = await write();
    await perform({ kind: 'forget', id });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'not a note yet: WORK\n');
    expect(JSON.stringify(await revert(id))).toContain('file-blocked');
    expect(readFileSync(file, 'utf8')).toBe('not a note yet: WORK\n');
    expect((await store.memory.show(id)).ok).toBe(false);
  });
});

describe('notes that a person moves to another folder', () => {
  const rename = (files: readonly { readonly file: string }[], to: string): void => {
    const folder = join(folderOf('portable'), 'semantic', to);
    mkdirSync(folder, { recursive: true });
    for (const { file } of files) renameSync(file, join(folder, file.slice(-29)));
  };

  it('are moved, not deleted, even many at once, and keep their bytes', async () => {
    const notes = [];
    for (let at = 0; at < 12; at += 1) notes.push(await write({ title: `Note ${at}` }));
    const before = notes.map(({ file }) => readFileSync(file, 'utf8'));
    rename(notes, 'd1');
    expect((await readStatus(store.memory)).hand_edits.filter(({ change }) => change === 'removed')).toEqual([]);
    const { portable } = await store.memory.adopt('hold');
    expect(portable.heldDeletions).toEqual([]);
    expect(portable.event).toMatchObject({ kind: 'hand.adopted', subject: '12 files changed by hand' });
    const status = await readStatus(store.memory);
    expect(status).toMatchObject({ total: 12, repeated_ids: [], hand_edits: [], left: [] });
    notes.forEach(({ id, file }, at) => {
      expect(existsSync(file)).toBe(false);
      expect(readFileSync(join(folderOf('portable'), 'semantic', 'd1', `${id}.md`), 'utf8')).toBe(before[at]);
    });
    expect(await store.memory.events({ kind: 'hand.adopted' }, 10)).toHaveLength(1);
  });

  it('are edited at their new path', async () => {
    const note = await write();
    rename([note], 'd1');
    expect(await perform({ kind: 'edit', id: note.id, set: { body: 'new\n' } })).toMatchObject({ status: 'recorded' });
    expect(existsSync(note.file)).toBe(false);
    const now = join(folderOf('portable'), 'semantic', 'd1', `${note.id}.md`);
    expect(readFileSync(now, 'utf8')).toContain('new\n');
    expect((await readStatus(store.memory)).repeated_ids).toEqual([]);
  });

  it('are left under another name if the note still has its file, or if they are not notes', async () => {
    const [kept, gone] = [await write(), await write({ title: 'Gone' })];
    const folder = dirname(kept.file);
    copyFileSync(kept.file, join(folder, 'copy.md'));
    writeFileSync(join(folder, 'other.md'), 'no note at all\n');
    rmSync(gone.file);
    await store.memory.adopt('record');
    expect(existsSync(join(folder, 'copy.md'))).toBe(true);
    expect(existsSync(kept.file)).toBe(true);
    expect((await readStatus(store.memory)).left).toHaveLength(2);
    expect((await store.memory.show(gone.id)).ok).toBe(false);
  });

  it('are not recorded as removed when a command examines only the old path', async () => {
    const note = await write();
    rename([note], 'd1');
    (await store.memory.store()).state.touch('portable', note.relative);
    await write({ title: 'Another' });
    const history = await store.memory.events({ note: note.id }, 10);
    expect(history.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
      expect.stringContaining('hand.adopted Use WAL mode'),
      expect.stringContaining('note.written'),
    ]);
    expect((await store.memory.show(note.id)).ok).toBe(true);
  });

  it('are held as deletions if many of their files are really gone', async () => {
    const notes = [];
    for (let at = 0; at < 7; at += 1) notes.push(await write({ title: `Note ${at}` }));
    rename(notes.slice(0, 1), 'd1');
    for (const { file } of notes.slice(1)) rmSync(file);
    const { portable } = await store.memory.adopt('hold');
    expect(portable.heldDeletions).toHaveLength(6);
  });
});

describe('two files of one note', () => {
  it('both stay and are named until a person removes one', async () => {
    const { id, file } = await write();
    const copy = join(folderOf('portable'), 'semantic', 'd1', `${id}.md`);
    mkdirSync(dirname(copy));
    copyFileSync(file, copy);
    await store.memory.adopt('record');
    await perform({ kind: 'edit', id, set: { title: 'Edited' } });
    expect((await readStatus(store.memory)).repeated_ids).toEqual([id]);
    rmSync(copy);
    await store.memory.adopt('record');
    expect((await readStatus(store.memory)).repeated_ids).toEqual([]);
    expect((await store.memory.show(id)).ok).toBe(true);
  });
});

it('a writer leaves behind only the files that it replaced', async () => {
  const { id } = await write();
  await perform({ kind: 'edit', id, set: { body: 'new\n' } });
  await perform({ kind: 'forget', id });
  await store.memory.finish();
  const names = readdirSync(folderOf('portable'), { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => /anamnesis/.test(name) && !name.startsWith('.git/anamnesis-replaced'))).toEqual([
    '.git/refs/anamnesis',
    '.git/refs/anamnesis/head',
  ]);
});
