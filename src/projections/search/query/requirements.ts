/** FTS5 expressions for queries of more than words, and notes for an id. What was typed is always quoted. */
import type Database from 'better-sqlite3';
import { filesOfNote, filterCondition, type IndexedNote, type NoteFilter } from '../../index/query.js';
import { prepared, preparedTexts } from '../../prepared.js';
import { foldWord } from '../../prints/read-words.js';
import { notesLike } from '../../short-ids.js';
import { isSpaceless, queryParts } from '../../word-parts.js';
import { type CountedWord, quote } from '../expression.js';
import type { QueryRequirements } from './parse-query.js';
import type { Term } from './tokens.js';

/** Undefined if words alone are asked for, or nothing. */
export const matchAsked = (
  database: Database.Database,
  asked: QueryRequirements,
  words: readonly CountedWord[],
): string | undefined => {
  const { phrases, begun } = asked;
  if (phrases.length + begun.length === 0) return undefined;
  const scoring = [
    ...words.filter(({ notes }) => notes > 0).map(({ word }) => quote(word)),
    ...begun.map((term) => toMatch(database, term)),
  ];
  if (phrases.length === 0) return excluding(database, scoring.join(' OR '), asked);
  const must = phrases.map((term) => toMatch(database, term)).join(' AND ');
  // Conditions count in a hit's score too, beside the words.
  const all = scoring.length === 0 ? must : `(${must}) AND (${[`(${must})`, ...scoring].join(' OR ')})`;
  return excluding(database, all, asked);
};

/** The expression without what must not match. */
export const excluding = (database: Database.Database, expression: string, asked: QueryRequirements): string => {
  const without = excludedMatch(database, asked);
  return without === undefined || expression === '' ? expression : `(${expression}) NOT (${without})`;
};

export const excludedMatch = (database: Database.Database, { without }: QueryRequirements): string | undefined =>
  without.length === 0 ? undefined : without.map((term) => toMatch(database, term)).join(' OR ');

const toMatch = (database: Database.Database, { kind, text }: Term): string =>
  kind === 'prefix' ? anyOf([`${quote(text)}*`, ...begunWith(database, text).map(quote)]) : literal(text);

/** Words of the notes with this beginning. */
const begunWith = (database: Database.Database, begin: string): readonly string[] => {
  const from = foldWord(begin);
  return selectBegun(database)
    .all(from, `${from}\uffff`)
    .map(({ word }) => word);
};

/** The stemmer works on words, not on beginnings: the stem of "deployment" does not begin with that of `deploy`. */
const maxBegun = 64;
const selectBegun = prepared<[string, string], { word: string }>(
  `SELECT word FROM vocabulary WHERE word >= ? AND word < ? ORDER BY notes DESC, word LIMIT ${maxBegun}`,
);

/** The text, or its parts: `busyTimeout` finds `busy_timeout`, 迁移计划 finds 数据库迁移计划. */
const literal = (text: string): string => {
  // Parts of single words can't replace a phrase.
  if (/\s/.test(text.trim())) return quote(text);
  const parts = queryParts(text, maxParts);
  if (parts.length === 0) return quote(text);
  // Any spelling of a word may match; pairs of characters and parts of a name must follow each other.
  const others = /[^\x00-\x7f]/.test(text) && !isSpaceless(text) ? parts.map(quote) : [quote(parts.join(' '))];
  return anyOf([quote(text), ...others]);
};

const maxParts = 64;

const anyOf = (parts: readonly string[]): string => (parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' OR ')})`);

/** Notes whose id begins or ends with the text, hidden ones too. `isWord`: notes contain it, so an id needs a digit. */
export const namedNotes = (
  database: Database.Database,
  text: string,
  filter: NoteFilter,
  isWord: boolean,
): readonly IndexedNote[] => {
  const typed = text.trim().toUpperCase();
  if (!isIdOrPart.test(typed) || (isWord && !/\d/.test(typed))) return [];
  const { sql, args } = filterCondition(filter);
  const passes = passing(database, `SELECT 1 FROM notes n WHERE n.rowid = ? AND ${sql}`);
  return notesLike(database, typed, filter, maxNamed)
    .found.flatMap(({ id }) => filesOfNote(database, id).slice(0, 1))
    .filter(({ rowid }) => passes.get(rowid, ...args) !== undefined);
};

const isIdOrPart = /^[0-9A-HJKMNP-TV-Z]{6,26}$/;

/** Ids of one import may begin alike. */
const maxNamed = 100;

const passing = preparedTexts<(string | number)[], unknown>();
