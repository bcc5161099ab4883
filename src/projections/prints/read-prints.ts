/** Reads prints for the best hits of a search; apart from the code that writes them, which a search need not load. */
import type Database from 'better-sqlite3';
import { prepared } from '../prepared.js';
import { wordsOfPrint } from './print.js';

export const readPrints = (database: Database.Database, rowids: readonly number[]): ReadonlyMap<number, Uint32Array> =>
  new Map(
    selectPrints(database)
      .all(JSON.stringify(rowids))
      .map(({ rowid, print }) => [rowid, wordsOfPrint(print)]),
  );

const selectPrints = prepared<[string], { rowid: number; print: Buffer }>(
  `SELECT n.rowid AS rowid, p.print AS print
   FROM json_each(?) j CROSS JOIN notes n ON n.rowid = j.value
   CROSS JOIN prints p ON p.journal = n.journal AND p.path = n.path`,
);
