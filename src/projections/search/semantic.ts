/**
 * A search by meaning: all notes that pass, with a word of the query or without. A static model looks closer at the
 * first; of another only passages' vectors are known, and the best 50 by words and by meaning are ranked by both.
 */
import type Database from 'better-sqlite3';
import { type Closeness, openCloseness } from '../../embedding/closeness.js';
import { staticQuery } from '../../embedding/static-passages.js';
import { bodyOf } from '../../events/worktree/note-body.js';
import { type IndexedNote, toIndexedNote } from '../index/query.js';
import { noteAtRow } from '../index/rows.js';
import { countPassing, countWithoutWords, type NoteVersion, passingRows } from './candidates.js';
import { compareVectors, type NearNote, type VectorScores, type VectorSegment } from './compare-vectors.js';
import type { CountedWord } from './expression.js';
import {
  byScore,
  type FusedNote,
  type FusedRanking,
  type Meaning,
  meaningOf,
  meaningWeight,
  pageOf,
  weighProjects,
  weighWords,
} from './hybrid.js';
import { matchAsked } from './query/requirements.js';
import { countWords } from './query-words.js';
import { type SearchQuery, searchPreferring } from './search.js';
import { contentWords, splitWords } from './words.js';

type StoredVectors = {
  readonly segments: readonly VectorSegment[];
  /** In the order of the places; undefined if a newer version of the note has another place. */
  notesAt(places: readonly NearNote[]): readonly (NoteVersion | undefined)[];
  /** The inverse; undefined if that version has no place. */
  placesOf(notes: readonly NoteVersion[]): readonly (Omit<NearNote, 'cosine'> | undefined)[];
};

type SemanticMeaning = Meaning & { readonly vectors: StoredVectors };

type QueryVector = {
  readonly vectors: StoredVectors;
  readonly vector: Float32Array;
  readonly counted: readonly CountedWord[];
};

/** The nearest notes, the first 50 reordered from their texts, as in `hybrid`. `total`: all that pass, shown or not. */
export const searchSemantic = (
  database: Database.Database,
  query: SearchQuery,
  preferred: string | undefined,
  { model, folders, vectors }: SemanticMeaning,
): FusedRanking => {
  const counted = countWords(database, contentWords(splitWords(query.text)));
  const closeTo = openCloseness(model, { text: query.text, words: weighWords(database, counted) });
  return rankByMeaning(
    database,
    query,
    preferred,
    { vectors, vector: staticQuery(model, query.text), counted },
    (near, at) => {
      const { note, cosine } = near;
      if (at >= compared) return { note, rank: at + 1, score: (cosineWeight * cosine) / allWeights };
      const close = closeTo({ title: note.title, body: bodyOf(note, folders) });
      return { note, rank: at + 1, score: scoreOf(close, cosine), legs: { ...close, cosine } };
    },
  );
};

/** Ranks all notes that pass by the vector of the query; `score` may look at the first ones more closely. */
const rankByMeaning = (
  database: Database.Database,
  query: SearchQuery,
  preferred: string | undefined,
  { vectors, vector, counted }: QueryVector,
  score: (near: Near, at: number) => FusedNote,
): FusedRanking => {
  const match = conditionOf(database, query);
  const looked = compareVectors(vectors.segments, vector);
  const wanted = Math.max(compared, (query.offset ?? 0) + query.k);
  const scored = nearestPassing(database, query, match, vectors, looked, wanted).map(score);
  const fitting = byScore(weighProjects(scored.slice(0, compared), query, preferred));
  return {
    hits: pageOf([...fitting, ...scored.slice(compared)], query),
    total: scored.length === 0 ? 0 : countPassing(database, query, match),
    words: counted.map(({ word }) => word),
    corrections: [],
    counted,
    match: match ?? '',
  };
};

/** How many of the nearest notes are compared again, and the weight of the cosine then (docs/dev/experiments.md). */
export const compared = 50;
const cosineWeight = 0.5;
const allWeights = meaningWeight + cosineWeight;

const scoreOf = (close: Closeness, cosine: number): number =>
  (meaningOf(close) + cosineWeight * Math.min(1, cosine)) / allWeights;

/** The condition on every hit: its phrases. */
export const conditionOf = (database: Database.Database, { asked }: SearchQuery): string | undefined => {
  if (asked === undefined || asked.phrases.length === 0) return undefined;
  return matchAsked(database, { ...asked, begun: [], without: [] }, []);
};

type Near = { readonly note: IndexedNote; readonly cosine: number };

/** At least `wanted` notes, if so many pass, with all that are as near as the last of them. */
const nearestPassing = (
  database: Database.Database,
  query: SearchQuery,
  match: string | undefined,
  vectors: Pick<StoredVectors, 'notesAt'>,
  looked: VectorScores,
  wanted: number,
): readonly Near[] => {
  const found: Near[] = [];
  let pending: NearNote[] = [];
  let size = wanted;
  const look = (): void => {
    const current = vectors.notesAt(pending).flatMap((version, at) => {
      const cosine = pending[at]?.cosine ?? 0;
      return version === undefined ? [] : [{ version, cosine }];
    });
    const versions = current.map(({ version }) => version);
    for (const { at, rowid } of passingRows(database, query, match, versions)) {
      const row = noteAtRow(database, rowid);
      const cosine = current[at]?.cosine ?? 0;
      if (row !== undefined && (found.length < wanted || cosine === found.at(-1)?.cosine))
        found.push({ note: toIndexedNote(row), cosine });
    }
    pending = [];
    size *= 4;
  };
  for (const near of looked.nearest()) {
    if (pending.length >= size && near.cosine !== pending.at(-1)?.cosine) {
      look();
      if (found.length >= wanted && near.cosine !== found.at(-1)?.cosine) return byCosine(found);
    }
    pending.push(near);
  }
  look();
  return byCosine(found);
};

/** Equal ones by id, since places depend on when notes were written. */
const byCosine = (found: readonly Near[]): readonly Near[] =>
  found.toSorted((a, b) => b.cosine - a.cosine || (a.note.id < b.note.id ? 1 : -1));
export type VectorMeaning = { readonly vectors: StoredVectors; vectorOf(text: string): Float32Array };

/** The score by words, whose best is 1, and that by meaning count the same. */
const bothWeights = 2;

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
  const nearnessOf = (cosine: number | undefined): number => aboveMean(cosine ?? 0, looked.mean);
  const ofWords = byWords.map((hit, at): FusedNote => {
    const cosine = known.get(hit.note.id) ?? cosines[at];
    const words = best > 0 ? Math.max(0, hit.score / best) : 0;
    return {
      ...hit,
      score: (words + nearnessOf(cosine)) / bothWeights,
      ranks: { keyword: hit.rank, cosine: cosine ?? 0 },
    };
  });
  const found = new Set(ofWords.map(({ note }) => note.id));
  const others = near
    .filter(({ note }) => !found.has(note.id))
    .map(
      ({ note, cosine }): FusedNote => ({ note, rank: 0, score: nearnessOf(cosine) / bothWeights, ranks: { cosine } }),
    );
  const fused = byScore([...ofWords, ...weighProjects(others, query, preferred)]);
  const behind = all.hits
    .slice(compared)
    .filter(({ note }) => !known.has(note.id))
    .map(
      (hit): FusedNote => ({
        ...hit,
        score: best > 0 ? hit.score / best / bothWeights : 0,
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
