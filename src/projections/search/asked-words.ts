/** The words of a query as the notes know them: counted, and put right where they stand in no note. */
import type Database from 'better-sqlite3';
import type { NoteFilter } from '../index/query.js';
import { type Correction, correctWord } from './corrections.js';
import type { CountedWord } from './expression.js';
import { countNotesWith, readStems } from './stems.js';
import { dropStopWords } from './words.js';

export type AskedWords = { readonly words: readonly CountedWord[]; readonly corrections: readonly Correction[] };

export type Fuzziness = {
  readonly filter: NoteFilter;
  /** Least likeness of a correction in trigrams, 0 to 1; undefined leaves words as they are. */
  readonly fuzzyThreshold?: number | undefined;
};

export const askWords = (
  database: Database.Database,
  typed: readonly string[],
  { filter, fuzzyThreshold }: Fuzziness,
): AskedWords => {
  const counted = countWords(database, typed);
  if (fuzzyThreshold === undefined || counted.every(({ notes }) => notes > 0))
    return { words: counted, corrections: [] };
  const corrections: Correction[] = [];
  const words = counted.map(({ word, notes }) => {
    // Each costs a look at the vocabulary, and a text of many strange words is no slip.
    if (notes > 0 || corrections.length === maxCorrections) return word;
    const instead = correctWord(database, word, { filter, fuzzyThreshold });
    if (instead === undefined) return word;
    corrections.push({ typed: word, instead });
    return instead;
  });
  if (corrections.length === 0) return { words: counted, corrections };
  const distinct = [...new Set(words)];
  const content = dropStopWords(distinct);
  return { words: countWords(database, content.length === 0 ? distinct : content), corrections };
};

const maxCorrections = 8;

/** In how many notes each word's stem stands; two words with one stem count once. */
const countWords = (database: Database.Database, words: readonly string[]): readonly CountedWord[] => {
  const notes = words.map(() => 0);
  for (const { stem, at } of readStems(database, words)) {
    const held = countNotesWith(database, stem);
    notes[at] = notes[at] === 0 ? held : Math.min(notes[at] ?? 0, held);
  }
  return words.map((word, at) => ({ word, notes: notes[at] ?? 0 }));
};
