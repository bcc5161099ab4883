/** Examines the whole tree when every file matches its row, although the head or a later change may differ. */
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

it('checks out a note that has neither a file nor a row', async () => {
  const { memory } = store;
  const { path: file = '' } = await writeNote(memory, { title: 'X' });
  const path = relative(memory.journals.portable.folder, file);
  const bytes = readFileSync(file);
  // The tree is known to equal the head; removing the row must clear that.
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

it('checks out the newer version of a file that is certain to be the older one', async () => {
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
])('finds a file that was %s after the whole tree was found to equal the head', async (_, change) => {
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

it('names a symbolic link at the path of a note once, whether inspecting or adopting', async () => {
  const { memory } = store;
  const { path: file = '' } = await writeNote(memory, { title: 'X' });
  rmSync(file);
  symlinkSync('/etc/hostname', file);
  const left = [{ path: relative(memory.journals.portable.folder, file), reason: 'a symbolic link' }];
  expect((await inspectTree(await memory.store(), 'portable')).left).toEqual(left);
  expect((await memory.adopt('hold')).portable.left).toEqual(left);
});

/** Stores the row of a file as if the file had been read long after it changed. */
const settle = async (path: string): Promise<void> => {
  const { memory } = store;
  const found = readNoteFile(memory.journals.portable.folder, path);
  if (found.kind !== 'file') throw new Error('no file');
  const settled = { ...found.row, seenMs: Date.now() + 10_000 };
  (await memory.store()).state.advance('portable', undefined, [settled], []);
};
