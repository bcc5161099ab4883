/** The notes that an undo reports as taken back. */
import { expect, it } from 'vitest';
import { undoEvent } from '../../src/app/undoing.js';
import type { ImportNotes } from '../../src/commands/import-notes.js';
import { openStore } from '../support/store.js';

const twoNotes: ImportNotes = {
  kind: 'import',
  from: 'elsewhere',
  notes: ['kept', 'taken'].map((title) => ({
    sourceKey: title,
    project: undefined,
    type: undefined,
    title,
    body: `${title}\n`,
    scope: 'portable',
    tags: [],
    keywords: [],
    updatedAtMs: 1_700_000_000_000,
    createdAtMs: 1_700_000_000_000,
  })),
  files: [],
};

it('undoing an import does not list a note that stays as it is', async () => {
  const { memory, close } = openStore();
  await memory.perform(twoNotes);
  const { notes } = await memory.list({}, 9);
  const edited = notes.find(({ title }) => title === 'kept')?.id ?? '';
  await memory.perform({ kind: 'edit', id: edited, set: { title: 'Edited' } });
  const [event] = await memory.events({ kind: 'notes.imported' }, 1);
  const undone = await undoEvent(memory, event?.id);
  expect(undone).toMatchObject({ answer: { answer: { warnings: [expect.stringContaining(`${edited}`)] } } });
  expect(undone.ok ? undone.answer.notes : []).toEqual(notes.flatMap(({ id }) => (id === edited ? [] : [id])));
  await close();
});
