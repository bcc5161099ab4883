/** Ranking metrics with binary grades, each between 0 and 1, and the few statistics that the reports need. */
import { contentWords, splitWords } from '../search/words.js';

/** `ranked` has each note id once, best first; a hit is an equal id. */
export type RankedCase = {
  readonly id: string;
  readonly relevant: readonly string[];
  readonly ranked: readonly string[];
};

export type Metrics = {
  readonly cases: number;
  /** Counted in `cases`, left out of every mean. */
  readonly casesWithoutRelevant: number;
  readonly hit: Readonly<Record<1 | 3 | 5 | 8 | 10, number>>;
  readonly recall8: number;
  readonly mrr10: number;
  readonly ndcg10: number;
};

type CaseMetric = (ranked: Pick<RankedCase, 'relevant' | 'ranked'>) => number;

/** Means over the cases that have a relevant note, 0 if there are none; not rounded. */
export const measure = (cases: readonly RankedCase[]): Metrics => {
  const judged = cases.filter(({ relevant }) => relevant.length > 0);
  const meanOf = (metric: CaseMetric): number => mean(judged.map(metric));
  return {
    cases: cases.length,
    casesWithoutRelevant: cases.length - judged.length,
    hit: {
      1: meanOf(hitAt(1)),
      3: meanOf(hitAt(3)),
      5: meanOf(hitAt(5)),
      8: meanOf(hitAt(8)),
      10: meanOf(hitAt(10)),
    },
    recall8: meanOf(recallAt(8)),
    mrr10: meanOf(reciprocalRank(10)),
    ndcg10: meanOf(ndcgAt(10)),
  };
};

/** 1 when any relevant note is in the first k, else 0. */
export const hitAt =
  (k: number): CaseMetric =>
  (ranked) =>
    ranksOfRelevant(ranked, k).length > 0 ? 1 : 0;

/** Relevant notes in the first k over all relevant ones: below 1 wherever more than k are relevant. */
export const recallAt =
  (k: number): CaseMetric =>
  (ranked) => {
    const relevant = new Set(ranked.relevant).size;
    return relevant === 0 ? 0 : ranksOfRelevant(ranked, k).length / relevant;
  };

/** 1/rank of the first relevant note, 0 when it comes after k. */
export const reciprocalRank =
  (k: number): CaseMetric =>
  (ranked) => {
    const [first] = ranksOfRelevant(ranked, k);
    return first === undefined ? 0 : 1 / first;
  };

/** Järvelin and Kekäläinen (2002) with grades 0 and 1, so that a gain is 1/log2(rank + 1). */
export const ndcgAt =
  (k: number): CaseMetric =>
  (ranked) => {
    const relevant = Math.min(new Set(ranked.relevant).size, k);
    const ideal = sum(Array.from({ length: relevant }, (_, i) => gainAt(i + 1)));
    return ideal === 0 ? 0 : sum(ranksOfRelevant(ranked, k).map(gainAt)) / ideal;
  };

/** Rank of the first relevant note in the whole list, counted from 1. */
export const firstHitRank = (ranked: Pick<RankedCase, 'relevant' | 'ranked'>): number | undefined =>
  ranksOfRelevant(ranked, ranked.ranked.length)[0];

/** 0 for no values, as for every statistic here. */
export const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length);

/** Halfway between the middle two when their count is even. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
  return (lower + upper) / 2;
};

/** Nearest rank: always one of the values. `p` is 0 to 100. */
export const percentile = (values: readonly number[], p: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  // p * n before the division: 0.07 * 100 is 7.000000000000001, which ceil would round up to the next rank.
  return sorted[Math.max(Math.ceil((p * sorted.length) / 100), 1) - 1] ?? 0;
};

const ranksOfRelevant = ({ relevant, ranked }: Pick<RankedCase, 'relevant' | 'ranked'>, k: number): number[] => {
  const wanted = new Set(relevant);
  return ranked.slice(0, k).flatMap((id, i) => (wanted.has(id) ? [i + 1] : []));
};

const gainAt = (rank: number): number => 1 / Math.log2(rank + 1);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
type GreppedNote = { readonly id: string; readonly project: string; readonly text: string };

/** Ignores case. Ties go to the smaller id. */
export const openGrep = (
  notes: readonly GreppedNote[],
): ((query: string, project: string | undefined, k: number) => readonly string[]) => {
  const lowered = notes.map(({ id, project, text }) => ({ id, project, text: text.toLowerCase() }));
  return (query, project, k) => {
    const words = contentWords(splitWords(query));
    return lowered
      .flatMap((note) => {
        if (project !== undefined && note.project !== project) return [];
        const count = words.reduce((sum, word) => sum + countIn(note.text, word), 0);
        return count === 0 ? [] : [{ id: note.id, count }];
      })
      .toSorted((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
      .slice(0, k)
      .map(({ id }) => id);
  };
};

const countIn = (text: string, word: string): number => {
  let count = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) count += 1;
  return count;
};
