import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  gap,
  printOf,
  printWordOf,
  readNoteWords,
  stemOf,
  wordsOfPrint,
} from '../../../src/projections/prints/print.js';
import { composed } from '../../../src/projections/prints/read-words.js';
import { splitWords } from '../../../src/projections/search/words.js';
import { splitSpaceless } from '../../../src/projections/word-parts.js';
import { anyText } from '../../support/arbitraries.js';

const wordsOf = (...parts: readonly string[]): readonly number[] => [...wordsOfPrint(printOf(parts))];
/** Characters that compose with a neighbour, end a word or are words themselves. */
const pieces = [
  '=',
  '<',
  ' ',
  'a',
  'Z',
  '9',
  '\u0301',
  '\u0338',
  '\u2014',
  '\u2026',
  'é',
  'ı',
  '\uff76\uff9e',
  '中文',
  '\u1112\u1161',
  '\ud800',
];

const stemsOf = (text: string): readonly number[] => wordsOf(text).map(stemOf);

describe('the print of a note', () => {
  it('holds each word in order, with a gap between the parts', () => {
    expect(wordsOf('Use the pool', 'pool size')).toEqual([
      ...['use', 'the', 'pool'].map(printWordOf),
      gap,
      ...['pool', 'size'].map(printWordOf),
    ]);
  });

  it('distinguishes the forms of a word and knows their stem', () => {
    const [one, other] = wordsOf('connection connections');
    expect(one).not.toBe(other);
    expect(stemsOf('connection')).toEqual(stemsOf('connections'));
  });

  it('folds case, diacritics and composition', () => {
    expect(wordsOf('Grüße CAFÉ')).toEqual(wordsOf('grusse cafe\u0301'.replace('ss', 'ß')));
  });

  it('is the same with typographic marks as without', () => {
    expect(wordsOf('the “pool” — 12…')).toEqual(wordsOf('the pool 12'));
  });

  it('has words beyond ASCII', () => {
    expect(wordsOf('pool 迁移 größe')).toEqual(['pool', '迁移', 'größe'].map(printWordOf));
  });

  it('is the same whatever was read before', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 3 }), anyText, (parts, other) => {
        const before = printOf(parts);
        printOf([other]);
        expect(printOf(parts).equals(before)).toBe(true);
      }),
    );
  });

  it('has every word that a search would ask for', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const words = new Set(wordsOf(text));
        for (const word of splitWords(text).flatMap(splitSpaceless))
          if (word.length < 100) expect(words.has(printWordOf(word))).toBe(true);
      }),
      // Cherokee, which the index leaves in capitals; a full-width digit.
      { examples: [['Ꭰ'], ['\uff10']] },
    );
  });

  it('has the words of the whole text, wherever it has letters beyond ASCII', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText, fc.constantFrom(...pieces)), { maxLength: 12 }), (texts) => {
        const text = texts.join('');
        const runs = composed(text).match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
        expect(wordsOf(text)).toEqual(runs.flatMap(splitSpaceless).map(printWordOf));
      }),
    );
  });

  it('gives the words of each note as places in a shared list', () => {
    const list: string[] = [];
    const [first, second] = ['The pools, the Pool', 'deploy a pool'].map((text) => readNoteWords([text], list).words);
    expect(list).toEqual(['the', 'pools', 'pool', 'deploy']);
    expect([first?.places, second?.places]).toEqual([
      [0, 1, 2],
      [3, 2],
    ]);
    expect(readNoteWords(['pool'], []).words).toEqual({ list: ['pool'], places: [0] });
  });

  it('keeps the first 2,000 words of a part', () => {
    expect(wordsOf('word '.repeat(5000), 'tag')).toHaveLength(2002);
  });
});
