/** Adopting a note file that was moved by hand from memory/ to local/ warns of what stays behind, as `move` does. */
import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { adoptEdits } from '../../src/app/adopting.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(() => store.close());

const write = async () => {
  const { id, path: portable = '' } = await writeNote(store.memory, { title: 'X', body: 'one\n' });
  await store.memory.finish();
  const local = portable.replace('/memory/', '/local/');
  mkdirSync(dirname(local), { recursive: true });
  return { id, portable, local };
};
const warnings = async (): Promise<readonly string[]> => (await adoptEdits(store.memory, 'hold')).warnings;

it('warns that the history of memory/ still holds the text and that a sync publishes it', async () => {
  const { id, portable, local } = await write();
  renameSync(portable, local);
  expect(await warnings()).toEqual([
    `note ${id} is machine-local now: the history of memory/ still holds the text; to remove it everywhere: anamnesis purge ${id}`,
  ]);
  expect(await warnings()).toEqual([]);
});

it('gives no warning for a note that keeps its file in memory/, is renamed or is removed', async () => {
  const [kept, renamed, removed] = [await write(), await write(), await write()];
  copyFileSync(kept.portable, kept.local);
  mkdirSync(renamed.portable.replace(/\/semantic\/.*/, '/semantic/other'), { recursive: true });
  renameSync(renamed.portable, renamed.portable.replace(/\/semantic\/[^/]+\//, '/semantic/other/'));
  renameSync(removed.portable, `${store.home}/away.md`);
  expect(await warnings()).toEqual([]);
});
