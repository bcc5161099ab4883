/** Whether a text is in another language than the notes. */
import type Database from 'better-sqlite3';
import { isForeignFunctionWord } from '../language/function-words.js';
import { countNotesWith, readStems } from '../stems.js';

/**
 * True if at least half of its function words are in no note. Then its other words are not mistyped, and similar words
 * of the notes mean something else.
 */
export const isInAnotherLanguage = (database: Database.Database, words: readonly string[]): boolean => {
  const known = words.filter(isForeignFunctionWord);
  if (known.length === 0) return false;
  const missing = readStems(database, known).filter(({ stem }) => countNotesWith(database, stem) === 0);
  return 2 * missing.length >= known.length;
};
