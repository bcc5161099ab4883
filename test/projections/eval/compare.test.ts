import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bootstrapMean,
  type CasePair,
  compareRankings,
  leastChanged,
  randomFrom,
} from '../../../src/projections/eval/compare.js';
import { mean } from '../../../src/projections/eval/metrics.js';

const ranking = (rank: number | undefined) => ({
  relevant: ['x'],
  ranked: Array.from({ length: 10 }, (_, at) => (at + 1 === rank ? 'x' : `n${at}`)),
});
const pair = (before: number | undefined, after: number | undefined): CasePair => ({
  before: ranking(before),
  after: ranking(after),
});
const times = (count: number, one: CasePair): readonly CasePair[] => Array.from({ length: count }, () => one);
const anyRank = fc.integer({ min: 1, max: 11 });
const anyPair = fc.tuple(anyRank, anyRank).map(([before, after]) => pair(before, after));

describe('compareRankings', () => {
  it('says better where the right note ranks higher, and worse where it ranks lower', () => {
    const better = compareRankings([[...times(30, pair(3, 1)), ...times(30, pair(1, 1))]]);
    expect(better).toMatchObject({ before: 0.75, after: 1, difference: 0.25, changed: 30, verdict: 'better' });
    const worse = compareRankings([[...times(30, pair(1, 3)), ...times(30, pair(1, 1))]]);
    expect(worse).toMatchObject({ difference: -0.25, verdict: 'worse' });
  });

  it('says no difference where as many cases get better as worse', () => {
    const { low, high, verdict } = compareRankings([[...times(20, pair(2, 1)), ...times(20, pair(1, 2))]]);
    expect(verdict).toBe('no difference');
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0);
  });

  it('says no difference where too few cases changed to tell, even if all got better', () => {
    const changed = (count: number) => compareRankings([times(count, pair(undefined, 1))]);
    expect(changed(leastChanged - 1)).toMatchObject({ low: 1, verdict: 'no difference' });
    expect(changed(leastChanged).verdict).toBe('better');
  });

  it('finds no difference when anything is compared with itself', () => {
    fc.assert(
      fc.property(fc.array(anyPair, { maxLength: 20 }), (pairs) => {
        const same = pairs.map(({ before }) => ({ before, after: before }));
        expect(compareRankings([same])).toMatchObject({ difference: 0, low: 0, high: 0, verdict: 'no difference' });
      }),
      { numRuns: 15 },
    );
  });

  it('reports the difference of the means, within its interval', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyPair, { minLength: 5, maxLength: 20 }), { maxLength: 3 }), (groups) => {
        const { before, after, difference, low, high } = compareRankings(groups);
        expect(difference).toBeCloseTo(after - before, 9);
        expect(low).toBeLessThanOrEqual(difference + 1e-9);
        expect(high).toBeGreaterThanOrEqual(difference - 1e-9);
      }),
      { numRuns: 15 },
    );
  });

  it('leaves out cases without a relevant note on one side, and weights sets equally', () => {
    const without: CasePair = { before: { relevant: [], ranked: ['a'] }, after: ranking(1) };
    const found = compareRankings([[without], times(2, pair(3, 1)), [...times(40, pair(1, 1)), without]]);
    expect(found).toMatchObject({ before: 0.75, after: 1, changed: 2 });
  });
});

describe('bootstrapMean', () => {
  const anyValues = fc.array(
    fc.integer({ min: -4, max: 4 }).map((quarters) => quarters / 4),
    { minLength: 1, maxLength: 30 },
  );

  it('returns the same interval for the same seed and a different one for another seed', () => {
    const values = [Array.from({ length: 50 }, (_, at) => Math.sin(at))];
    expect(bootstrapMean(values, { seed: 3 })).toEqual(bootstrapMean(values, { seed: 3 }));
    expect(bootstrapMean(values, { seed: 3 })).not.toEqual(bootstrapMean(values, { seed: 4 }));
  });

  it('stays between the least and the greatest value, and is mirrored when the values change sign', () => {
    fc.assert(
      fc.property(anyValues, fc.nat(), (values, seed) => {
        const { low, high } = bootstrapMean([values], { draws: 300, seed });
        expect(low).toBeLessThanOrEqual(high);
        expect(low).toBeGreaterThanOrEqual(Math.min(...values) - 1e-12);
        expect(high).toBeLessThanOrEqual(Math.max(...values) + 1e-12);
        const negated = bootstrapMean([values.map((value) => -value)], { draws: 300, seed });
        expect([negated.low + 0, negated.high + 0]).toEqual([-high + 0, -low + 0]);
      }),
    );
  });

  it('leaves out groups without values and weights the others equally, whatever their size', () => {
    expect(bootstrapMean([[1, 1], [], Array.from({ length: 200 }, () => 0)])).toEqual({ low: 0.5, high: 0.5 });
    expect(bootstrapMean([[], []])).toEqual({ low: 0, high: 0 });
  });

  it('contains the true mean in about 95 of 100 samples', () => {
    const random = randomFrom(7);
    const held = Array.from({ length: 300 }, (_, seed): number => {
      const sample = Array.from({ length: 60 }, () => (random() < 0.3 ? 1 : 0));
      const { low, high } = bootstrapMean([sample], { draws: 500, seed });
      return low <= 0.3 && 0.3 <= high ? 1 : 0;
    });
    expect(mean(held)).toBeGreaterThan(0.9);
    expect(mean(held)).toBeLessThan(0.99);
  });
});
