/** FTS5 expressions for a query that asks for more than words. */
import type Database from 'better-sqlite3';
import { prepared } from '../../prepared.js';
import { foldWord } from '../../prints/fold-word.js';
import type { CountedWord } from '../expression.js';
import type { Correction } from '../fuzzy/corrections.js';
import type { FieldConditions } from './fields.js';
import type { ParsedQuery } from './parse-query.js';
import type { Structure } from './structure.js';
import { type Forms, quote, toMatch } from './to-match.js';

export type QueryRequirements = Pick<ParsedQuery, 'structure' | 'begun' | 'without'> & FieldConditions;

type Known = { readonly words: readonly CountedWord[]; readonly corrections: readonly Correction[] };

/** Undefined if words alone are asked for, or nothing. */
export const matchAsked = (
  database: Database.Database,
  asked: QueryRequirements,
  { words, corrections }: Known,
): string | undefined => {
  const { structure, begun } = asked;
  if (structure === undefined && begun.length === 0) return undefined;
  const forms = formsOf(database, corrections);
  const scoring = [
    ...words.filter(({ notes }) => notes > 0).map(({ word }) => quote(word)),
    ...begun.map((term) => toMatch(term, forms)),
  ];
  if (structure === undefined) return excluding(database, scoring.join(' OR '), asked);
  const must = toMatch(structure, forms);
  // Conditions count in a hit's score too, beside the words.
  const all = scoring.length === 0 ? must : `(${must}) AND (${[must, ...scoring].join(' OR ')})`;
  return excluding(database, all, asked);
};

/** The expression without what must not match. */
export const excluding = (database: Database.Database, expression: string, asked: QueryRequirements): string => {
  const without = excludedMatch(database, asked);
  return without === undefined || expression === '' ? expression : `(${expression}) NOT (${without})`;
};

export const excludedMatch = (database: Database.Database, { without }: QueryRequirements): string | undefined => {
  const forms = formsOf(database, []);
  return without.length === 0 ? undefined : without.map((one: Structure) => toMatch(one, forms)).join(' OR ');
};

const formsOf = (database: Database.Database, corrections: readonly Correction[]): Forms => {
  const instead = new Map<string, string[][]>();
  for (const { typed, instead: words } of corrections)
    instead.set(typed, [...(instead.get(typed) ?? []), words.split(' ')]);
  return {
    instead: (word) => instead.get(word),
    begunWith: (begin) => {
      const from = foldWord(begin);
      return selectBegun(database)
        .all(from, `${from}\uffff`)
        .map(({ word }) => word);
    },
  };
};

/** The stemmer works on words, not on beginnings: the stem of "deployment" does not begin with that of `deploy`. */
const maxBegun = 64;
const selectBegun = prepared<[string, string], { word: string }>(
  `SELECT word FROM vocabulary WHERE word >= ? AND word < ? ORDER BY notes DESC, word LIMIT ${maxBegun}`,
);
