/** How well hits fit, from 0 to 1, comparable across queries. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchOptions } from '../../src/store/search-options.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
beforeAll(async () => {
  store = openStore();
  await writeNote(store.memory, { title: 'Alpha builds', body: 'The alpha channel is built at night.' });
  await writeNote(store.memory, { title: 'Alpha', body: 'Who gets it.' });
  for (let n = 0; n < 8; n += 1) await writeNote(store.memory, { title: `Bakery ${n}`, body: 'Bread and rolls.' });
});
afterAll(() => store.close());

const fits = async (text: string, options: SearchOptions = {}): Promise<readonly (number | undefined)[]> =>
  (await store.memory.search(text, options)).hits.map(({ fit }) => fit);

describe('the fit of hits', () => {
  it('is 1 for the best hit if it has every word, and falls with the score', async () => {
    const [first, second] = await fits('alpha channel night');
    expect(first).toBe(1);
    expect(second).toBeLessThan(0.9);
  });
  it('is low when no note has most words of the query', async () => {
    const [first = 1] = await fits('wombat alpha zeppelin quantum');
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(0.35);
  });
  it('is the same on any page and in any order', async () => {
    const all = await fits('alpha bread zeppelin', { k: 10 });
    expect(await fits('alpha bread zeppelin', { k: 5, offset: 5 })).toEqual(all.slice(5));
    expect((await fits('alpha bread zeppelin', { k: 10, sort: 'date' })).toSorted()).toEqual(all.toSorted());
  });
  it('counts the words of the note that was replaced', async () => {
    const older = await writeNote(store.memory, { title: 'MySQL on 3306', body: 'Orders.' });
    await writeNote(store.memory, { title: 'Postgres now', body: 'Moved.', supersedes: [older.id] });
    expect(await fits('mysql 3306')).toEqual([1]);
  });
  it('is 1 for a note that is asked for by its id', async () => {
    const { id } = await writeNote(store.memory, { title: 'Named', body: 'Whatever.' });
    expect(await fits(id)).toEqual([1]);
  });
  it('is 1 for the best hit when only prefixes are asked for', async () => {
    const [first, second] = await fits('alph*');
    expect(first).toBe(1);
    expect(second).toBeLessThan(1);
  });
  it('of an exact search depends on how often the text occurs', async () => {
    expect(await fits('lpha', { mode: 'exact' })).toEqual([1, 0.5].map((fit) => expect.closeTo(fit, 1)));
  });
});
