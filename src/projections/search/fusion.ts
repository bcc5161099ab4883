/** Reorders the first hits of a search by words by their meaning as well. Pure. */
import type { Closeness } from '../../embedding/closeness.js';
import { preferProject } from './rank-hits.js';
import type { RankedNote, SearchQuery } from './search.js';

/** A hit, and what decided its rank. */
export type FusedNote = RankedNote & {
  readonly legs?: Closeness & {
    /** Rank by words alone, from 1; undefined if words did not count. */
    readonly keywordRank?: number;
    /** Cosine of its nearest passage, if all notes were compared. */
    readonly cosine?: number;
  };
  /** Its rank by words, and the cosine of its nearest passage. */
  readonly ranks?: { readonly keyword?: number; readonly cosine?: number };
};

/**
 * Weights beside a score by words from 0 to 1 (docs/dev/experiments.md). Fitted on six of seven public sets at a
 * time, they range from .8 to 1.42 and from .6 to .9.
 */
const coverWeight = 1.3;
const nearnessWeight = 0.8;
export const meaningWeight = coverWeight + nearnessWeight;
const allWeights = 1 + meaningWeight;

/**
 * `closeness` is that of the first hits; the others keep their order behind them. Scores are relative to the best by
 * words.
 */
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

/** A damaged model may return any number. */
const positive = (value: number): number => (value > 0 ? Math.min(1, value) : 0);

/** Scores by meaning are closer together than those by words. */
const projectWeights = { own: 1.15, global: 1.07 } as const;

/** Unchanged if one project is searched, or none is preferred. */
export const weighProjects = (
  hits: readonly FusedNote[],
  { filter }: Pick<SearchQuery, 'filter'>,
  preferred: string | undefined,
): readonly FusedNote[] =>
  preferred === undefined || filter.project !== undefined ? hits : preferProject(hits, preferred, projectWeights);

export const byScore = (hits: readonly FusedNote[]): readonly FusedNote[] =>
  hits.toSorted((a, b) => b.score - a.score || (a.note.id < b.note.id ? 1 : -1));

/** The page that the query asks for; ranks count from the first of all hits. */
export const pageOf = (
  hits: readonly FusedNote[],
  { offset = 0, k }: Pick<SearchQuery, 'offset' | 'k'>,
): readonly FusedNote[] => hits.slice(offset, offset + k).map((hit, at) => ({ ...hit, rank: offset + at + 1 }));
