import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gap, printOf, printWordOf, stemOf, wordsOfPrint } from '../../../src/projections/prints/print.js';
import { splitWords } from '../../../src/projections/search/words.js';
import { splitSpaceless } from '../../../src/projections/spaceless.js';
import { anyText } from '../../support/arbitraries.js';

const wordsOf = (...parts: readonly string[]): readonly number[] => [...wordsOfPrint(printOf(parts))];
const stemsOf = (text: string): readonly number[] => wordsOf(text).map(stemOf);

describe('the print of a note', () => {
  it('holds each word in its order, with a gap between the parts', () => {
    expect(wordsOf('Use the pool', 'pool size')).toEqual([
      ...['use', 'the', 'pool'].map(printWordOf),
      gap,
      ...['pool', 'size'].map(printWordOf),
    ]);
  });

  it('tells the forms of a word apart and knows their stem', () => {
    const [one, other] = wordsOf('connection connections');
    expect(one).not.toBe(other);
    expect(stemsOf('connection')).toEqual(stemsOf('connections'));
  });

  it('folds case, diacritics and composition', () => {
    expect(wordsOf('Grüße CAFÉ')).toEqual(wordsOf('grusse cafe\u0301'.replace('ss', 'ß')));
  });

  it('reads a text with typographic marks as it reads one without', () => {
    expect(wordsOf('the “pool” — 12…')).toEqual(wordsOf('the pool 12'));
  });

  it('has the words of a text beyond ASCII, too', () => {
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

  it('has a word for each word that a search would ask for', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const words = new Set(wordsOf(text));
        for (const word of splitWords(text).flatMap(splitSpaceless))
          if (word.length < 100) expect(words.has(printWordOf(word))).toBe(true);
      }),
      // Cherokee, which the index leaves in capitals; a digit of full width.
      { examples: [['Ꭰ'], ['\uff10']] },
    );
  });

  it('keeps the first 2,000 words of a part', () => {
    expect(wordsOf('word '.repeat(5000), 'tag')).toHaveLength(2002);
  });
});
