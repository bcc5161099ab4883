import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CasePair, compareRankings, leastChanged } from '../../../src/projections/eval/compare.js';

const ranking = (rank: number | undefined) => ({
  relevant: ['x'],
  ranked: Array.from({ length: 10 }, (_, at) => (at + 1 === rank ? 'x' : `n${at}`)),
});
const pair = (before: number | undefined, after: number | undefined): CasePair => ({
  before: ranking(before),
  after: ranking(after),
});
const times = (count: number, one: CasePair): readonly CasePair[] => Array.from({ length: count }, () => one);
const anyPair = fc
  .tuple(fc.integer({ min: 1, max: 11 }), fc.integer({ min: 1, max: 11 }))
  .map(([before, after]) => pair(before, after));

describe('compareRankings', () => {
  it('says better where the right note ranks higher, and worse where it ranks lower', () => {
    const better = compareRankings([[...times(30, pair(2, 1)), ...times(30, pair(1, 1))]]);
    expect(better['MRR@10']).toMatchObject({
      before: 0.75,
      after: 1,
      difference: 0.25,
      changed: 30,
      verdict: 'better',
    });
    expect(better['hit@1'].verdict).toBe('better');
    expect(better['hit@8']).toMatchObject({ difference: 0, low: 0, high: 0, changed: 0, verdict: 'no difference' });
    const worse = compareRankings([[...times(30, pair(1, 2)), ...times(30, pair(1, 1))]]);
    expect(worse['MRR@10']).toMatchObject({ difference: -0.25, verdict: 'worse' });
  });

  it('says no difference where as many cases get better as worse', () => {
    const { 'nDCG@10': ndcg } = compareRankings([[...times(20, pair(2, 1)), ...times(20, pair(1, 2))]]);
    expect(ndcg.verdict).toBe('no difference');
    expect(ndcg.low).toBeLessThan(0);
    expect(ndcg.high).toBeGreaterThan(0);
  });

  it('says no difference where too few cases changed to tell, even if all got better', () => {
    const changed = (count: number) => compareRankings([times(count, pair(undefined, 1))])['hit@1'];
    expect(changed(leastChanged - 1)).toMatchObject({ low: 1, verdict: 'no difference' });
    expect(changed(leastChanged).verdict).toBe('better');
  });

  it('finds no difference when anything is compared with itself', () => {
    fc.assert(
      fc.property(fc.array(anyPair, { maxLength: 20 }), (pairs) => {
        const same = pairs.map(({ before }) => ({ before, after: before }));
        for (const { difference, low, high, verdict } of Object.values(compareRankings([same]))) {
          expect({ difference, low, high, verdict }).toEqual({
            difference: 0,
            low: 0,
            high: 0,
            verdict: 'no difference',
          });
        }
      }),
      { numRuns: 15 },
    );
  });

  it('reports the difference of the means, within its interval', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyPair, { minLength: 5, maxLength: 20 }), { maxLength: 3 }), (groups) => {
        for (const { before, after, difference, low, high } of Object.values(compareRankings(groups))) {
          expect(difference).toBeCloseTo(after - before, 9);
          expect(low).toBeLessThanOrEqual(difference + 1e-9);
          expect(high).toBeGreaterThanOrEqual(difference - 1e-9);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('leaves out cases without a relevant note on one side, and weights sets equally', () => {
    const without: CasePair = { before: { relevant: [], ranked: ['a'] }, after: ranking(1) };
    const { 'hit@1': hit } = compareRankings([[without], times(2, pair(2, 1)), [...times(40, pair(1, 1)), without]]);
    expect(hit).toMatchObject({ before: 0.5, after: 1, changed: 2 });
  });
});
