/** Notes that were moved between journals after an import and are imported again. */
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { moveNote } from '../../src/app/moving.js';
import type { Scope } from '../../src/events/note/note.js';
import type { Memory } from '../../src/store/memory.js';
import { openStore } from '../support/store.js';
import { allNotes, countsOf, folderWith, put, takeIn } from './support.js';

const newStore = (): Memory => {
  const store = openStore();
  onTestFinished(() => store.close());
  return store.memory;
};

const page = (body: string, more = 'tags: []'): string => `---\ntitle: A page\n${more}\n---\n${body}\n`;
const local = 'scope: machine-local';

/** Writes a file dated some minutes ago, before the moves of the test. */
const putEarlier = (folder: string, path: string, text: string, minutes: number): void => {
  put(folder, path, text);
  const at = new Date(Date.now() - minutes * 60_000);
  utimesSync(join(folder, path), at, at);
};
const theNote = async (memory: Memory) => {
  const [note] = await allNotes(memory);
  if (note === undefined) throw new Error('no note');
  return note;
};
const moveTo = async (memory: Memory, change: { readonly scope?: Scope; readonly project?: string }) =>
  moveNote(memory, (await theNote(memory)).id, change);

describe('a file that changed before its note was moved', () => {
  it('is imported after a move to another project, which stays', async () => {
    const memory = newStore();
    const folder = folderWith({});
    putEarlier(folder, 'a.md', page('Old.'), 20);
    await takeIn(memory, folder);
    putEarlier(folder, 'a.md', page('New.'), 10);
    await moveTo(memory, { project: 'elsewhere' });
    const { updated_at: moved } = await theNote(memory);
    expect(countsOf(await takeIn(memory, folder))).toEqual([0, 1, 0]);
    expect(await theNote(memory)).toMatchObject({ body: 'New.\n', project: 'elsewhere', updated_at: moved });
  });
  it('is skipped when it is also older than what was imported', async () => {
    const memory = newStore();
    const folder = folderWith({});
    putEarlier(folder, 'a.md', page('New.'), 10);
    await takeIn(memory, folder);
    putEarlier(folder, 'a.md', page('Old.'), 20);
    await moveTo(memory, { project: 'elsewhere' });
    expect((await takeIn(memory, folder)).answer).toMatchObject({
      warnings: [expect.stringMatching(/^1 file old/)],
    });
    expect((await theNote(memory)).body).toBe('New.\n');
  });
});

describe('a note in another journal than its import is for', () => {
  it('is reported as portable by a dry run', async () => {
    const memory = newStore();
    const folder = folderWith({ 'a.md': page('Public.') });
    await takeIn(memory, folder);
    const { id } = await theNote(memory);
    put(folder, 'a.md', page('Private.', local));
    const { answer } = await takeIn(memory, folder, { dryRun: true });
    expect(answer).toMatchObject({
      warnings: [
        `1 note portable here but machine-local by the source, left alone; to keep one on this machine: anamnesis move ${id} --scope machine-local, and import again`,
      ],
    });
  });
  it('is not reported as machine-local in its source when --scope says so', async () => {
    const memory = newStore();
    const folder = folderWith({ 'a.md': page('Text.'), 'b.md': page('More.') });
    await takeIn(memory, folder);
    for (const options of [{}, { dryRun: true }]) {
      const { answer } = await takeIn(memory, folder, { scope: 'machine-local', ...options });
      expect(answer).toMatchObject({
        warnings: [expect.stringMatching(/^2 notes portable here but machine-local by this import, left alone/)],
      });
    }
  });
  it.each([
    ['the same text', 'Text.', 'unchanged'],
    ['another text', 'New.', 'recorded'],
  ] as const)(
    'stays machine-local under --scope portable with %s, and a warning says how to publish it',
    async (_, body, status) => {
      const memory = newStore();
      const folder = folderWith({ 'a.md': page('Text.', local) });
      await takeIn(memory, folder);
      const { id } = await theNote(memory);
      put(folder, 'a.md', page(body, local));
      const warnings = [`1 note machine-local here, left so; to publish one: anamnesis move ${id} --scope portable`];
      const dry = await takeIn(memory, folder, { scope: 'portable', dryRun: true });
      expect(dry).toMatchObject({ planned: [{ scope: 'machine-local' }], answer: { warnings } });
      expect((await takeIn(memory, folder, { scope: 'portable' })).answer).toMatchObject({ status, warnings });
      expect((await theNote(memory)).scope).toBe('machine-local');
      await moveTo(memory, { scope: 'portable' });
      expect((await takeIn(memory, folder, { scope: 'portable' })).answer).toMatchObject({ warnings: [] });
    },
  );
});
