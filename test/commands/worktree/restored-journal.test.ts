/** The folder of a journal is restored from a copy older than the last commands; the rest of the store is not. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openApp } from '../../../src/app/app.js';
import { readStatus } from '../../../src/app/status.js';
import { verifyStore } from '../../../src/maintenance/verifying.js';
import { syncStore } from '../../../src/sync/syncing.js';
import { openStore, writeNote } from '../../support/store.js';

it('commands continue from a restored older journal, whatever was checked out since', async () => {
  const store = openStore();
  const first = await writeNote(store.memory, { title: 'First', body: 'one\n' });
  await store.memory.finish();
  const { folder } = store.memory.journals.portable;
  const copy = join(store.home, 'copy');
  cpSync(folder, copy, { recursive: true });
  await store.memory.perform({ kind: 'edit', id: first.id, set: { body: 'two\n' } });
  await writeNote(store.memory, { title: 'Second' });
  await store.memory.finish();
  rmSync(folder, { recursive: true });
  cpSync(copy, folder, { recursive: true });

  const again = openStore({ home: store.home });
  const { as, finish } = openApp({ home: store.home, machine: 'testbox', user: 'self' });
  expect(await readStatus(await as({ user: 'self', workspace: undefined }).whole())).toMatchObject({ hand_edits: [] });
  await finish();
  expect((await again.memory.adopt('hold')).portable.event).toBeUndefined();
  expect(await again.memory.show(first.id)).toMatchObject({ ok: true, answer: { body: 'one\n' } });
  const third = await writeNote(again.memory, { title: 'Third' });
  expect(await again.memory.show(third.id)).toMatchObject({ ok: true });
  expect(await verifyStore(again.memory)).toMatchObject({ notes: 2, problems: [] });
  expect(await syncStore(again.memory)).toMatchObject({ outcome: 'local-only' });
  await again.close();
  await store.close();
});
