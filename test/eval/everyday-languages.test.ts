import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureIfDue } from '../../src/projections/recall/calibrating.js';
import { recallNotes } from '../../src/projections/recall/recall.js';
import { storeThresholds } from '../../src/projections/recall/thresholds.js';
import { searchIndex } from '../../src/store/searching.js';
import { idOf } from '../support/arbitraries.js';
import { indexNotes, type NotesIndex } from '../support/indexed-notes.js';
import * as data from './everyday-languages-data.js';

/** The project of notes that name none. */
const project = 'shop';
let few: NotesIndex;
let many: NotesIndex;
beforeAll(() => {
  few = indexNotes(data.mixedNotes.filter((_, at) => at < 2 || at === 8 || at === 14));
  many = indexNotes(data.mixedNotes);
  const measured = measureIfDue(many.database);
  expect(measured).toBeDefined();
  if (measured !== undefined) storeThresholds(many.database, measured);
});
afterAll(() => {
  few.close();
  many.close();
});

const recall = (index: NotesIndex, text: string): readonly string[] =>
  recallNotes(index.database, { text, project, k: 5, nowSeconds: 0, exclude: new Set() }).notes.map(
    ({ note }) => note.id,
  );

const everyday: readonly [language: string, prompts: readonly string[]][] = [
  ['German', data.germanEveryday],
  ['French', data.frenchEveryday],
  ['Spanish', data.spanishEveryday],
];

describe('an everyday prompt', () => {
  it.each(everyday)(
    'in %s gets a note in at most one of sixteen cases, whether there are few notes or many',
    (_, prompts) => {
      for (const index of [few, many]) {
        const given = prompts.filter((prompt) => recall(index, prompt).length > 0);
        expect(given.length, given.join(' | ')).toBeLessThanOrEqual(1);
      }
    },
  );
});

describe('a prompt about a note', () => {
  it('gets that note in any of these languages in nine of ten cases', () => {
    const missed = data.aboutMixedNotes.filter(({ query, note }) => !recall(many, query).includes(idOf(note)));
    expect(missed.length, missed.map(({ query }) => query).join(' | ')).toBeLessThanOrEqual(1);
  });
});

describe('a search', () => {
  it('ranks the note that a question is about first in nine of ten cases', () => {
    const missed = data.aboutMixedNotes.filter(
      ({ query, note }) => searchIndex(many.database, query, { k: 8 }, 0).ranking.hits[0]?.note.id !== idOf(note),
    );
    expect(missed.length, missed.map(({ query }) => query).join(' | ')).toBeLessThanOrEqual(1);
  });
});
