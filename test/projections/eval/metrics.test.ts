import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  firstHitRank,
  hitAt,
  mean,
  measure,
  median,
  ndcgAt,
  percentile,
  type RankedCase,
  recallAt,
  reciprocalRank,
} from '../../../src/projections/eval/metrics.js';

const noteIds = Array.from({ length: 24 }, (_, i) => `n${i}`);
const anyCase: fc.Arbitrary<RankedCase> = fc.record({
  id: fc.string(),
  relevant: fc.subarray(noteIds, { maxLength: 12 }),
  ranked: fc.shuffledSubarray(noteIds),
});
const anyJudgedCase = anyCase.filter(({ relevant }) => relevant.length > 0);
const anyK = fc.integer({ min: 1, max: 30 });

const caseOf = (relevant: string, ranked: string): RankedCase => ({
  id: 'c',
  relevant: relevant.split('').filter((id) => id !== ' '),
  ranked: ranked.split(''),
});

describe('one case', () => {
  it('has a hit for every k from the rank of its first relevant note', () => {
    const ranked = caseOf('c', 'abcd');
    expect([1, 2, 3, 4].map((k) => hitAt(k)(ranked))).toEqual([0, 0, 1, 1]);
  });

  it('recalls the share of its relevant notes that are in the first k', () => {
    const ranked = caseOf('adx', 'abcd');
    expect([1, 3, 4].map((k) => recallAt(k)(ranked))).toEqual([1 / 3, 1 / 3, 2 / 3]);
  });

  it('has the reciprocal rank of the first relevant note only, and 0 when that comes after k', () => {
    expect(reciprocalRank(10)(caseOf('bd', 'abcd'))).toBe(1 / 2);
    expect(reciprocalRank(3)(caseOf('d', 'abcd'))).toBe(0);
  });

  it('has the nDCG of the hand-computed example', () => {
    // Relevant at ranks 2 and 4: (1/log2(3) + 1/log2(5)) over (1 + 1/log2(3)).
    expect(ndcgAt(10)(caseOf('bd', 'abcd'))).toBeCloseTo((0.6309297536 + 0.4306765581) / 1.6309297536, 9);
    // Three are relevant and one of them is in the first 2, where the ideal order has two.
    expect(ndcgAt(2)(caseOf('bcd', 'abcd'))).toBeCloseTo(0.6309297536 / 1.6309297536, 9);
  });

  it('counts a relevant note once even if it is listed twice', () => {
    const ranked = { relevant: ['a', 'a'], ranked: ['a', 'b'] };
    expect([recallAt(8)(ranked), ndcgAt(10)(ranked)]).toEqual([1, 1]);
  });

  it('counts only equal ids as a hit', () => {
    expect(hitAt(8)({ relevant: ['notes/a'], ranked: ['notes/a.md', 'NOTES/A', 'a'] })).toBe(0);
  });

  it('knows the rank of the first hit beyond any k', () => {
    expect(firstHitRank(caseOf('z', 'abcdefghijklmnopqrstuvwxyz'))).toBe(26);
    expect(firstHitRank(caseOf('z', 'abc'))).toBeUndefined();
  });
});

describe('measure', () => {
  it('returns the hand-computed means', () => {
    const { hit, ...rest } = measure([
      caseOf('a', 'abc'),
      caseOf('c', 'abc'),
      caseOf('xb', 'abc'),
      caseOf('x', 'abc'),
      caseOf(' ', 'abc'),
    ]);
    expect(hit).toEqual({ 1: 1 / 4, 3: 3 / 4, 5: 3 / 4, 8: 3 / 4, 10: 3 / 4 });
    expect(rest).toEqual({
      cases: 5,
      casesWithoutRelevant: 1,
      recall8: (1 + 1 + 1 / 2) / 4,
      mrr10: (1 + 1 / 3 + 1 / 2) / 4,
      ndcg10: expect.closeTo((1 + 1 / 2 + 0.6309297536 / 1.6309297536) / 4, 9),
    });
  });

  it.each([[[]], [[caseOf(' ', 'abc')]]])('returns 0 when there is nothing to average', (cases) => {
    expect(measure(cases)).toEqual({
      cases: cases.length,
      casesWithoutRelevant: cases.length,
      hit: { 1: 0, 3: 0, 5: 0, 8: 0, 10: 0 },
      recall8: 0,
      mrr10: 0,
      ndcg10: 0,
    });
  });

  it('stays between 0 and 1', () => {
    fc.assert(
      fc.property(fc.array(anyCase), (cases) => {
        const { hit, recall8, mrr10, ndcg10 } = measure(cases);
        for (const value of [...Object.values(hit), recall8, mrr10, ndcg10]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('never has fewer hits at a greater k', () => {
    fc.assert(
      fc.property(fc.array(anyCase), (cases) => {
        const { hit } = measure(cases);
        const inOrder = [hit[1], hit[3], hit[5], hit[8], hit[10]];
        expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
      }),
    );
  });

  it('returns 1 everywhere for the ideal order, except for Recall@8 when more than 8 are relevant', () => {
    fc.assert(
      fc.property(anyJudgedCase, ({ id, relevant }) => {
        const others = noteIds.filter((note) => !relevant.includes(note));
        const { hit, recall8, mrr10, ndcg10 } = measure([{ id, relevant, ranked: [...relevant, ...others] }]);
        expect([...Object.values(hit), mrr10, ndcg10]).toEqual(Array(7).fill(1));
        expect(recall8).toBe(Math.min(8 / relevant.length, 1));
      }),
    );
  });

  it('ignores cases without a relevant note', () => {
    fc.assert(
      fc.property(fc.array(anyCase), (cases) => {
        const judged = cases.filter(({ relevant }) => relevant.length > 0);
        const without = cases.length - judged.length;
        expect(measure(cases)).toEqual({ ...measure(judged), cases: cases.length, casesWithoutRelevant: without });
      }),
    );
  });
});

it('never lowers a metric when a relevant note changes places with an irrelevant one above it', () => {
  fc.assert(
    fc.property(anyJudgedCase, anyK, fc.nat(), fc.nat(), (before, k, a, b) => {
      const { relevant, ranked } = before;
      const isRelevant = (rank: number): boolean => relevant.includes(ranked[rank]!);
      const above = Math.min(a, b) % Math.max(ranked.length, 1);
      const below = Math.max(a, b) % Math.max(ranked.length, 1);
      fc.pre(above < below && !isRelevant(above) && isRelevant(below));
      const swapped = ranked.with(above, ranked[below]!).with(below, ranked[above]!);
      for (const metricAt of [hitAt, recallAt, reciprocalRank, ndcgAt]) {
        expect(metricAt(k)({ relevant, ranked: swapped })).toBeGreaterThanOrEqual(metricAt(k)(before));
      }
    }),
  );
});

describe('statistics', () => {
  it('returns 0 for no values', () => {
    expect([mean([]), median([]), percentile([], 95)]).toEqual([0, 0, 0]);
  });

  it('takes the middle value, or halfway between the middle two', () => {
    expect([median([9, 1, 5]), median([10, 9, 1, 2])]).toEqual([5, 5.5]);
  });

  it('takes the nearest rank for a percentile', () => {
    const values = [35, 20, 15, 50, 40];
    expect([0, 5, 30, 40, 50, 100].map((p) => percentile(values, p))).toEqual([15, 15, 20, 20, 35, 50]);
  });

  it('finds every rank of a hundred values, whatever the rounding', () => {
    const values = Array.from({ length: 100 }, (_, i) => i + 1);
    for (const p of values) expect(percentile(values, p)).toBe(p);
  });

  it('leaves at least p percent of the values at or below the percentile', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), fc.integer({ min: 0, max: 100 }), (values, p) => {
        const found = percentile(values, p);
        expect(values).toContain(found);
        expect(values.filter((value) => value <= found).length * 100).toBeGreaterThanOrEqual(p * values.length);
      }),
    );
  });

  it('does not sort the values it is given', () => {
    const values = [3, 1, 2];
    median(values);
    percentile(values, 50);
    expect(values).toEqual([3, 1, 2]);
  });
});
