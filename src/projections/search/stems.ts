/** Stems words like the index: FTS5 itself does it, in a small table with the index's tokenizer. */
import type Database from 'better-sqlite3';
import { isForeignFunctionWord } from './language/function-words.js';

/**
 * A stem, and the position of the first word that has it. One word may have several stems, for example with a hyphen.
 */
export type Stem = { readonly stem: string; readonly at: number };

/** Each stem once, in the order of the words. */
export const readStems = (database: Database.Database, words: readonly string[]): readonly Stem[] => {
  const stemsOf = addStems(stemmer(database), words);
  const first = new Map<string, number>();
  words.forEach((word, at) => {
    for (const stem of stemsOf.get(word) ?? []) if (!first.has(stem)) first.set(stem, at);
  });
  return [...first].map(([stem, at]) => ({ stem, at }));
};

/** Adds the stems of these words to the known ones and returns all. */
const addStems = (stemmer: Stemmer, words: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const { known, clear, insert, terms } = stemmer;
  if (stemmer.units > maxUnits) {
    known.clear();
    stemmer.units = 0;
  }
  const unknown = [...new Set(words)].filter((word) => !known.has(word));
  if (unknown.length === 0) return known;
  clear.run();
  insert.run(JSON.stringify(unknown));
  const stems = unknown.map((): string[] => []);
  for (const { doc, term } of terms.all()) stems[doc - 1]?.push(term);
  unknown.forEach((word, at) => {
    known.set(word, stems[at] ?? []);
    stemmer.units += word.length;
  });
  return known;
};

/** Total length of remembered words; with their stems they take a few megabytes. */
const maxUnits = 200_000;

/** The number of notes that contain the stem. */
export const countNotesWith = (database: Database.Database, stem: string): number =>
  stemmer(database).count.get(stem)?.doc ?? 0;

type Stemmer = {
  /** The stems of words that were read before: one search reads its words several times, and searches share words. */
  readonly known: Map<string, readonly string[]>;
  /** Total length of all known words. */
  units: number;
  readonly clear: Database.Statement;
  /** Inserts a whole list as JSON: one by one takes three times as long. */
  readonly insert: Database.Statement<[string]>;
  readonly terms: Database.Statement<[], { doc: number; term: string }>;
  readonly count: Database.Statement<[string], { doc: number }>;
};

const stemmers = new WeakMap<Database.Database, Stemmer>();

const stemmer = (database: Database.Database): Stemmer => {
  const known = stemmers.get(database);
  if (known !== undefined) return known;
  database.exec(`
    CREATE VIRTUAL TABLE temp.asked_words USING fts5(word, tokenize = 'porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE temp.asked_terms USING fts5vocab(temp, asked_words, instance);`);
  const made: Stemmer = {
    known: new Map(),
    units: 0,
    clear: database.prepare('DELETE FROM temp.asked_words'),
    insert: database.prepare('INSERT INTO temp.asked_words (rowid, word) SELECT key + 1, value FROM json_each(?)'),
    terms: database.prepare('SELECT doc, term FROM temp.asked_terms ORDER BY doc, offset'),
    count: database.prepare('SELECT doc FROM terms WHERE term = ?'),
  };
  stemmers.set(database, made);
  return made;
};

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
