/** A search as every surface asks for it: with its defaults, and what is said about the query besides its hits. */
import type Database from 'better-sqlite3';
import type { AboutQuery } from '../answers/note-schema.js';
import type { SearchMode } from '../answers/search-mode.js';
import type { Settings } from '../config/settings.js';
import type { JournalName } from '../events/note/note.js';
import type { NoteFilter } from '../projections/index/query.js';
import { defaultFuzzyThreshold } from '../projections/search/corrections.js';
import { searchPreferring } from '../projections/search/prefer.js';
import type { Ranking } from '../projections/search/search.js';
import { suggestWords } from '../projections/search/suggestions.js';
import type { SearchHit } from './search-hit.js';

export const defaultK = 8;

export type SearchAnswer = {
  readonly hits: readonly SearchHit[];
  readonly total: number;
  readonly about: AboutQuery;
};

export const noAnswer: SearchAnswer = { hits: [], total: 0, about: {} };

/** How far a mistyped word may be from one of the notes. */
export type FuzzyAsked = {
  /** False looks for every word as it was typed. */
  readonly fuzzy?: boolean | undefined;
  /** Least likeness in trigrams, 0 to 1. */
  readonly fuzzyThreshold?: number | undefined;
};

export type SearchOptions = NoteFilter &
  FuzzyAsked & {
    readonly k?: number | undefined;
    readonly offset?: number | undefined;
    /** Notes of this project count for more, and global ones for somewhat more; all are looked at. */
    readonly prefer?: string | undefined;
    readonly mode?: SearchMode | undefined;
  };

export type Searched = Pick<SearchAnswer, 'about'> & { readonly ranking: Ranking };

/** Pure over the index, as far as `search` is. */
export const searchIndex = (
  database: Database.Database,
  text: string,
  { k = defaultK, offset, prefer, fuzzy, fuzzyThreshold, ...filter }: SearchOptions,
  nowSeconds: number,
  search: Search = searchPreferring,
): Searched => {
  const threshold = thresholdOf({ fuzzy, fuzzyThreshold });
  const query = { text, filter, k, offset, nowSeconds, fuzzyThreshold: threshold };
  const ranking = search(database, query, prefer);
  const suggested = ranking.total === 0 ? suggestWords(database, text, filter) : [];
  return {
    ranking,
    about: {
      ...(ranking.corrections.length === 0 ? {} : { corrected: ranking.corrections }),
      ...(suggested.length === 0 ? {} : { did_you_mean: suggested }),
    },
  };
};

type Search = typeof searchPreferring;

/** A search with a model; without `search` words alone count, and `about` says why. */
export type OpenedMode = { readonly about: Pick<AboutQuery, 'mode' | 'degraded'>; readonly search?: Search };

/** Undefined where no model was asked for: then none of its code is loaded. */
export const openSearchMode = async (
  settings: Settings,
  folders: Readonly<Record<JournalName, string>>,
  mode: SearchMode = 'auto',
): Promise<OpenedMode | undefined> => {
  if (mode === 'keyword' || (mode === 'auto' && settings.searchModel === undefined)) return undefined;
  const opened = (await import('./meaning.js')).openMeaning(settings);
  if ('degraded' in opened) return { about: { mode: 'keyword', degraded: opened.degraded } };
  const { searchHybrid } = await import('../projections/search/hybrid.js');
  return {
    about: { mode: 'hybrid' },
    search: (database, query, preferred) => searchHybrid(database, query, preferred, { model: opened.model, folders }),
  };
};

export const thresholdOf = ({ fuzzy, fuzzyThreshold }: FuzzyAsked): number | undefined =>
  fuzzy === false ? undefined : (fuzzyThreshold ?? defaultFuzzyThreshold);
