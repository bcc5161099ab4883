import { describe, expect, it } from 'vitest';
import { printOf as bytesOf, wordsOfPrint } from '../../../src/projections/prints/print.js';
import { nearnessOf } from '../../../src/projections/search/word-scores.js';

const printOf = (parts: readonly string[]): Uint32Array => wordsOfPrint(bytesOf(parts));
const total = 1000;
const asked = (text: string) => text.split(' ').map((word) => ({ word, notes: 10 }));
/** Scores bodies of equal length, so that only the places of their words differ. */
const scores = (query: string, ...bodies: readonly string[]): readonly number[] =>
  nearnessOf(
    asked(query),
    total,
    bodies.map((body) => printOf(['', body])),
  );
const filler = (words: number): string => 'lorem '.repeat(words).trim();

describe('nearnessOf', () => {
  it('is greater the nearer two words are', () => {
    const [near = 0, lessNear = 0, far = 0] = scores(
      'pool size',
      `pool ${filler(3)} size ${filler(37)}`,
      `pool ${filler(12)} size ${filler(28)}`,
      `pool ${filler(40)} size`,
    );
    expect(near).toBeGreaterThan(lessNear);
    expect(lessNear).toBeGreaterThan(far);
  });

  it('does not depend on the order of the words', () => {
    const [forth = 0, back = 0] = scores('pool size', 'pool size', 'size pool');
    expect(forth).toBe(back);
  });

  it('is greater for the form that was asked for than for another one', () => {
    const [same = 0, other = 0] = scores('connections', 'many connections', 'one connection');
    expect(same).toBeGreaterThan(other);
    expect(other).toBeGreaterThan(0);
  });

  it('does not count nearness across the parts of a note', () => {
    const [inOne = 0, across = 0] = nearnessOf(asked('pool size'), total, [
      printOf(['pool size', 'text']),
      printOf(['pool', 'size text']),
    ]);
    expect(inOne).toBeGreaterThan(across);
  });

  it('weighs rare words more than common ones, and ignores words that no note has', () => {
    const print = [printOf(['pool size', ''])];
    const of = (notes: number) =>
      nearnessOf(
        [
          { word: 'pool', notes },
          { word: 'size', notes },
        ],
        total,
        print,
      )[0] ?? 0;
    expect(of(2)).toBeGreaterThan(of(200));
    expect(of(0)).toBe(0);
  });

  it('is 0 if a note has no print, and if nothing was asked', () => {
    expect(nearnessOf(asked('pool'), total, [undefined])).toEqual([0]);
    expect(nearnessOf([], total, [printOf(['pool'])])).toEqual([0]);
  });

  it('stays a number in a store of one note', () => {
    expect(nearnessOf([{ word: 'pool', notes: 1 }], 1, [printOf(['pool pool', ''])])[0]).toBeLessThan(20);
  });
});
