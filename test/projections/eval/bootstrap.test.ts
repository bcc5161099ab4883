import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrapMeans, randomFrom } from '../../../src/projections/eval/bootstrap.js';
import { mean } from '../../../src/projections/eval/metrics.js';

const anyValue = fc.integer({ min: -4, max: 4 }).map((quarters) => quarters / 4);
const anyRows = (measures: number) =>
  fc.array(fc.array(anyValue, { minLength: measures, maxLength: measures }), { minLength: 1, maxLength: 30 });
const few = { draws: 300 };
const intervalOf = (values: readonly number[], options?: Parameters<typeof bootstrapMeans>[1]) =>
  bootstrapMeans([values.map((value) => [value])], options)[0]!;

describe('bootstrapMeans', () => {
  it('returns the same interval for the same seed and a different one for another seed', () => {
    const values = Array.from({ length: 50 }, (_, at) => Math.sin(at));
    expect(intervalOf(values, { seed: 3 })).toEqual(intervalOf(values, { seed: 3 }));
    expect(intervalOf(values, { seed: 3 })).not.toEqual(intervalOf(values, { seed: 4 }));
  });

  it('stays between the least and the greatest value, with the lower end first', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { minLength: 1, maxLength: 30 }), fc.nat(), (values, seed) => {
        const { low, high } = intervalOf(values, { ...few, seed });
        expect(low).toBeLessThanOrEqual(high);
        expect(low).toBeGreaterThanOrEqual(Math.min(...values) - 1e-12);
        expect(high).toBeLessThanOrEqual(Math.max(...values) + 1e-12);
      }),
    );
  });

  it('mirrors the interval when the values change sign', () => {
    fc.assert(
      fc.property(anyRows(1), fc.nat(), (rows, seed) => {
        const [original] = bootstrapMeans([rows], { ...few, seed });
        const [negated] = bootstrapMeans([rows.map((row) => row.map((value) => -value))], { ...few, seed });
        expect([negated!.low + 0, negated!.high + 0]).toEqual([-original!.high + 0, -original!.low + 0]);
      }),
    );
  });

  it('returns the same intervals for several measures together as for each alone', () => {
    fc.assert(
      fc.property(anyRows(3), fc.nat(), (rows, seed) => {
        const together = bootstrapMeans([rows], { ...few, seed });
        const alone = [0, 1, 2].map((at) => bootstrapMeans([rows.map((row) => [row[at] ?? 0])], { ...few, seed })[0]);
        expect(together).toEqual(alone);
      }),
    );
  });

  it('leaves out groups without rows and weights the others equally, whatever their size', () => {
    const small = [[1], [1]];
    const large = Array.from({ length: 200 }, () => [0]);
    expect(bootstrapMeans([small, [], large])).toEqual([{ low: 0.5, high: 0.5 }]);
    expect(bootstrapMeans([])).toEqual([]);
    expect(bootstrapMeans([[], []])).toEqual([]);
  });

  it('contains the true mean in about 95 of 100 samples', () => {
    const random = randomFrom(7);
    const held = Array.from({ length: 300 }, (_, seed): number => {
      const sample = Array.from({ length: 60 }, () => (random() < 0.3 ? 1 : 0));
      const { low, high } = intervalOf(sample, { draws: 500, seed });
      return low <= 0.3 && 0.3 <= high ? 1 : 0;
    });
    expect(mean(held)).toBeGreaterThan(0.9);
    expect(mean(held)).toBeLessThan(0.99);
  });

  it('is as wide as the normal distribution says for many values', () => {
    const values = Array.from({ length: 400 }, (_, at) => at % 2);
    const { low, high } = intervalOf(values);
    expect(high - low).toBeCloseTo((2 * 1.96 * 0.5) / Math.sqrt(400), 2);
  });
});
