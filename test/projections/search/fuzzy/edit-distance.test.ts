import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  editDistance,
  oneEditAway,
  trigramSimilarity,
} from '../../../../src/projections/search/fuzzy/edit-distance.js';

const word = fc.stringMatching(/^[a-d]{1,8}$/);

describe('editDistance', () => {
  it.each<[string, string, number]>([
    ['connection', 'connection', 0],
    ['conection', 'connection', 1],
    ['connnection', 'connection', 1],
    ['connaction', 'connection', 1],
    ['conenction', 'connection', 1],
    ['abcd', 'badc', 2],
    ['deploy', 'rollback', 3],
    ['ab', 'abcdef', 3],
  ])('of %s and %s is %i', (a, b, expected) => {
    expect(editDistance(a, b, 2)).toBe(expected);
    expect(editDistance(b, a, 2)).toBe(expected);
  });

  it('is 1 for exactly the words that are one slip away', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b, 2) === 1).toBe(oneEditAway(a).has(b));
      }),
    );
  });

  it('ends early at the limit without changing the result', () => {
    fc.assert(
      fc.property(word, word, fc.nat({ max: 4 }), (a, b, most) => {
        expect(editDistance(a, b, most)).toBe(Math.min(editDistance(a, b, 20), most + 1));
      }),
    );
  });
});

describe('trigramSimilarity', () => {
  it('is 1 for a word with itself and 0 for words that share nothing', () => {
    expect(trigramSimilarity('docker', 'docker')).toBe(1);
    expect(trigramSimilarity('docker', 'magic')).toBe(0);
  });

  it('counts the ends of a word, which a swap inside leaves unchanged', () => {
    expect(trigramSimilarity('dokcer', 'docker')).toBeCloseTo(3 / 11);
  });
});
