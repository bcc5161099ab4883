/** A note that is gone is found by its last title, however it was removed. */
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { moveNote } from '../../src/app/moving.js';
import { undoEvent } from '../../src/app/undoing.js';
import type { ImportNotes } from '../../src/commands/import-notes.js';
import type { Memory } from '../../src/store/memory.js';
import { newMachines } from '../support/machines.js';
import { appOver, openStore, writeNote } from '../support/store.js';

const idsTitled = async (memory: Memory, words: string): Promise<readonly string[]> =>
  (await appOver(memory).notes.titled(words)).map(({ id }) => id);

const twoNotes: ImportNotes = {
  kind: 'import',
  from: 'elsewhere',
  notes: ['Apple', 'Banana'].map((title) => ({
    sourceKey: title,
    project: undefined,
    type: undefined,
    title,
    body: `${title}\n`,
    tags: [],
    keywords: [],
    updatedAtMs: 1_700_000_000_000,
    createdAtMs: 1_700_000_000_000,
  })),
  files: [],
};

describe('the title of a note that is gone', () => {
  it('finds it when its file was removed by hand', async () => {
    const { memory, close } = openStore();
    const { id, path = '' } = await writeNote(memory, { title: 'Apple' });
    await writeNote(memory, { title: 'Apple pie' });
    await memory.finish();
    rmSync(path);
    await memory.adopt('record');
    expect(await idsTitled(memory, 'apple')).toEqual([id]);
    await close();
  });

  it('is the last one it had', async () => {
    const { memory, close } = openStore();
    const { id } = await writeNote(memory, { title: 'Apple' });
    await memory.perform({ kind: 'edit', id, set: { title: 'Pear' } });
    await memory.finish();
    const shown = await memory.show(id);
    rmSync((shown.ok && shown.answer.path) || '');
    await memory.adopt('record');
    expect([await idsTitled(memory, 'Pear'), await idsTitled(memory, 'Apple')]).toEqual([[id], []]);
    await close();
  });

  it('finds it when the import that brought it was undone', async () => {
    const { memory, close } = openStore();
    await memory.perform(twoNotes);
    const { notes } = await memory.list({}, 9);
    expect(await undoEvent(memory, undefined)).toMatchObject({ ok: true });
    for (const { id, title } of notes) expect(await idsTitled(memory, title)).toEqual([id]);
    await close();
  });

  it('finds it when another machine made it machine-local', async () => {
    const machines = newMachines();
    const [a, b] = [await machines.open('a'), await machines.open('b')];
    const { id } = await writeNote(a, { title: 'Apple' });
    await machines.sync(a, b);
    await moveNote(a, id, { scope: 'machine-local' });
    await machines.sync(a, b);
    expect(await idsTitled(b, 'Apple')).toEqual([id]);
  });
});
