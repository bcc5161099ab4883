import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, type OpenApp, openApp } from '../../src/app/app.js';
import type { NoteJson } from '../../src/app/notes.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
let opened: OpenApp;
let app: App;
let pool: NoteJson;
beforeAll(async () => {
  store = openStore();
  pool = await writeNote(store.memory, {
    title: 'Connection pool of the database',
    body: 'Ten connections; more of them make "postgres" swap AND hang.',
  });
  await writeNote(store.memory, { title: 'Postgres hangs', body: 'The database swaps when it has many connections.' });
  await writeNote(store.memory, { title: 'Database of streets', body: 'Read each quarter.', project: 'other' });
  await writeNote(store.memory, { title: 'Lunch', body: 'The kitchen is closed on Mondays.' });
  opened = openApp({ home: store.home, machine: 'testbox', user: 'self' });
  app = opened.as({ user: 'self', workspace: undefined });
});
afterAll(async () => {
  await opened.finish();
  await store.close();
});

const titles = async (asked: Parameters<App['notes']['similar']>[1]): Promise<readonly string[]> => {
  const found = await app.notes.similar(pool.short_id, asked);
  return found.ok ? found.answer.hits.map(({ title }) => title) : [found.refusal.code];
};

describe('notes similar to a note', () => {
  it('share its most telling words and do not include the note itself', async () => {
    expect(await titles({})).toEqual(['Postgres hangs', 'Database of streets']);
  });

  it('share more than the numbers of a list', async () => {
    const list = await writeNote(store.memory, { title: 'Release steps', body: '1. tag\n2. wait\n3. tell' });
    await writeNote(store.memory, { title: 'Opening hours', body: '1. Monday\n2. Tuesday\n3. Friday' });
    const found = await app.notes.similar(list.short_id, {});
    expect(found).toMatchObject({ ok: true, answer: { hits: [] } });
  });

  it('match the filter, up to the number asked for', async () => {
    expect(await titles({ project: 'other' })).toEqual(['Database of streets']);
    expect(await titles({ k: 1 })).toEqual(['Postgres hangs']);
  });

  it('are refused for a note that does not exist', async () => {
    const found = await app.notes.similar('ZZZZZZ', {});
    expect(found.ok ? undefined : found.refusal.code).toBe('note-unknown');
  });
});
