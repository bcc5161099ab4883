import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { replayStore } from '../../src/maintenance/replaying.js';
import { makeVectors } from '../../src/store/models/making-vectors.js';
import { installMadeUp } from '../embedding/made-up-model.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
beforeEach(async () => {
  store = openStore({ searchModel: 'made-up' });
  installMadeUp(store.home);
  for (const title of ['Car', 'Bread', 'Forgotten', 'Edited']) {
    const { id } = await writeNote(store.memory, { title, body: 'car' });
    await makeVectors(store.memory);
    if (title === 'Forgotten') await store.memory.perform({ kind: 'forget', id });
    if (title === 'Edited') await store.memory.perform({ kind: 'edit', id, set: { body: 'bread' } });
  }
});
afterEach(() => store.close());

const alterVectors = (): void => {
  const index = join(store.home, 'index');
  const name = readdirSync(index).find((file) => file.startsWith('vectors-') && file.endsWith('.db')) ?? '';
  const database = new Database(join(index, name));
  database.exec('UPDATE segments SET vectors = zeroblob(length(vectors))');
  database.close();
};

it('vectors that were made note by note equal those that a replay makes', async () => {
  const answer = await replayStore(store.memory, { verify: true });
  expect(answer).toMatchObject({ verified: true, projections: { vectors: expect.stringMatching(/^[0-9a-f]{64}$/) } });
  expect((await replayStore(store.memory, { verify: true })).projections).toEqual(answer.projections);
});

it('vectors that do not match the notes are named and made again', async () => {
  alterVectors();
  expect(await replayStore(store.memory, { verify: true })).toMatchObject({ verified: false, differs: ['vectors'] });
  expect(await replayStore(store.memory, { verify: true })).toMatchObject({ verified: true });
  expect(readdirSync(join(store.home, 'index')).filter((name) => name.includes('anew'))).toEqual([]);
});

it('a replay says nothing about vectors before there are any', async () => {
  const other = openStore();
  await writeNote(other.memory);
  expect(Object.keys((await replayStore(other.memory, { verify: true })).projections)).not.toContain('vectors');
  await other.close();
});
