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

/** By which notes are judged; each has thresholds of its own. */
export type Rule = {
  readonly key: string;
  /** Of a store of which nothing is measured, and the middle of what any store may have. */
  readonly usual: Thresholds;
};

/** Another number with every change of what notes are judged by: what was measured by another rule means nothing. */
export const wordsRule: Rule = { key: 'recall-thresholds:2', usual: { sure: 0.21, maybe: 0.12 } };

const meaningKeys = 'recall-thresholds:meaning-2 ';

/** `model` is the id of one version of a model. */
export const meaningRule = (model: string): Rule => ({ key: `${meaningKeys}${model}`, usual: meaningThresholds });

const meaningThresholds: Thresholds = { sure: 0.184, maybe: 0.12 };

export type StoredThresholds = Thresholds & {
  /** Notes in the index when they were measured. */
  readonly notes: number;
};

export const readThresholds = (database: Database.Database, rule: Rule = wordsRule): Thresholds =>
  storedThresholds(database, rule) ?? rule.usual;

export const storedThresholds = (
  database: Database.Database,
  { key }: Rule = wordsRule,
): StoredThresholds | undefined => {
  const stored = selectStored(database).get(key);
  return stored === undefined ? undefined : { sure: stored.sure, maybe: stored.maybe, notes: stored.notes };
};

/** Those of another model go: it may never be used again. */
export const storeThresholds = (
  database: Database.Database,
  { sure, maybe, notes }: StoredThresholds,
  { key }: Rule = wordsRule,
): void => {
  if (key.startsWith(meaningKeys)) deleteOthers(database).run(`${meaningKeys}*`, key);
  replaceStored(database).run(key, JSON.stringify({ sure, maybe, notes }));
};

/** Of all rules, from one index to another of the same notes. */
export const copyThresholds = (from: Database.Database, to: Database.Database): void => {
  for (const { key, value } of selectAll(from).all(wordsRule.key, `${meaningKeys}*`)) replaceStored(to).run(key, value);
};

const selectStored = prepared<[string], StoredThresholds>(
  "SELECT value ->> 'sure' AS sure, value ->> 'maybe' AS maybe, value ->> 'notes' AS notes FROM meta WHERE key = ?",
);
const selectAll = prepared<[string, string], { key: string; value: string }>(
  'SELECT key, value FROM meta WHERE key = ? OR key GLOB ?',
);
const deleteOthers = prepared<[string, string], unknown>('DELETE FROM meta WHERE key GLOB ? AND key <> ?');
const replaceStored = prepared<[string, string], unknown>('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
