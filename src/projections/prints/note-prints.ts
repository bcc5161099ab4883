/** Prints: the words of each note in their order, read for the best hits of a search; and the vocabulary of all notes. */

import type Database from 'better-sqlite3';
import type { JournalName } from '../../events/note/note.js';
import { prepared } from '../prepared.js';
import type { Projection, ProjectionWriter, Way } from '../projection.js';
import { tableVersions } from '../schema-number.js';
import { openVocabulary, vocabularyDigest, vocabularyIndexes, vocabularyTables } from './vocabulary.js';

const begin = (database: Database.Database, way: Way): ProjectionWriter => {
  const vocabulary = openVocabulary(database, way);
  return {
    insert(projected) {
      if ('skipped' in projected) return;
      const { journal, path, print, words } = projected.note;
      insertPrint(database).run(journal, path, print, vocabulary.add(words === '' ? [] : words.split(' ')));
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
  indexes: `CREATE UNIQUE INDEX prints_path ON prints (journal, path);
    ${vocabularyIndexes}`,
  digest: {
    perJournal: ['SELECT json_array(path, lower(hex(print))) FROM prints WHERE journal = ? ORDER BY path'],
    shared: [vocabularyDigest],
  },
  begin,
};

/** By the rows of the index. */
export const readPrints = (database: Database.Database, rowids: readonly number[]): ReadonlyMap<number, Buffer> =>
  new Map(
    selectPrints(database)
      .all(JSON.stringify(rowids))
      .map(({ rowid, print }) => [rowid, print]),
  );

const insertPrint = prepared<[JournalName, string, Uint8Array, Buffer], unknown>(
  'INSERT INTO prints (journal, path, print, words) VALUES (?, ?, ?, ?)',
);
const deletePrint = prepared<[JournalName, string], { words: Buffer }>(
  'DELETE FROM prints WHERE journal = ? AND path = ? RETURNING words',
);
const selectPrints = prepared<[string], { rowid: number; print: Buffer }>(
  `SELECT n.rowid AS rowid, p.print AS print
   FROM json_each(?) j CROSS JOIN notes n ON n.rowid = j.value
   CROSS JOIN prints p ON p.journal = n.journal AND p.path = n.path`,
);
