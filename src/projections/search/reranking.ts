/** Reorders the first hits of a search by a model's judgement of each, read together with the question. Pure. */
import type { FusedNote } from './fusion.js';

/** Hits that are judged: each costs some milliseconds. */
export const mostJudged = 12;

/** Beside a score whose best is 1. */
const judgementWeight = 1;
const allWeights = 1 + judgementWeight;

/** `judgements`, from 0 to 1, are those of the first hits; the others keep their order behind them. */
export const fuseJudgements = (hits: readonly FusedNote[], judgements: readonly number[]): readonly FusedNote[] => {
  const best = hits[0]?.score ?? 0;
  if (!(best > 0)) return hits;
  const scored = hits.map((hit, at): FusedNote => {
    const judged = judgements[at];
    const own = Math.max(0, hit.score / best);
    const score = (best * (own + judgementWeight * (judged ?? 0))) / allWeights;
    return judged === undefined ? { ...hit, score } : { ...hit, score, judged };
  });
  const first = scored.slice(0, judgements.length).toSorted((a, b) => b.score - a.score || a.rank - b.rank);
  return [...first, ...scored.slice(judgements.length)].map((hit, at) => ({ ...hit, rank: at + 1 }));
};
