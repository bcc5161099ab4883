/** A search over all projects that puts the notes of one before equally good ones of others. */
import type Database from 'better-sqlite3';
import { type RankedNote, type Ranking, type SearchQuery, searchNotes } from './search.js';

/** Hits that are looked at for each that is wanted: what is better by its project alone stands not far behind. */
const candidatesPerHit = 4;

export const searchPreferring = (
  database: Database.Database,
  query: SearchQuery,
  preferred: string | undefined,
): Ranking => {
  if (preferred === undefined || query.filter.project !== undefined) return searchNotes(database, query);
  const first = query.offset ?? 0;
  const wanted = first + query.k;
  const all = searchNotes(database, { ...query, k: lookedAtFor(wanted), offset: 0 });
  return { ...all, hits: preferProject(all.hits, preferred).slice(first, wanted) };
};

/** Hits to look at; the same for some pages, so that none of them shows a hit twice. */
export const lookedAtFor = (wanted: number): number => candidatesPerHit * Math.ceil(wanted / hitsOfPages) * hitsOfPages;

const hitsOfPages = 16;

/** The first `k` by words, all of them weighed by project. */
export const searchWeighed = (
  database: Database.Database,
  query: SearchQuery,
  preferred: string | undefined,
): Ranking => {
  const all = searchNotes(database, query);
  const isWeighed = preferred !== undefined && query.filter.project === undefined;
  return isWeighed ? { ...all, hits: preferProject(all.hits, preferred) } : all;
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
