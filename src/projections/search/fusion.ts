/** Puts the first hits of a search by words in order again by what they mean, too. Pure. */
import type { Closeness } from '../../embedding/closeness.js';
import type { RankedNote } from './search.js';

/** A hit, and what its order came from. */
export type FusedNote = RankedNote & {
  readonly legs?: Closeness & {
    /** By words alone, from 1. */
    readonly keywordRank: number;
  };
};

/**
 * Beside a score by words from 0 to 1 (docs/recall.md). Fitted on six of seven public sets at a time they lie from .83 to 1.18
 * and from .40 to 1.03.
 */
const coverWeight = 1.05;
const nearnessWeight = 0.7;
const allWeights = 1 + coverWeight + nearnessWeight;

/** `closeness` goes with the first hits; those without keep their order behind them. The best by words is the measure. */
export const fuse = (hits: readonly RankedNote[], closeness: readonly Closeness[]): readonly FusedNote[] => {
  const best = hits[0]?.score ?? 0;
  if (!(best > 0)) return hits;
  const scored = hits.map((hit, at): FusedNote => {
    const close = closeness[at];
    const words = Math.max(0, hit.score / best);
    if (close === undefined) return { ...hit, score: (best * words) / allWeights };
    const meaning = coverWeight * positive(close.cover) + nearnessWeight * positive(close.nearness);
    return { ...hit, score: (best * (words + meaning)) / allWeights, legs: { ...close, keywordRank: hit.rank } };
  });
  const first = scored.slice(0, closeness.length).toSorted((a, b) => b.score - a.score || a.rank - b.rank);
  return [...first, ...scored.slice(closeness.length)].map((hit, at) => ({ ...hit, rank: at + 1 }));
};

/** A damaged model may give anything. */
const positive = (value: number): number => (value > 0 ? Math.min(1, value) : 0);
