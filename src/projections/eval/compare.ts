/** Compares two rankings of the same cases by nDCG@10, by the percentile bootstrap (Efron, 1979), seeded. Pure. */
import { mean, ndcgAt, type RankedCase } from './metrics.js';

export type Interval = { readonly low: number; readonly high: number };

/** One case, ranked twice. */
export type CasePair = Readonly<Record<'before' | 'after', Pick<RankedCase, 'relevant' | 'ranked'>>>;

export type Difference = Interval & {
  readonly before: number;
  readonly after: number;
  /** `after` less `before`; its 95 % interval is from `low` to `high`. */
  readonly difference: number;
  /** Cases whose nDCG@10 changed. */
  readonly changed: number;
  readonly verdict: 'better' | 'worse' | 'no difference';
};

/** Five changes in one direction happen by chance in one of 16 comparisons (sign test), six in one of 32. */
export const leastChanged = 6;

/** `groups` are sets, whose means have equal weight. Leaves out cases without a relevant note on either side. */
export const compareRankings = (groups: readonly (readonly CasePair[])[]): Difference => {
  const judged = groups
    .map((pairs) => pairs.filter(({ before, after }) => before.relevant.length > 0 && after.relevant.length > 0))
    .filter((pairs) => pairs.length > 0);
  const meanOf = (scoreOf: (pair: CasePair) => number): number => mean(judged.map((pairs) => mean(pairs.map(scoreOf))));
  const ndcg = ndcgAt(10);
  const changeOf = ({ before, after }: CasePair): number => ndcg(after) - ndcg(before);
  const { low, high } = bootstrapMean(judged.map((pairs) => pairs.map(changeOf)));
  const changed = judged.flat().filter((pair) => changeOf(pair) !== 0).length;
  const isUnclear = changed < leastChanged || (low <= 0 && high >= 0);
  return {
    before: meanOf(({ before }) => ndcg(before)),
    after: meanOf(({ after }) => ndcg(after)),
    difference: meanOf(changeOf),
    low,
    high,
    changed,
    verdict: isUnclear ? 'no difference' : low > 0 ? 'better' : 'worse',
  };
};

/** The 95 % interval of the mean of the groups' means, equal in weight, each resampled. 1/20 s for 1,000 values. */
export const bootstrapMean = (
  groups: readonly (readonly number[])[],
  { draws = 10_000, seed = 1 }: { readonly draws?: number; readonly seed?: number } = {},
): Interval => {
  const filled = groups.filter((values) => values.length > 0);
  if (filled.length === 0) return { low: 0, high: 0 };
  const random = randomFrom(seed);
  const means = new Float64Array(draws);
  for (const values of filled) {
    for (let draw = 0; draw < draws; draw += 1) {
      let sum = 0;
      for (let i = 0; i < values.length; i += 1) sum += values[Math.floor(random() * values.length)] ?? 0;
      means[draw] = (means[draw] ?? 0) + sum / values.length / filled.length;
    }
  }
  means.sort();
  const outside = Math.floor(0.025 * draws);
  return { low: means[outside] ?? 0, high: means[draws - 1 - outside] ?? 0 };
};

/** Numbers from 0 to below 1, the same for the same seed on every machine (Mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
};
