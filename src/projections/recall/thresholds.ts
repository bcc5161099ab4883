/** From which fit a note is shown unasked. A cache: no digest covers it, and each machine measures its own. */
import type Database from 'better-sqlite3';
import { prepared } from '../prepared.js';

export type Thresholds = {
  /** From this relevance on, a note is shown. */
  readonly sure: number;
  /** From this relevance on, it is worth a line. */
  readonly maybe: number;
};

/** A rule by which notes are judged; each has its own thresholds. */
export type Rule = {
  readonly key: string;
  /** For a store that has not been measured; also the middle of the range that a measured store may have. */
  readonly usual: Thresholds;
};

/** Change the number in the key with every change to the rule: what another rule measured means nothing. */
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

/** Deletes those of other models, which may never be used again. */
export const storeThresholds = (
  database: Database.Database,
  { sure, maybe, notes }: StoredThresholds,
  { key }: Rule = wordsRule,
): void => {
  if (key.startsWith(meaningKeys)) deleteOthers(database).run(`${meaningKeys}*`, key);
  replaceStored(database).run(key, JSON.stringify({ sure, maybe, notes }));
};

/** Copies those of all rules from one index to another of the same notes. */
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
