/** "Did you mean": words of the notes that resemble those of a query that found nothing. */
import type Database from 'better-sqlite3';
import type { NoteFilter } from '../../index/query.js';
import { prepared } from '../../prepared.js';
import { foldWord } from '../../prints/fold-word.js';
import { countWords } from '../query-words.js';
import { contentWords, splitWords } from '../words.js';
import { correctWord, standsWithin } from './corrections.js';

/** At most three, the likeliest for each word first: spelt slightly differently, or beginning with what was typed. */
export const suggestWords = (database: Database.Database, text: string, filter: NoteFilter): readonly string[] => {
  const typed = contentWords(splitWords(text)).slice(0, maxWords);
  // A known word needs no suggestion: the filter excluded its notes. A restricted access must not learn what is known.
  const isRestricted = filter.user !== undefined || filter.workspace !== undefined;
  const known = isRestricted ? [] : countWords(database, typed).flatMap(({ word, notes }) => (notes > 0 ? [word] : []));
  const suggested = typed.flatMap((word) => {
    if (known.includes(word)) return [];
    const corrected = correctWord(database, word, { filter, fuzzyThreshold: 0 });
    return corrected === undefined ? completions(database, foldWord(word), filter) : corrected;
  });
  return [...new Set(suggested)].filter((word) => !typed.includes(word)).slice(0, maxSuggestions);
};

const completions = (database: Database.Database, begun: string, filter: NoteFilter): readonly string[] =>
  begun.length < leastBegun
    ? []
    : selectBegun(database)
        .all(begun, `${begun}\uffff`)
        .flatMap(({ word }) => (standsWithin(database, word, filter) ? [word] : []));

const leastBegun = 3;
const maxWords = 8;
const maxSuggestions = 3;

const selectBegun = prepared<[string, string], { word: string }>(
  `SELECT word FROM vocabulary WHERE word > ? AND word < ? ORDER BY notes DESC, word LIMIT ${maxSuggestions}`,
);
