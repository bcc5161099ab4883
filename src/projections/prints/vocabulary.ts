/** The vocabulary: every word that a person may mistype, with the number of notes that hold it. */
import type Database from 'better-sqlite3';
import { prepared } from '../prepared.js';
import type { Way } from '../projection.js';
import { packNumbers, unpackNumbers } from './packed-numbers.js';
import { reverseWord } from './word-form.js';

/** The ids of a note's words are kept with its print, so that they can be taken back: the text is gone by then. */
export type Vocabulary = {
  /** Distinct words of one note; answers their ids. */
  add(words: readonly string[]): Buffer;
  remove(ids: Buffer): void;
  finish(): void;
};

export const vocabularyTables = `
  CREATE TABLE vocabulary (id INTEGER PRIMARY KEY, word TEXT NOT NULL, reversed TEXT NOT NULL, notes INTEGER NOT NULL);`;
export const vocabularyIndexes = `
  CREATE UNIQUE INDEX vocabulary_word ON vocabulary (word);
  CREATE INDEX vocabulary_reversed ON vocabulary (reversed);`;
export const vocabularyDigest = 'SELECT json_array(word, notes) FROM vocabulary ORDER BY word';

export const openVocabulary = (database: Database.Database, way: Way): Vocabulary =>
  way === 'replay' ? fillVocabulary(database) : keepVocabulary(database);

/** A replay counts in memory and writes each word once. */
const fillVocabulary = (database: Database.Database): Vocabulary => {
  const known = new Map<string, { readonly id: number; notes: number }>();
  return {
    add: (words) =>
      packNumbers(
        words.map((word) => {
          const found = known.get(word);
          if (found !== undefined) {
            found.notes += 1;
            return found.id;
          }
          const id = known.size + 1;
          known.set(word, { id, notes: 1 });
          return id;
        }),
      ),
    remove: () => undefined,
    finish() {
      const rows = [...known].map(([word, { id, notes }]) => [id, word, reverseWord(word), notes] as const);
      rows.sort(([, a], [, b]) => (a < b ? -1 : 1));
      for (let at = 0; at < rows.length; at += rowsPerInsert)
        insertWords(database).run(JSON.stringify(rows.slice(at, at + rowsPerInsert)));
    },
  };
};

const keepVocabulary = (database: Database.Database): Vocabulary => ({
  add: (words) => packNumbers(words.flatMap((word) => countWord(database).get(word, reverseWord(word))?.id ?? [])),
  remove(ids) {
    for (const id of unpackNumbers(ids)) {
      discountWord(database).run(id);
      deleteUnheld(database).run(id);
    }
  },
  finish: () => undefined,
});

/** One statement for thousands, in the order of the index that is kept while they come. */
const rowsPerInsert = 10_000;
const insertWords = prepared<[string], unknown>(
  `INSERT INTO vocabulary (id, word, reversed, notes)
   SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)`,
);
const countWord = prepared<[string, string], { id: number }>(
  `INSERT INTO vocabulary (word, reversed, notes) VALUES (?, ?, 1)
   ON CONFLICT (word) DO UPDATE SET notes = notes + 1 RETURNING id`,
);
const discountWord = prepared<[number], unknown>('UPDATE vocabulary SET notes = notes - 1 WHERE id = ?');
const deleteUnheld = prepared<[number], unknown>('DELETE FROM vocabulary WHERE id = ? AND notes = 0');
