/** Looking at all files where every one of them is as its row says, and the head says otherwise. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readNoteFile } from '../../../src/events/worktree/working-tree.js';
import { openStore, type TestStore, writeNote } from '../../support/store.js';

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(() => store.close());

it('lays out a note that has neither a file nor a row', async () => {
  const { memory } = store;
  const { path: file = '' } = await writeNote(memory, { title: 'X' });
  const path = relative(memory.journals.portable.folder, file);
  const bytes = readFileSync(file);
  rmSync(file);
  (await memory.store()).state.advance('portable', undefined, [], [path]);
  const { portable } = await memory.adopt('hold');
  expect(portable.event).toBeUndefined();
  expect(existsSync(file) && readFileSync(file).equals(bytes)).toBe(true);
});

it('lays out the newer version of a file that is surely still the older one', async () => {
  const { memory } = store;
  const { id, path: file = '' } = await writeNote(memory, { title: 'X', body: 'old\n' });
  const { folder } = memory.journals.portable;
  const path = relative(folder, file);
  const old = readFileSync(file);
  await memory.perform({ kind: 'edit', id, set: { body: 'new\n' } });
  writeFileSync(file, old);
  const found = readNoteFile(folder, path);
  if (found.kind !== 'file') throw new Error('no file');
  const settled = { ...found.row, seenMs: Date.now() + 10_000 };
  (await memory.store()).state.advance('portable', undefined, [settled], []);
  const { portable } = await memory.adopt('hold');
  expect(portable.event).toBeUndefined();
  expect(readFileSync(file, 'utf8')).toContain('new');
});
