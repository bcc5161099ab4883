/** Single note rows, their number, and the next expiry. */

import type Database from 'better-sqlite3';
import { prepared } from '../prepared.js';
import { type NoteColumns, noteColumns } from './query.js';

/** Undefined if another process has removed the note since its row was found. */
export const noteAtRow = (database: Database.Database, rowid: number): NoteColumns | undefined =>
  selectRow(database).get(rowid);

/** Counts all rows: superseded and expired notes and second files, too. */
export const countAllNotes = (database: Database.Database): number => selectTotal(database).get()?.total ?? 0;

const selectRow = prepared<[number], NoteColumns>(`SELECT ${noteColumns} FROM notes n WHERE rowid = ?`);
const selectTotal = prepared<[], { total: number }>('SELECT count(*) AS total FROM notes');
