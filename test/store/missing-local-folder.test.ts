/** Behaviour when `local/` is gone: removed, or on a disk that is not mounted. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importNotes } from '../../src/app/intake.js';
import { readStatus } from '../../src/app/status.js';
import { leanStatus } from '../../src/mcp/tools/lean-status.js';
import { appOver, openStore, type TestStore, writeCommand, writeNote } from '../support/store.js';

let store: TestStore;
const path = (...names: readonly string[]): string => join(store.home, ...names);
const reopen = async (): Promise<void> => {
  await store.memory.finish();
  store = { ...openStore({ home: store.home }), close: store.close };
};
const lost = async () => (await readStatus(store.memory)).lost_local;

beforeEach(async () => {
  store = openStore();
  await writeNote(store.memory, { title: 'Private', scope: 'machine-local' });
  await writeNote(store.memory, { title: 'Portable' });
  await store.memory.finish();
  renameSync(path('local'), path('kept'));
  await reopen();
});
afterEach(() => store.close());

describe('a missing folder of machine-local notes', () => {
  it('is reported by status, with the next step', async () => {
    const said = {
      message: expect.stringContaining('local/'),
      next: expect.stringMatching(/put the old one back.*anamnesis import FOLDER.*adopt --lost-local/),
    };
    expect(await lost()).toMatchObject(said);
    expect(leanStatus(await readStatus(store.memory), 'p').wrong).toEqual([expect.stringContaining('is gone')]);
  });

  it('is still reported after a note was written into the new one', async () => {
    await writeNote(store.memory, { title: 'Another', scope: 'machine-local' });
    await reopen();
    expect(await lost()).not.toBeNull();
  });

  it.each([
    ['that the write itself makes', async () => undefined],
    ['that another command made', () => store.memory.store()],
  ])('does not block a similar note in the new one %s', async (_, before) => {
    await before();
    const { kind: _kind, ...note } = writeCommand({ title: 'Private', scope: 'machine-local' });
    const answer = await appOver(store.memory).notes.write(note);
    expect(answer).toMatchObject({ status: 'recorded', warnings: [], note: { scope: 'machine-local' } });
  });

  it('is no longer reported once it is back with its notes', async () => {
    await writeNote(store.memory, { title: 'Another', scope: 'machine-local' });
    await store.memory.finish();
    renameSync(path('local'), path('new'));
    renameSync(path('kept'), path('local'));
    await reopen();
    expect(await lost()).toBeNull();
    expect((await store.memory.list({}, 9)).notes.map(({ title }) => title).toSorted()).toEqual([
      'Portable',
      'Private',
    ]);
    await writeNote(store.memory, { title: 'More', scope: 'machine-local' });
    expect((await store.memory.list({}, 9)).total).toBe(3);
  });

  it('leaves notes written meanwhile in the new one, from which an import keeps them machine-local', async () => {
    await writeNote(store.memory, { title: 'Another', scope: 'machine-local', tags: ['kept'] });
    await store.memory.finish();
    renameSync(path('local'), path('new'));
    renameSync(path('kept'), path('local'));
    await reopen();
    expect(await importNotes(store.memory, path('new'), {})).toMatchObject({ ok: true });
    const { notes } = await store.memory.list({ scope: 'machine-local' }, 9);
    expect(notes.map(({ title, tags }) => [title, tags]).toSorted()).toEqual([
      ['Another', ['kept']],
      ['Private', []],
    ]);
  });

  it('is no longer reported once a person says that its notes are gone', async () => {
    expect(await store.memory.acceptLostLocal()).toBe(true);
    expect(await store.memory.acceptLostLocal()).toBe(false);
    await reopen();
    expect(await lost()).toBeNull();
  });

  it('is still reported after removed files of the other folder were recorded', async () => {
    await store.memory.adopt('record');
    expect(await lost()).not.toBeNull();
  });

  it('is not reported if it never had a note', async () => {
    await store.memory.acceptLostLocal();
    await store.memory.finish();
    renameSync(path('local'), path('empty'));
    await reopen();
    expect(await lost()).toBeNull();
  });
});
