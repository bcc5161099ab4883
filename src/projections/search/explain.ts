/** Explains a search: what it asked of the index, and what its answer leaves out. */
import type Database from 'better-sqlite3';
import { preparedTexts } from '../prepared.js';
import { candidatesOf } from './candidates.js';
import type { HiddenState } from './query/fields.js';
import type { Ranking, SearchQuery } from './search.js';
import { splitWords } from './words.js';

export type Explanation = {
  /** In FTS5's syntax; empty if notes were listed without words. */
  readonly match: string;
  readonly words: readonly { readonly word: string; readonly notes: number; readonly forms?: readonly string[] }[];
  /** Words of the query that were not asked for: nearly every note contains them. */
  readonly dropped: readonly string[];
  /** Notes that match what was asked for but are not live. */
  readonly left_out: { readonly superseded: number; readonly expired: number };
};

export const explainRanking = (
  database: Database.Database,
  query: SearchQuery,
  { match, counted, corrections, total }: Ranking,
): Explanation => {
  const asked = new Set([...counted.map(({ word }) => word), ...corrections.map(({ typed }) => typed)]);
  const hidden = (state: HiddenState): number =>
    match === '' ? 0 : Math.max(0, countShowing(database, query, match, state) - total);
  return {
    match,
    words: counted.map(({ word, notes, forms }) => ({
      word,
      notes,
      ...(forms === undefined ? {} : { forms: forms.map((form) => form.word) }),
    })),
    dropped: splitWords(query.text).filter((word) => !asked.has(word)),
    left_out: { superseded: hidden('superseded'), expired: hidden('expired') },
  };
};

const countShowing = (database: Database.Database, query: SearchQuery, match: string, state: HiddenState): number => {
  const asked = query.asked ?? { phrases: [], begun: [], without: [], conditions: [], shown: [] };
  const { sql, args } = candidatesOf({ ...query, asked: { ...asked, shown: [...asked.shown, state] } });
  return counted(database, `SELECT count(*) AS total ${sql}`).get(match, ...args)?.total ?? 0;
};

const counted = preparedTexts<(string | number)[], { total: number }>();
