import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SearchOptions } from '../../src/store/search-options.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(() => store.close());

const old = { title: 'MySQL listens on port 3306', body: 'The orders database is MySQL.\n' };
const now = { title: 'Orders moved to Postgres', body: 'It listens on 5432 since the migration.\n' };
const search = async (text: string, options: SearchOptions = {}) => {
  const { hits, total } = await store.memory.search(text, options);
  return { titles: hits.map(({ title }) => title), insteadOf: hits.map((hit) => hit.instead_of), total };
};
const replaced = async () => {
  const older = await writeNote(store.memory, old);
  return { older, newer: await writeNote(store.memory, { ...now, supersedes: [older.id] }) };
};

describe('a search for words of a superseded note', () => {
  it('returns the note that replaced it, and says so', async () => {
    const { older } = await replaced();
    const { titles, insteadOf, total } = await search('mysql');
    expect(titles).toEqual([now.title]);
    expect(older.id.endsWith(insteadOf[0] ?? '-')).toBe(true);
    expect(total).toBe(1);
  });

  it('returns the last of a chain, once', async () => {
    const { newer } = await replaced();
    const last = { title: 'Orders are kept by a vendor', body: 'Nothing to run any more.\n' };
    await writeNote(store.memory, { ...last, supersedes: [newer.id] });
    expect((await search('mysql')).titles).toEqual([last.title]);
    expect((await search('mysql orders migration')).titles).toEqual([last.title]);
  });

  it('returns a successor that has the words itself as an ordinary hit', async () => {
    const older = await writeNote(store.memory, { title: 'Pool size', body: 'Twenty.\n' });
    await writeNote(store.memory, {
      title: 'Pool size of the pool',
      body: 'Forty: pool size.\n',
      supersedes: [older.id],
    });
    await writeNote(store.memory, { title: 'Coffee', body: 'Descaled monthly.\n' });
    const { titles, insteadOf, total } = await search('pool');
    expect(titles).toEqual(['Pool size of the pool']);
    expect(insteadOf).toEqual([undefined]);
    expect(total).toBe(1);
  });

  it('returns nothing when the successor has expired or does not pass the filter', async () => {
    const { newer } = await replaced();
    expect((await search('mysql', { type: 'procedural' })).titles).toEqual([]);
    await store.memory.perform({ kind: 'edit', id: newer.id, set: { expiresAt: '2020-01-01T00:00:00+00:00' } });
    expect((await search('mysql')).titles).toEqual([]);
  });

  it('does not reveal the words of a note to a user that it is hidden from', async () => {
    await replaced();
    expect((await search('mysql', { user: 'somebody-else' })).titles).toEqual([]);
  });

  it('returns the successor only for plain words, not for operators, phrases or a sort order', async () => {
    await replaced();
    await writeNote(store.memory, { title: 'MySQL is gone', body: 'No database is MySQL any more.\n' });
    expect((await search('mysql')).titles).toEqual(['MySQL is gone', now.title]);
    for (const [text, options] of [['mysql -redis'], ['"database is MySQL"'], ['mysql', { sort: 'date' }]] as const)
      expect((await search(text, options)).titles).toEqual(['MySQL is gone']);
  });

  it('shows no hit on two pages', async () => {
    await replaced();
    for (let at = 0; at < 6; at += 1)
      await writeNote(store.memory, { title: `Port ${at}`, body: `Port of server ${at}.\n` });
    const pages = await Promise.all([0, 3, 6].map((offset) => search('mysql port', { k: 3, offset })));
    const all = pages.flatMap(({ titles }) => titles);
    expect(all).toHaveLength(7);
    expect(new Set(all).size).toBe(7);
    expect(pages.map(({ total }) => total)).toEqual([7, 7, 7]);
  });
});
