/**
 * A search with a model of which only a vector for each passage is known: the best 50 by words and the best 50 by
 * meaning, ranked by the sum of both scores; or by meaning alone.
 */
import type Database from 'better-sqlite3';
import { countWithoutWords } from './candidates.js';
import { compareVectors, type VectorScores } from './compare-vectors.js';
import { byScore, type FusedNote, pageOf, weighProjects } from './fusion.js';
import type { FusedRanking } from './hybrid.js';
import { countWords } from './query-words.js';
import { type SearchQuery, searchPreferring } from './search.js';
import { compared, conditionOf, nearestPassing, rankByMeaning, type StoredVectors } from './semantic.js';
import { contentWords, splitWords } from './words.js';

export type VectorMeaning = { readonly vectors: StoredVectors; vectorOf(text: string): Float32Array };

/** Beside the score by words, whose best is 1. */
const meaningWeight = 1;
const allWeights = 1 + meaningWeight;

export const searchWordsAndVectors = (
  database: Database.Database,
  query: SearchQuery,
  preferred: string | undefined,
  { vectors, vectorOf }: VectorMeaning,
): FusedRanking => {
  const wanted = Math.max(compared, (query.offset ?? 0) + query.k);
  const all = searchPreferring(database, { ...query, k: wanted, offset: 0 }, preferred);
  const byWords = all.hits.slice(0, compared);
  const looked = compareVectors(vectors.segments, vectorOf(query.text));
  const near = nearestPassing(database, query, conditionOf(database, query), vectors, looked, compared);
  const known = new Map(near.map(({ note, cosine }) => [note.id, cosine]));
  const cosines = cosinesOf(byWords, vectors, looked);
  const best = byWords[0]?.score ?? 0;
  const meaningOf = (cosine: number | undefined): number => meaningWeight * aboveMean(cosine ?? 0, looked.mean);
  const ofWords = byWords.map((hit, at): FusedNote => {
    const cosine = known.get(hit.note.id) ?? cosines[at];
    const words = best > 0 ? Math.max(0, hit.score / best) : 0;
    return {
      ...hit,
      score: (words + meaningOf(cosine)) / allWeights,
      ranks: { keyword: hit.rank, cosine: cosine ?? 0 },
    };
  });
  const found = new Set(ofWords.map(({ note }) => note.id));
  const others = near
    .filter(({ note }) => !found.has(note.id))
    .map(
      ({ note, cosine }): FusedNote => ({ note, rank: 0, score: meaningOf(cosine) / allWeights, ranks: { cosine } }),
    );
  const fused = byScore([...ofWords, ...weighProjects(others, query, preferred)]);
  const behind = all.hits
    .slice(compared)
    .filter(({ note }) => !known.has(note.id))
    .map(
      (hit): FusedNote => ({
        ...hit,
        score: best > 0 ? hit.score / best / allWeights : 0,
        ranks: { keyword: hit.rank },
      }),
    );
  const total = all.total + countWithoutWords(database, query, all.match, others);
  return { ...all, hits: pageOf([...fused, ...behind], query), total };
};

export const searchByVectors = (
  database: Database.Database,
  query: SearchQuery,
  preferred: string | undefined,
  { vectors, vectorOf }: VectorMeaning,
): FusedRanking => {
  const counted = countWords(database, contentWords(splitWords(query.text)));
  return rankByMeaning(
    database,
    query,
    preferred,
    { vectors, vector: vectorOf(query.text), counted },
    ({ note, cosine }) => ({ note, rank: 0, score: cosine, ranks: { cosine } }),
  );
};

/** 1 for the same meaning, 0 for a cosine not above the mean over all notes, which differs between models. */
const aboveMean = (cosine: number, mean: number): number =>
  mean < 1 ? Math.min(1, Math.max(0, (cosine - mean) / (1 - mean))) : 0;

/** Undefined for a note without vectors. */
const cosinesOf = (
  hits: FusedRanking['hits'],
  { placesOf }: StoredVectors,
  looked: VectorScores,
): readonly (number | undefined)[] =>
  placesOf(hits.map(({ note: { journal, path, version } }) => ({ journal, path, blob: version }))).map((place) =>
    place === undefined ? undefined : looked.cosineAt(place),
  );
