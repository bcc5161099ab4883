/** Notes that are asked for by their id or a part of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchOptions } from '../../src/store/search-options.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
let part = '';
beforeAll(async () => {
  store = openStore();
  const { id } = await writeNote(store.memory, {
    title: 'Target',
    body: 'Itself.',
    scope: 'machine-local',
    tags: ['a'],
  });
  // With letters only, it could be a word of the notes that mention it.
  part = id.slice(Math.min(id.length - 8, id.search(/\d\D*$/)));
  for (let n = 1; n <= 6; n += 1) await writeNote(store.memory, { title: `Mention ${n}`, body: `As in ${part}.` });
});
afterAll(() => store.close());

const search = async (options: SearchOptions = {}) => {
  const { hits, total } = await store.memory.search(part, options);
  return { titles: hits.map(({ title }) => title), total };
};

describe('a search for an id', () => {
  it('shows the note before those that mention it, and each of them on one page', async () => {
    const pages = [await search({ k: 3 }), await search({ k: 3, offset: 3 }), await search({ k: 3, offset: 6 })];
    expect(pages.flatMap(({ titles }) => titles)).toEqual(['Target', ...(await search({ k: 7 })).titles.slice(1)]);
    expect(new Set(pages.flatMap(({ titles }) => titles)).size).toBe(7);
    expect(pages.map(({ total }) => total)).toEqual([7, 7, 7]);
  });
  it('leaves out notes that have the letters and digits of the id only as separate words', async () => {
    const pieces = /([A-Z]{2,})(\d{2,})$/;
    let found: RegExpExecArray | null = null;
    let title = '';
    for (let n = 1; found === null; n += 1) {
      title = `Filler ${n}`;
      found = pieces.exec((await writeNote(store.memory, { title, body: 'Of no interest.' })).id.slice(-6));
    }
    const [, letters = '', digits = ''] = found;
    const typed = await store.memory.search(title, { k: 1 });
    await writeNote(store.memory, { title: 'Stray', body: `The ${letters} of ${digits} boxes.` });
    const { hits } = await store.memory.search(typed.hits[0]?.short_id ?? '', {});
    expect(hits.map((hit) => hit.title)).toEqual([title]);
  });

  it.each<[string, SearchOptions, boolean]>([
    ['its scope', { scope: 'machine-local' }, true],
    ['another scope', { scope: 'portable' }, false],
    ['its tag', { tags: ['a'] }, true],
    ['another tag', { tags: ['b'] }, false],
    ['another type', { type: 'episodic' }, false],
    ['a time before it', { before: 1_000_000 }, false],
  ])('shows the note only if it passes the filter: %s', async (_, filter, isShown) => {
    expect((await search(filter)).titles.includes('Target')).toBe(isShown);
  });
});
