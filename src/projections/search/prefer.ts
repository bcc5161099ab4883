/** A search over all projects that puts the notes of one before equally good ones of others. */
import type Database from 'better-sqlite3';
import { type RankedNote, type Ranking, type SearchQuery, searchNotes } from './search.js';

/**
 * As many hits are weighed by project, whatever page is asked for: if it depended on the page, one page would repeat hits of
 * another. What is better by its project alone stands not far behind.
 */
const weighed = 64;

export const searchPreferring = (
  database: Database.Database,
  query: SearchQuery,
  preferred: string | undefined,
): Ranking => {
  if (preferred === undefined || query.filter.project !== undefined) return searchNotes(database, query);
  const first = query.offset ?? 0;
  const all = searchWeighed(database, { ...query, k: first + query.k, offset: 0 }, preferred);
  return { ...all, hits: all.hits.slice(first) };
};

/** The first `k` of the search by words, from the beginning, with projects weighed. */
export const searchWeighed = (
  database: Database.Database,
  query: SearchQuery,
  preferred: string | undefined,
): Ranking => {
  if (preferred === undefined || query.filter.project !== undefined) return searchNotes(database, query);
  const all = searchNotes(database, { ...query, k: Math.max(weighed, query.k) });
  const hits = [...preferProject(all.hits.slice(0, weighed), preferred), ...all.hits.slice(weighed)];
  return { ...all, hits: hits.slice(0, query.k) };
};

/** Weighed by project; equal scores stay in their order. */
export const preferProject = <Hit extends RankedNote>(
  hits: readonly Hit[],
  project: string,
  { own, global }: ProjectWeights = ofWords,
): readonly (Hit & Required<Pick<RankedNote, 'projectWeight'>>)[] => {
  const weightOf = ({ note }: RankedNote): number =>
    note.project === project ? own : note.project === 'global' ? global : 1;
  return hits
    .map((hit) => ({ ...hit, score: hit.score * weightOf(hit), projectWeight: weightOf(hit) }))
    .toSorted((a, b) => b.score - a.score || a.rank - b.rank)
    .map((hit, at) => ({ ...hit, rank: at + 1 }));
};

/** A note of another project has to fit the words half as well again to come before one of this project. */
const ofWords: ProjectWeights = { own: 1.5, global: 1.2 };
export type ProjectWeights = { readonly own: number; readonly global: number };
