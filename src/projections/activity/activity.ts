/**
 * Activity: how many events there were and how many notes they touched, per UTC day, project, kind and machine. One row
 * per commit rather than a counter per day: what a sync drops or appends again needs no arithmetic, and which of
 * several commits with one event id counts is decided by the query, whatever order they came in.
 */

import type Database from 'better-sqlite3';
import type { JournalName } from '../../events/note/note.js';
import { parseTime } from '../../events/time.js';
import { prepared } from '../prepared.js';
import type { Projection, ProjectionWriter } from '../projection.js';
import { tableVersions } from '../schema-number.js';

const begin = (database: Database.Database): ProjectionWriter => ({
  addEvent({ id, journal, commit, at, project, kind, machine, notes }) {
    insertRow(database).run(id, journal, commit, dayOf(at), project ?? null, kind, machine, notes.length);
  },
  removeEvent({ id, journal, commit }) {
    deleteRow(database).run(id, journal, commit);
  },
});

/** Days since 1970 in UTC; an unreadable time is day 0. */
const dayOf = (at: string): number => Math.floor((parseTime(at) ?? 0) / msPerDay);

const msPerDay = 86_400_000;

export const activity: Projection = {
  name: 'activity',
  version: tableVersions.activity,
  // Ids begin with their time, so a replay appends nearly all rows at the end.
  tables: `
    CREATE TABLE activity (
      id TEXT NOT NULL, journal TEXT NOT NULL, commit_id TEXT NOT NULL, day INTEGER NOT NULL, project TEXT,
      kind TEXT NOT NULL, machine TEXT NOT NULL, notes INTEGER NOT NULL,
      PRIMARY KEY (id, journal, commit_id)) WITHOUT ROWID;
  `,
  indexes: '',
  digest: {
    perJournal: [
      `SELECT json_array(id, commit_id, day, project, kind, machine, notes) FROM activity
       WHERE journal = ? ORDER BY id, commit_id`,
    ],
    shared: [],
  },
  begin,
};

const insertRow = prepared<(string | number | null)[], unknown>(
  `INSERT OR REPLACE INTO activity (id, journal, commit_id, day, project, kind, machine, notes)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
);
const deleteRow = prepared<[string, JournalName, string], unknown>(
  'DELETE FROM activity WHERE id = ? AND journal = ? AND commit_id = ?',
);
