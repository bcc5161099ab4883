/** Looking at all files where every one of them is as its row says, and the head says otherwise. */
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inspectTree } from '../../../src/commands/worktree/inspect-tree.js';
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
  // All was found to be as the head has it, which must be forgotten with the row.
  await settle(path);
  await memory.adopt('hold');
  const { state } = await memory.store();
  expect(state.sameTree('portable')).toBe(memory.journals.portable.head());
  rmSync(file);
  state.advance('portable', undefined, [], [path]);
  expect(state.sameTree('portable')).toBeUndefined();
  const { portable } = await memory.adopt('hold');
  expect(portable.event).toBeUndefined();
  expect(existsSync(file) && readFileSync(file).equals(bytes)).toBe(true);
});

it('lays out the newer version of a file that is surely still the older one', async () => {
  const { memory } = store;
  const { id, path: file = '' } = await writeNote(memory, { title: 'X', body: 'old\n' });
  const path = relative(memory.journals.portable.folder, file);
  const old = readFileSync(file);
  await memory.perform({ kind: 'edit', id, set: { body: 'new\n' } });
  writeFileSync(file, old);
  await settle(path);
  const { portable } = await memory.adopt('hold');
  expect(portable.event).toBeUndefined();
  expect(readFileSync(file, 'utf8')).toContain('new');
});

it.each([
  ['edited', (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace('old', 'new'))],
  ['removed', (file: string) => rmSync(file)],
])('finds a file that was %s after all of them were found to be as the head has them', async (_, change) => {
  const { memory } = store;
  const { path: file = '' } = await writeNote(memory, { title: 'X', body: 'old\n' });
  await settle(relative(memory.journals.portable.folder, file));
  await memory.adopt('hold');
  const { state } = await memory.store();
  expect(state.sameTree('portable')).toBe(memory.journals.portable.head());
  change(file);
  const { portable } = await memory.adopt('hold');
  expect(portable.event?.kind).toBe('hand.adopted');
  expect(state.sameTree('portable')).toBeUndefined();
});

it('names a link in the place of a note once, whoever asks', async () => {
  const { memory } = store;
  const { path: file = '' } = await writeNote(memory, { title: 'X' });
  rmSync(file);
  symlinkSync('/etc/hostname', file);
  const left = [{ path: relative(memory.journals.portable.folder, file), reason: 'a symbolic link' }];
  expect((await inspectTree(await memory.store(), 'portable')).left).toEqual(left);
  expect((await memory.adopt('hold')).portable.left).toEqual(left);
});

/** As of a file that was looked at long after it changed. */
const settle = async (path: string): Promise<void> => {
  const { memory } = store;
  const found = readNoteFile(memory.journals.portable.folder, path);
  if (found.kind !== 'file') throw new Error('no file');
  const settled = { ...found.row, seenMs: Date.now() + 10_000 };
  (await memory.store()).state.advance('portable', undefined, [settled], []);
};
