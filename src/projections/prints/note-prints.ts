/** Prints: each note's words in order; and the vocabulary: every word, with the number of notes that contain it. */
import type Database from 'better-sqlite3';
import type { JournalName } from '../../events/note/note.js';
import { tableVersions } from '../checkpoint.js';
import { prepared, reverseText } from '../prepared.js';
import type { Projection, ProjectionWriter, Way } from '../projection.js';
import type { ListedWords } from './print.js';

/** A note's word ids are stored with its print, so that `remove` can discount them: the text is gone by then. */
export type Vocabulary = {
  /** Counts the distinct words of one note; returns their packed ids. */
  add(words: ListedWords): Buffer;
  remove(ids: Buffer): void;
  finish(): void;
};

const vocabularyTables = `
  CREATE TABLE vocabulary (id INTEGER PRIMARY KEY, word TEXT NOT NULL, reversed TEXT NOT NULL, notes INTEGER NOT NULL);`;
/** Created after the words, which are inserted last: maintaining them meanwhile takes twice as long. */
const vocabularyIndexes = `
  CREATE UNIQUE INDEX vocabulary_word ON vocabulary (word);
  CREATE INDEX vocabulary_reversed ON vocabulary (reversed);`;
/** One text: returning a short row takes longer than reading it. */
const vocabularyDigest = `SELECT group_concat(line, char(10)) FROM
  (SELECT json_array(word, notes) AS line FROM vocabulary ORDER BY word)`;

export const openVocabulary = (database: Database.Database, way: Way): Vocabulary =>
  way === 'replay' ? fillVocabulary(database) : keepVocabulary(database);

type Counted = { readonly id: number; notes: number };

/** A replay counts in memory and writes each word once, then makes the indexes. */
const fillVocabulary = (database: Database.Database): Vocabulary => {
  const known = new Map<string, Counted>();
  const count = (word: string): Counted => {
    const found = known.get(word);
    if (found !== undefined) return found;
    const made = { id: known.size + 1, notes: 0 };
    known.set(word, made);
    return made;
  };
  /** Counters by place in the list, which has each word once: looking up a text takes longer than the rest. */
  const countedOf = new WeakMap<readonly string[], Counted[]>();
  return {
    add({ list, places }) {
      let counted = countedOf.get(list);
      if (counted === undefined) {
        counted = [];
        countedOf.set(list, counted);
      }
      const ids: number[] = [];
      for (const place of places) {
        const one = counted[place] ?? count(list[place] ?? '');
        counted[place] = one;
        one.notes += 1;
        ids.push(one.id);
      }
      return packNumbers(ids);
    },
    remove: () => undefined,
    finish() {
      const rows = [...known].map(([word, { id, notes }]) => [id, word, reverseText(word), notes]);
      for (let at = 0; at < rows.length; at += wordsPerInsert)
        insertWords(database).run(JSON.stringify(rows.slice(at, at + wordsPerInsert)));
      database.exec(vocabularyIndexes);
    },
  };
};

const keepVocabulary = (database: Database.Database): Vocabulary => ({
  add: ({ list, places }) =>
    packNumbers(
      places.flatMap((place) => {
        const word = list[place] ?? '';
        return countWord(database).get(word, reverseText(word))?.id ?? [];
      }),
    ),
  remove(ids) {
    for (const id of unpackNumbers(ids)) {
      discountWord(database).run(id);
      deleteUnheld(database).run(id);
    }
  },
  finish: () => undefined,
});

/** One statement for thousands of words, as in `pairs.ts`. */
const wordsPerInsert = 10_000;
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
export const packNumbers = (numbers: readonly number[]): Buffer => {
  if (packed.length < numbers.length * mostBytes) packed = Buffer.alloc(numbers.length * mostBytes * 2);
  let length = 0;
  for (const number of numbers) {
    let rest = number;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) {
      packed[length] = (rest % 0x80) + 0x80;
      length += 1;
    }
    packed[length] = rest;
    length += 1;
  }
  return Buffer.from(packed.subarray(0, length));
};

/** Bytes of the largest integer that a double holds. */
const mostBytes = 8;
let packed = Buffer.alloc(4096);

export const unpackNumbers = (bytes: Buffer): readonly number[] => {
  const numbers: number[] = [];
  let number = 0;
  let place = 1;
  for (const byte of bytes) {
    number += (byte % 0x80) * place;
    place *= 0x80;
    if (byte < 0x80) {
      numbers.push(number);
      number = 0;
      place = 1;
    }
  }
  return numbers;
};

const begin = (database: Database.Database, way: Way): ProjectionWriter => {
  const vocabulary = openVocabulary(database, way);
  return {
    insert(projected) {
      if ('skipped' in projected) return;
      const { journal, path, print, words } = projected.note;
      insertPrint(database).run(journal, path, print, vocabulary.add(words));
    },
    remove(journal, path) {
      const words = deletePrint(database).get(journal, path)?.words;
      if (words !== undefined) vocabulary.remove(words);
    },
    finish: () => vocabulary.finish(),
  };
};

export const notePrints: Projection = {
  name: 'prints',
  version: tableVersions.prints,
  tables: `CREATE TABLE prints (journal TEXT NOT NULL, path TEXT NOT NULL, print BLOB NOT NULL, words BLOB NOT NULL);
    ${vocabularyTables}`,
  // The vocabulary creates its indexes itself, after its rows.
  indexes: 'CREATE UNIQUE INDEX prints_path ON prints (journal, path);',
  digest: {
    // The prints as bytes: as text they would be twice as long.
    perJournal: [
      `SELECT group_concat(line, char(10)) FROM
         (SELECT json_array(path, length(print)) AS line FROM prints WHERE journal = ? ORDER BY path)`,
      'SELECT print FROM prints WHERE journal = ? ORDER BY path',
    ],
    shared: [vocabularyDigest],
  },
  begin,
};

const insertPrint = prepared<[JournalName, string, Uint8Array, Buffer], unknown>(
  'INSERT INTO prints (journal, path, print, words) VALUES (?, ?, ?, ?)',
);
const deletePrint = prepared<[JournalName, string], { words: Buffer }>(
  'DELETE FROM prints WHERE journal = ? AND path = ? RETURNING words',
);
