/** Runs a search for every surface: applies the defaults, and reports on the query besides its hits. */
import type Database from 'better-sqlite3';
import type { SearchSort } from '../answers/search-mode.js';
import type { IndexedNote, NoteFilter } from '../projections/index/query.js';
import type { explainRanking } from '../projections/search/explain.js';
import { searchTyped, type TypedQuery, type TypedRanking } from '../projections/search/query/parse-query.js';
import { namedNotes } from '../projections/search/query/requirements.js';
import { type RankedNote, type Ranking, type SearchQuery, searchPreferring } from '../projections/search/search.js';
import type { ModeStore, OpenedMode, Search } from './models/opening-modes.js';
import { defaultK, type SearchAnswer, type SearchOptions } from './search-options.js';

export type IndexSearch = Pick<SearchAnswer, 'about'> & { readonly ranking: Ranking };

/** Depends only on the index, if `search` does. `explainer` is passed for `explain`: few searches load it. */
export const searchIndex = (
  database: Database.Database,
  text: string,
  options: SearchOptions,
  nowSeconds: number,
  search: Search = searchPreferring,
  explainer?: typeof explainRanking,
): IndexSearch => {
  const { k = defaultK, offset = 0 } = options;
  const page = { k, offset };
  const filter: NoteFilter = options;
  const request: IndexRequest = { database, text, options, filter, nowSeconds, search };
  const found = rankPage(request, page);
  const { typed, readAs, relaxed } = found;
  const named = namedNotes(database, text, filter, found.ranking.total > 0);
  const ranking =
    named.length === 0 ? found.ranking : withNamed(named, citing(request, offset + k + named.length), page);
  // Words and counts are those of the whole store: a restricted search gets none.
  const isWhole = filter.user === undefined && filter.workspace === undefined;
  return {
    ranking,
    about: {
      ...(ranking.corrections.length === 0 ? {} : { corrected: ranking.corrections }),
      ...(readAs === undefined ? {} : { read_as: readAs }),
      ...(relaxed === undefined ? {} : { relaxed }),
      ...(explainer !== undefined && isWhole
        ? { explain: explainer(database, queryOf(request, typed, page), found.ranking) }
        : {}),
    },
  };
};

type IndexRequest = {
  readonly database: Database.Database;
  readonly text: string;
  readonly options: SearchOptions;
  readonly filter: NoteFilter;
  readonly nowSeconds: number;
  readonly search: Search;
};

type Page = { readonly k: number; readonly offset: number };

const queryOf = (
  { options, filter, nowSeconds }: IndexRequest,
  typed: TypedQuery,
  { k, offset }: Page,
): SearchQuery => {
  const { sort = 'relevance', fuzzy, also } = options;
  const isSorted = sort !== 'relevance' && typed.text !== '';
  return {
    ...typed,
    filter,
    k: isSorted ? Math.ceil((offset + k) / sortedAtOnce) * sortedAtOnce : k,
    offset: isSorted ? 0 : offset,
    nowSeconds,
    isFuzzy: fuzzy !== false,
    also,
    successors: sort === 'relevance',
  };
};

const rankPage = (request: IndexRequest, page: Page, words = request.text): TypedRanking<Ranking> => {
  const { database, options, nowSeconds, search } = request;
  const { sort = 'relevance', prefer } = options;
  const { k, offset } = page;
  return searchTyped(words, nowSeconds, (typed) => {
    // Without words there is no meaning to compare.
    if (typed.text === '') {
      if (sort !== 'importance') return searchPreferring(database, queryOf(request, typed, page), undefined);
      const listed = searchPreferring(database, queryOf(request, typed, { k: maxListed, offset: 0 }), undefined);
      return { ...listed, hits: sortHits(listed.hits, sort).slice(offset, offset + k) };
    }
    const all = search(database, queryOf(request, typed, page), prefer);
    if (sort === 'relevance') return all;
    const blocks = Array.from({ length: Math.ceil(all.hits.length / sortedAtOnce) }, (_, at) =>
      sortHits(all.hits.slice(at * sortedAtOnce, (at + 1) * sortedAtOnce), sort),
    );
    return { ...all, hits: rankAnew(blocks.flat()).slice(offset, offset + k) };
  });
};

/** Sorting by date or importance takes 50 notes at a time: one word is enough to match, and the last fit badly. */
const sortedAtOnce = 50;

const rankAnew = <Hit extends RankedNote>(hits: readonly Hit[]): readonly Hit[] =>
  hits.map((hit, at) => ({ ...hit, rank: at + 1 }));

/** At most this many notes are sorted by importance when only keys were given. */
const maxListed = 10_000;

const compareTimes = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

type Sorted = Pick<RankedNote, 'note'>;

/** Sorts stably. */
export const sortHits = <Hit extends Sorted>(
  hits: readonly Hit[],
  sort: SearchSort,
): readonly (Hit & { rank: number })[] => {
  const importanceOf = ({ note }: Sorted): number => (sort === 'importance' ? (note.importance ?? 0) : 0);
  return hits
    .toSorted((a, b) => importanceOf(b) - importanceOf(a) || compareTimes(b.note.updatedAt, a.note.updatedAt))
    .map((hit, at) => ({ ...hit, rank: at + 1 }));
};

/** Only notes that contain the id exactly: one that contains its letters and digits separately isn't about it. */
const citing = (request: IndexRequest, k: number): Ranking => {
  const { ranking, relaxed } = rankPage(request, { k, offset: 0 }, `"${request.text.trim()}"`);
  return relaxed === undefined ? ranking : { ...ranking, hits: [], total: 0 };
};

/** A page of the named notes and the other hits. `ranking` starts at the first page and is long enough. */
const withNamed = (
  named: readonly IndexedNote[],
  ranking: Ranking,
  { k, offset }: { readonly k: number; readonly offset: number },
): Ranking => {
  const others = ranking.hits.filter(({ note }) => !named.some(({ id }) => id === note.id));
  const score = Math.max(1, ...ranking.hits.map((hit) => hit.score));
  return {
    ...ranking,
    hits: rankAnew([...named.map((note) => ({ note, score, rank: 0 })), ...others]).slice(offset, offset + k),
    total: ranking.total + named.length - (ranking.hits.length - others.length),
    corrections: [],
  };
};

/** Returns undefined when no model is involved: then none of its code is loaded. */
export const openSearchMode = async (
  store: ModeStore,
  text: string,
  { mode = 'auto', scope, staysHere }: Pick<SearchOptions, 'mode' | 'scope' | 'staysHere'>,
): Promise<OpenedMode | undefined> => {
  const { searchModel, embedding } = store.settings;
  const hasModel = searchModel !== undefined || embedding !== undefined;
  if (mode === 'keyword' || mode === 'exact' || (mode === 'auto' && !hasModel)) return undefined;
  const { openMode } = await import('./models/opening-modes.js');
  return openMode(store, { text, mode, scope, staysHere });
};
