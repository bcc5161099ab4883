/**
 * A weight that does not depend on the query: important, certain and recent notes rank before others that match about
 * as well. Pure.
 */

/** Columns of the index: `importance` and `confidence` from 0 to 1, `updated_at` in seconds. */
export type Worth = {
  readonly importance: number | null;
  readonly confidence: number;
  readonly updated_at: number;
};

/**
 * A factor from 1 to 1.25 for a word score. Age counts from `newest`, the newest of the compared notes, not from today:
 * the same notes keep their order tomorrow. Never below 1, so that notes left out of the comparison stay behind.
 */
export const priorOf = ({ importance, confidence, updated_at: updated }: Worth, newest: number): number =>
  1 +
  importanceWeight * within(importance ?? usualImportance) +
  confidenceWeight * within(confidence) +
  recencyWeight * 2 ** (-Math.max(0, newest - updated) / halfLifeSeconds);

/** Small: there was no query set with dates and importances to fit them to. */
const importanceWeight = 0.1;
const confidenceWeight = 0.1;
const recencyWeight = 0.05;
const halfLifeSeconds = 180 * 86_400;
const usualImportance = 0.5;

const within = (value: number): number => Math.min(1, Math.max(0, value));
