/** Prints: the words of each note in order, and the vocabulary of all notes. */

import type Database from 'better-sqlite3';
import type { JournalName } from '../../events/note/note.js';
import { prepared } from '../prepared.js';
import type { Projection, ProjectionWriter, Way } from '../projection.js';
import { tableVersions } from '../schema-number.js';
import { openVocabulary, vocabularyDigest, vocabularyTables } from './vocabulary.js';

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
