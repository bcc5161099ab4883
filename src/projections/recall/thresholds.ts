/**
 * How well a note of this store must fit a prompt to be shown unasked. A cache beside the projections: no digest covers it,
 * and another machine may have it from a few notes more or less.
 */
import type Database from 'better-sqlite3';
import { prepared } from '../prepared.js';

export type Thresholds = {
  /** From here on a note is shown. */
  readonly sure: number;
  /** From here on it is worth a line. */
  readonly maybe: number;
};

/** Of a store of which nothing is measured, and the middle of what any store may have. */
export const usualThresholds: Thresholds = { sure: 0.21, maybe: 0.12 };

export type StoredThresholds = Thresholds & {
  /** Notes in the index when they were measured. */
  readonly notes: number;
};

export const readThresholds = (database: Database.Database): Thresholds =>
  storedThresholds(database) ?? usualThresholds;

export const storedThresholds = (database: Database.Database): StoredThresholds | undefined => {
  const stored = selectStored(database).get(key);
  return stored === undefined ? undefined : { sure: stored.sure, maybe: stored.maybe, notes: stored.notes };
};

export const storeThresholds = (database: Database.Database, { sure, maybe, notes }: StoredThresholds): void => {
  replaceStored(database).run(key, JSON.stringify({ sure, maybe, notes }));
};

/** Another number with every change of what notes are judged by: what was measured by another rule means nothing. */
const key = 'recall-thresholds:1';

const selectStored = prepared<[string], StoredThresholds>(
  "SELECT value ->> 'sure' AS sure, value ->> 'maybe' AS maybe, value ->> 'notes' AS notes FROM meta WHERE key = ?",
);
const replaceStored = prepared<[string, string], unknown>('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
