/** Law: the pages of a search, put together, are the same list whatever their size, with each hit once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packVectors } from '../../../src/embedding/packed-vectors.js';
import { randomFrom } from '../../../src/projections/eval/compare.js';
import type { Ranking, SearchQuery } from '../../../src/projections/search/search.js';
import { searchPreferring } from '../../../src/projections/search/search.js';
import {
  searchByVectors,
  searchWordsAndVectors,
  type VectorMeaning,
} from '../../../src/projections/search/semantic.js';
import { idOf } from '../../support/arbitraries.js';
import { indexNotes, type NotesIndex } from '../../support/indexed-notes.js';

const count = 200;
const words = 'webhook retry refund payment merchant queue deploy timeout'.split(' ');
let index: NotesIndex;
let meaning: VectorMeaning;

beforeAll(() => {
  const random = randomFrom(7);
  const bodies = Array.from({ length: count }, () => words.filter(() => random() < 0.3).join(' '));
  index = indexNotes(
    bodies.map((body, at) => ({
      title: `Note ${at}`,
      // Long ones fit worse by words, so they move up from far behind where their project is preferred.
      body: `${body} ${'more '.repeat(at % 7 === 0 ? 12 + (at % 9) : at % 13)}\n`,
      project: at % 7 === 0 ? 'shop' : 'other',
      importance: (at % 5) / 5,
    })),
  );
  const versions = Array.from({ length: count }, (_, at) => ({
    journal: 'portable',
    path: `semantic/00/${idOf(at)}.md`,
    blob: String(at).padStart(40, '0'),
  }));
  const placeOf = new Map(versions.map(({ path }, place) => [path, place]));
  const vectors = versions.map(() => Array.from({ length: 4 }, () => 0.05 + random()));
  const packed = packVectors(vectors.map(toLengthOne), 4);
  meaning = {
    vectors: {
      segments: [{ id: 1, counts: new Uint32Array(count).fill(1), ...packed }],
      notesAt: (places) => places.map(({ place }) => versions[place]),
      placesOf: (notes) => notes.map(({ path }) => ({ segment: 1, place: placeOf.get(path) ?? 0 })),
    },
    vectorOf: () => Float32Array.from(toLengthOne([1, 0.2, 0.2, 0.2])),
  };
});
afterAll(() => index.close());

const toLengthOne = (vector: readonly number[]): readonly number[] => {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};

type Search = (query: SearchQuery, preferred: string | undefined) => Ranking;
const searches: Readonly<Record<string, Search>> = {
  'by words': (query, preferred) => searchPreferring(index.database, query, preferred),
  'by words and vectors': (query, preferred) => searchWordsAndVectors(index.database, query, preferred, meaning),
  'by vectors alone': (query, preferred) => searchByVectors(index.database, query, preferred, meaning),
};
const names = Object.keys(searches);
const texts = ['note', 'refund payment', words.join(' ')];

describe.each([undefined, 'shop'])('pages of a search that prefers project %s', (preferred) => {
  it.each(names.flatMap((name) => texts.map((text) => [name, text] as const)))(
    'form the same list whatever their size: %s, %s',
    (name, text) => {
      const page = (k: number, offset: number): Ranking =>
        searches[name]!({ text, filter: {}, nowSeconds: 0, k, offset }, preferred);
      const { total } = page(8, 0);
      const all = page(total, 0).hits.map(({ note }) => note.id);
      expect(all.length).toBe(total);
      expect(new Set(all).size).toBe(total);
      for (const k of [9, 70]) {
        const pages = Array.from({ length: Math.ceil(total / k) }, (_, at) => page(k, at * k));
        expect(pages.flatMap(({ hits }) => hits.map(({ note }) => note.id))).toEqual(all);
        expect(pages.flatMap(({ hits }) => hits.map(({ rank }) => rank))).toEqual(all.map((_, at) => at + 1));
        expect(new Set(pages.map((one) => one.total))).toEqual(new Set([total]));
      }
    },
  );
});
