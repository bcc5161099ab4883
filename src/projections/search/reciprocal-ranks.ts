/**
 * Reciprocal rank fusion (Cormack et al., 2009) of a list by words and one by meaning, with equal weight: a note's
 * score is the sum of 1/(60 + rank). For comparison with systems that have nothing else; the convex sum is better
 * (docs/recall.md).
 */
import type Database from 'better-sqlite3';
import type { NoteId } from '../../events/note/note.js';
import { countWithoutWords } from './candidates.js';
import { compareVectors } from './compare-vectors.js';
import type { FusedNote } from './fusion.js';
import type { FusedRanking } from './hybrid.js';
import { type SearchQuery, searchNotes } from './search.js';
import { compared, conditionOf, nearestPassing, type StoredVectors } from './semantic.js';
import { byScore, pageOf, weighProjects } from './semantic-page.js';

export type VectorMeaning = { readonly vectors: StoredVectors; vectorOf(text: string): Float32Array };

const k = 60;
/** Column weights by words: title, body, tags, keywords, word parts. */
const columns = '10.0, 1.0, 5.0, 5.0, 0.0';
/** Notes farther away than this are left out of the list by meaning. */
const leastCosine = 0.3;

/** Fuses the first 50 of each list; the other hits by words follow in their order. */
export const searchReciprocal = (
  database: Database.Database,
  query: SearchQuery,
  preferred: string | undefined,
  { vectors, vectorOf }: VectorMeaning,
): FusedRanking => {
  const wanted = Math.max(compared, (query.offset ?? 0) + query.k);
  const all = searchNotes(database, { ...query, k: wanted, offset: 0, columns });
  const byWords = all.hits.slice(0, compared);
  const looked = compareVectors(vectors.segments, vectorOf(query.text));
  const byMeaning = nearestPassing(database, query, conditionOf(database, query), vectors, looked, compared)
    .slice(0, compared)
    .filter(({ cosine }) => cosine >= leastCosine);
  const found = new Map<NoteId, FusedNote>();
  for (const { note, rank } of byWords)
    found.set(note.id, { note, rank: 0, score: 1 / (k + rank), ranks: { keyword: rank } });
  byMeaning.forEach(({ note, cosine }, at) => {
    const before = found.get(note.id);
    const ranks = { ...before?.ranks, meaning: at + 1, cosine };
    found.set(note.id, { note, rank: 0, score: (before?.score ?? 0) + 1 / (k + at + 1), ranks });
  });
  const fused = byScore(weighProjects([...found.values()], query, preferred));
  const behind = all.hits
    .slice(compared)
    .filter(({ note }) => !found.has(note.id))
    .map(({ note, rank }): FusedNote => ({ note, rank: 0, score: 1 / (k + rank), ranks: { keyword: rank } }));
  const byMeaningAlone = fused.filter(({ ranks }) => ranks?.keyword === undefined);
  return {
    ...all,
    hits: pageOf([...fused, ...behind], query),
    total: all.total + countWithoutWords(database, query, all.match, byMeaningAlone),
  };
};
