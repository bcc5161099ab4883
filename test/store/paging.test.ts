import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchOptions } from '../../src/store/search-options.js';
import { searchIndex } from '../../src/store/searching.js';
import { indexNotes, type NotesIndex } from '../support/indexed-notes.js';

const day = (at: number): string => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().replace('.000Z', '+00:00');
const words = 'webhook retry refund payment merchant queue deploy timeout'.split(' ');

let index: NotesIndex;
beforeAll(() => {
  index = indexNotes([
    ...Array.from({ length: 120 }, (_, at) => ({
      title: 'Standup minutes',
      body: '',
      project: 'team',
      updatedAt: day(at),
    })),
    ...Array.from({ length: 90 }, (_, at) => ({
      title: `Payments ${at}`,
      body: `${words.filter((__, word) => (at + word) % (2 + (word % 5)) === 0).join(' ')} ${'more '.repeat(at % 7)}\n`,
      project: at % 4 === 0 ? 'shop' : 'other',
      updatedAt: day((at * 37) % 200),
    })),
  ]);
});
afterAll(() => index.close());

const ask = (text: string, options: SearchOptions) => {
  const { hits, total } = searchIndex(index.database, text, options, 0).ranking;
  return { ids: hits.map(({ note }) => note.id), total };
};
const pagesOf = (text: string, k: number, options: SearchOptions) => {
  const { total } = ask(text, { ...options, k });
  return Array.from({ length: Math.ceil(total / k) }, (_, page) => ask(text, { ...options, k, offset: page * k }));
};

describe('the pages of a search', () => {
  it.each<[what: string, text: string, options: SearchOptions]>([
    ['of many words within a project', words.join(' '), { project: 'shop' }],
    ['of many words where a project is preferred', words.join(' '), { prefer: 'shop' }],
    ['by date', 'payments', { sort: 'date' }],
    ['by importance', 'payments', { sort: 'importance', project: 'other' }],
    ['of notes that are equal except for their dates', 'standup minutes', {}],
  ])('show every hit once, and count the same: %s', (_, text, options) => {
    for (const k of [4, 8, 25]) {
      const pages = pagesOf(text, k, options);
      const ids = pages.flatMap((page) => page.ids);
      expect(new Set(ids).size).toBe(ids.length);
      expect(new Set(pages.map(({ total }) => total)).size).toBe(1);
      expect(ids.length).toBe(pages[0]?.total);
    }
  });

  it('begin with the newest of any number of otherwise equal notes', () => {
    const { hits } = searchIndex(index.database, 'standup minutes', { k: 3 }, 0).ranking;
    expect(hits.map(({ note }) => note.updatedAt.slice(0, 10))).toEqual(['2026-04-30', '2026-04-29', '2026-04-28']);
  });
});
