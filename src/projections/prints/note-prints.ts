/** Prints: the words of each note in their order, read for the best hits of a search. */
import type Database from 'better-sqlite3';
import type { JournalName } from '../../events/note/note.js';
import { prepared } from '../prepared.js';
import type { Projection, ProjectionWriter } from '../projection.js';
import { printOf } from './print.js';

const begin = (database: Database.Database): ProjectionWriter => ({
  insert(projected) {
    if ('skipped' in projected) return;
    const { journal, path, title, body, tags, keywords } = projected.note;
    insertPrint(database).run(journal, path, printOf([title, body, [...tags, ...keywords].join(' ')]));
  },
  remove(journal, path) {
    deletePrint(database).run(journal, path);
  },
});

export const notePrints: Projection = {
  name: 'prints',
  version: 1,
  tables: 'CREATE TABLE prints (journal TEXT NOT NULL, path TEXT NOT NULL, print BLOB NOT NULL);',
  indexes: 'CREATE UNIQUE INDEX prints_path ON prints (journal, path);',
  digest: {
    perJournal: ['SELECT json_array(path, lower(hex(print))) FROM prints WHERE journal = ? ORDER BY path'],
    shared: [],
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

const insertPrint = prepared<[JournalName, string, Buffer], unknown>(
  'INSERT INTO prints (journal, path, print) VALUES (?, ?, ?)',
);
const deletePrint = prepared<[JournalName, string], unknown>('DELETE FROM prints WHERE journal = ? AND path = ?');
const selectPrints = prepared<[string], { rowid: number; print: Buffer }>(
  `SELECT n.rowid AS rowid, p.print AS print
   FROM json_each(?) j CROSS JOIN notes n ON n.rowid = j.value
   CROSS JOIN prints p ON p.journal = n.journal AND p.path = n.path`,
);
