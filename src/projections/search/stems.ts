/** Words as the index knows them: FTS5 itself does the stemming, in a small table with the index's tokenizer. */
import type Database from 'better-sqlite3';

/** A stem, and the place of the first word that has it. One word may have several, as one with a hyphen in it does. */
export type Stem = { readonly stem: string; readonly at: number };

/** Each stem once, in the order of the words. */
export const readStems = (database: Database.Database, words: readonly string[]): readonly Stem[] => {
  const { clear, insert, terms } = stemmer(database);
  clear.run();
  insert.run(JSON.stringify(words));
  const first = new Map<string, number>();
  for (const { doc, term } of terms.all()) if (!first.has(term)) first.set(term, doc - 1);
  return [...first].map(([stem, at]) => ({ stem, at }));
};

/** In how many notes the stem stands. */
export const countNotesWith = (database: Database.Database, stem: string): number =>
  stemmer(database).count.get(stem)?.doc ?? 0;

type Stemmer = {
  readonly clear: Database.Statement;
  /** All of a list at once, as JSON: one by one takes three times as long. */
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
    clear: database.prepare('DELETE FROM temp.asked_words'),
    insert: database.prepare('INSERT INTO temp.asked_words (rowid, word) SELECT key + 1, value FROM json_each(?)'),
    terms: database.prepare('SELECT doc, term FROM temp.asked_terms ORDER BY doc, offset'),
    count: database.prepare('SELECT doc FROM terms WHERE term = ?'),
  };
  stemmers.set(database, made);
  return made;
};
