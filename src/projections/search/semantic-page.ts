/** The last step of a search by meaning: weighs projects and cuts a page from the sorted hits. Pure. */
import type { FusedNote } from './fusion.js';
import { preferProject } from './rank-hits.js';
import type { SearchQuery } from './search.js';

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
