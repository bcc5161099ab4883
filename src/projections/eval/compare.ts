/** Compares two rankings of the same cases: which one is better, and how sure that is. Pure. */
import { bootstrapMeans } from './bootstrap.js';
import {
  type CaseMetric,
  firstHitRank,
  hitAt,
  mean,
  ndcgAt,
  type RankedCase,
  recallAt,
  reciprocalRank,
} from './metrics.js';

export const comparedMeasures = ['hit@1', 'hit@3', 'hit@8', 'Recall@8', 'MRR@10', 'nDCG@10'] as const;
export type ComparedMeasure = (typeof comparedMeasures)[number];

const metricOf: Readonly<Record<ComparedMeasure, CaseMetric>> = {
  'hit@1': hitAt(1),
  'hit@3': hitAt(3),
  'hit@8': hitAt(8),
  'Recall@8': recallAt(8),
  'MRR@10': reciprocalRank(10),
  'nDCG@10': ndcgAt(10),
};

/** One case, ranked twice. Its relevant notes may have other ids the second time, so each ranking has its own. */
export type CasePair = {
  readonly before: Pick<RankedCase, 'relevant' | 'ranked'>;
  readonly after: Pick<RankedCase, 'relevant' | 'ranked'>;
};

export type Verdict = 'better' | 'worse' | 'no difference';

export type Difference = {
  readonly before: number;
  readonly after: number;
  /** `after` less `before`, with its 95 % interval. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** Cases whose measure changed. */
  readonly changed: number;
  readonly verdict: Verdict;
};

export type Differences = Readonly<Record<ComparedMeasure, Difference>>;

/**
 * Fewer changes show nothing, whatever the interval: five changes in one direction happen by chance in one of 16
 * comparisons (sign test), six in one of 32.
 */
export const leastChanged = 6;

/** `groups` are sets, whose means have equal weight. Leaves out cases without a relevant note on either side. */
export const compareRankings = (groups: readonly (readonly CasePair[])[]): Differences => {
  const judged = groups.map((pairs) => pairs.filter(isJudged)).filter((pairs) => pairs.length > 0);
  const scoreOf = (side: 'before' | 'after') =>
    judged.map((pairs) => pairs.map((pair) => comparedMeasures.map((measure) => metricOf[measure](pair[side]))));
  const before = scoreOf('before');
  const after = scoreOf('after');
  const changes = before.map((rows, group) =>
    rows.map((row, at) => row.map((score, measure) => (after[group]?.[at]?.[measure] ?? 0) - score)),
  );
  const intervals = bootstrapMeans(changes);
  const differenceOf = (name: ComparedMeasure): Difference => {
    const measure = comparedMeasures.indexOf(name);
    const meanOf = (rows: readonly (readonly (readonly number[])[])[]): number =>
      mean(rows.map((group) => mean(group.map((row) => row[measure] ?? 0))));
    const { low, high } = intervals[measure] ?? { low: 0, high: 0 };
    const changed = changes.flat().filter((row) => row[measure] !== 0).length;
    const difference = meanOf(changes);
    return {
      before: meanOf(before),
      after: meanOf(after),
      difference,
      low,
      high,
      changed,
      verdict: judge(low, high, changed),
    };
  };
  return {
    'hit@1': differenceOf('hit@1'),
    'hit@3': differenceOf('hit@3'),
    'hit@8': differenceOf('hit@8'),
    'Recall@8': differenceOf('Recall@8'),
    'MRR@10': differenceOf('MRR@10'),
    'nDCG@10': differenceOf('nDCG@10'),
  };
};

export const isJudged = ({ before, after }: CasePair): boolean =>
  before.relevant.length > 0 && after.relevant.length > 0;

const judge = (low: number, high: number, changed: number): Verdict =>
  changed < leastChanged || (low <= 0 && high >= 0) ? 'no difference' : low > 0 ? 'better' : 'worse';

/** The rank of the first relevant note before and after; undefined if none was found. */
export const ranksOf = ({ before, after }: CasePair): readonly [number | undefined, number | undefined] => [
  firstHitRank(before),
  firstHitRank(after),
];
