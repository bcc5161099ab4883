import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf, openUnits, WordTable } from '../../../src/projections/prints/word-table.js';

const unitsOf = openUnits();
const find = (table: WordTable, word: string): number => table.find(unitsOf(word), 0, word.length, hashOf(word));
const add = (table: WordTable, word: string): number => table.add(unitsOf(word), 0, word.length, hashOf(word));

describe('a table of words', () => {
  it('numbers words in the order in which they are added, and finds each again', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string().map((word) => word.toLowerCase())), (words) => {
        const table = new WordTable();
        expect(words.map((word) => find(table, word))).toEqual(words.map(() => -1));
        expect(words.map((word) => add(table, word))).toEqual([...words.keys()]);
        expect(words.map((word) => find(table, word))).toEqual([...words.keys()]);
        expect(words.map((_, number) => table.wordAt(number))).toEqual(words);
      }),
    );
  });

  it('keeps apart words with the same hash', () => {
    const table = new WordTable();
    const units = unitsOf('onetwo');
    expect([table.add(units, 0, 3, 7), table.add(units, 3, 6, 7)]).toEqual([0, 1]);
    expect([table.find(units, 0, 3, 7), table.find(units, 3, 6, 7), table.find(units, 2, 5, 7)]).toEqual([0, 1, -1]);
  });

  it('finds a word in ASCII capitals as its lower-case form', () => {
    const table = new WordTable();
    add(table, 'pool');
    const text = unitsOf('the POOL');
    expect(table.find(text, 4, 8, hashOf('pool'))).toBe(0);
  });

  it('grows as words are added, and is empty once cleared', () => {
    const table = new WordTable();
    const words = Array.from({ length: 5000 }, (_, at) => `word${at}`.padEnd(at % 50, 'x'));
    for (const word of words) add(table, word);
    expect(words.map((word) => find(table, word))).toEqual([...words.keys()]);
    table.clear();
    expect([table.size, table.units, find(table, 'word1')]).toEqual([0, 0, -1]);
    expect(add(table, 'word7')).toBe(0);
  });
});
