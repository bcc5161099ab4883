/** A search by words whose first hits a static model reorders by their meaning, reading the texts that the index reflects. */
import type Database from 'better-sqlite3';
import { type Closeness, type ComparedQuery, openCloseness } from '../../embedding/closeness.js';
import type { StaticModel } from '../../embedding/static-model.js';
import type { JournalName } from '../../events/note/note.js';
import { bodyOf } from '../../events/worktree/note-body.js';
import { countAllNotes } from '../index/rows.js';
import type { CountedWord } from './expression.js';
import { preferProject } from './rank-hits.js';
import { type RankedNote, type Ranking, type SearchQuery, searchPreferring } from './search.js';
import { idfOf } from './word-scores.js';

export type Meaning = {
  readonly model: StaticModel;
  readonly folders: Readonly<Record<JournalName, string>>;
};

export type FusedRanking = Ranking & { readonly hits: readonly FusedNote[] };

/** Hits by words that are compared; 50 gain .002 nDCG@10 and lose .002 hit@8 (docs/dev/experiments.md). */
const compared = 24;

export const searchHybrid = (
  database: Database.Database,
  query: SearchQuery,
  preferred: string | undefined,
  { model, folders }: Meaning,
): FusedRanking => {
  const first = query.offset ?? 0;
  const wanted = first + query.k;
  const found = searchPreferring(database, { ...query, k: Math.max(compared, wanted), offset: 0 }, preferred);
  const closeTo = openCloseness(model, { text: query.text, words: weighWords(database, found.counted) });
  const closeness = found.hits
    .slice(0, compared)
    .map(({ note }) => closeTo({ title: note.title, body: bodyOf(note, folders) }));
  return { ...found, hits: fuse(found.hits, closeness).slice(first, first + query.k) };
};

export const weighWords = (database: Database.Database, counted: readonly CountedWord[]): ComparedQuery['words'] => {
  const total = countAllNotes(database);
  return counted.map((one) => ({ word: one.word, weight: weightOf(one, total) }));
};

/** Another wording counts half, as in the score by words. */
const weightOf = ({ notes, isOther }: CountedWord, total: number): number =>
  Math.sqrt(idfOf(notes, total)) * (isOther === true ? 0.5 : 1);
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

/** Beside a score by words from 0 to 1. Fitted on public sets (docs/dev/experiments.md): .8 to 1.42, and .6 to .9. */
const coverWeight = 1.3;
const nearnessWeight = 0.8;
export const meaningWeight = coverWeight + nearnessWeight;
const allWeights = 1 + meaningWeight;

/** `closeness` is that of the first hits; the others stay behind them. Scores are relative to the best by words. */
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
