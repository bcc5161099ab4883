/** Puts the first hits of a search by words in order again by what they mean, too. Pure. */
import type { Closeness } from '../../embedding/asked-tokens.js';
import type { RankedNote } from './search.js';

/** A hit, and what its order came from. */
export type FusedNote = RankedNote & {
  readonly legs?: Closeness & {
    /** By words alone, from 1; undefined where words did not count. */
    readonly keywordRank?: number;
    /** Of its nearest passage, where all notes were looked through. */
    readonly cosine?: number;
  };
  /** In each list that has it, where ranks alone were added up; and the cosine that the second one goes by. */
  readonly ranks?: { readonly keyword?: number; readonly meaning?: number; readonly cosine?: number };
  /** From 0 to 1, where a model read it together with the question. */
  readonly judged?: number;
};

/**
 * Beside a score by words from 0 to 1 (docs/recall.md). Fitted on six of seven public sets at a time they lie from .8 to 1.42
 * and from .6 to .9.
 */
const coverWeight = 1.3;
const nearnessWeight = 0.8;
export const meaningWeight = coverWeight + nearnessWeight;
const allWeights = 1 + meaningWeight;

/** `closeness` goes with the first hits; those without keep their order behind them. The best by words is the measure. */
export const fuse = (hits: readonly RankedNote[], closeness: readonly Closeness[]): readonly FusedNote[] => {
  const best = hits[0]?.score ?? 0;
  if (!(best > 0)) return hits;
  const scored = hits.map((hit, at): FusedNote => {
    const close = closeness[at];
    const words = Math.max(0, hit.score / best);
    if (close === undefined) return { ...hit, score: (best * words) / allWeights };
    return {
      ...hit,
      score: (best * (words + meaningOf(close))) / allWeights,
      legs: { ...close, keywordRank: hit.rank },
    };
  });
  const first = scored.slice(0, closeness.length).toSorted((a, b) => b.score - a.score || a.rank - b.rank);
  return [...first, ...scored.slice(closeness.length)].map((hit, at) => ({ ...hit, rank: at + 1 }));
};

/** From 0 to `meaningWeight`. */
export const meaningOf = ({ cover, nearness }: Closeness): number =>
  coverWeight * positive(cover) + nearnessWeight * positive(nearness);

/** A damaged model may give anything. */
const positive = (value: number): number => (value > 0 ? Math.min(1, value) : 0);
