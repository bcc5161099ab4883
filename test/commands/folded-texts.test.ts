import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readLostValues } from '../../src/app/conflicts.js';
import { openStore, type TestStore, temporaryFolder, writeNote } from '../support/store.js';

let home = '';
let store: TestStore;
beforeEach(() => {
  home = temporaryFolder();
  store = openStore({ home });
});
afterEach(async () => {
  await store.close();
  rmSync(home, { recursive: true, force: true });
});

it('folding in a copied file keeps the keys that only it has and records the values that differ', async () => {
  const { memory } = store;
  const { id, path = '' } = await writeNote(memory, { title: 'First title', body: 'one\n', importance: 0.25 });
  const copied = readFileSync(path, 'utf8')
    .replace('title: First title', 'title: HANDTITLE')
    .replace(/importance: .*/, "importance: 0.75\nmy_key: kept\nexpires_at: '2030-01-01T00:00:00+00:00'");
  const folder = join(home, 'memory', 'semantic', 'zz');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '7ZZZZZZZZZZZZZZZZZZZZZZZZZ.md'), copied);
  await memory.adopt('record');
  await memory.perform({ kind: 'tag', id, add: ['zz'], remove: [] });
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('title: First title');
  expect(text).toContain('importance: 0.25');
  expect(text).toContain('my_key: kept');
  expect(text).toContain("expires_at: '2030-01-01T00:00:00+00:00'");
  const lost = await readLostValues(memory, 10);
  expect(lost.map(({ note, key, value }) => ({ note, key, value }))).toEqual([
    { note: id, key: 'title', value: 'HANDTITLE' },
    { note: id, key: 'importance', value: 0.75 },
  ]);
});

it('a copy with the values from before a command loses to the note without a record', async () => {
  const { memory } = store;
  const { id, path = '' } = await writeNote(memory, { title: 'First title', body: 'one\n' });
  writeFileSync(path.replace(/[^/]*$/, '7ZZZZZZZZZZZZZZZZZZZZZZZZZ.md'), readFileSync(path));
  await memory.adopt('record');
  await memory.perform({ kind: 'edit', id, set: { title: 'Another title', importance: 0.5 } });
  expect(readFileSync(path, 'utf8')).toContain('title: Another title');
  expect(await readLostValues(memory, 10)).toEqual([]);
});
