/**
 * A weight that doesn't depend on the question: important, certain and recent notes come before others that fit about as
 * well. Pure.
 */

/** As the index has them: `importance` and `confidence` from 0 to 1, `updated_at` in seconds. */
export type Worth = {
  readonly importance: number | null;
  readonly confidence: number;
  readonly updated_at: number;
};

/**
 * A factor from 1 to 1.25 for a score by words. Age is counted from `newest`, the newest of the notes that are compared, and
 * not from today: the same notes are in the same order tomorrow. Never below 1, so that those that were not compared stay behind.
 */
export const priorOf = ({ importance, confidence, updated_at: updated }: Worth, newest: number): number =>
  1 +
  importanceWeight * within(importance ?? usualImportance) +
  confidenceWeight * within(confidence) +
  recencyWeight * 2 ** (-Math.max(0, newest - updated) / halfLifeSeconds);

/** Small ones: no set of questions with dates and importances was at hand to fit them to. */
const importanceWeight = 0.1;
const confidenceWeight = 0.1;
const recencyWeight = 0.05;
const halfLifeSeconds = 180 * 86_400;
const usualImportance = 0.5;

const within = (value: number): number => Math.min(1, Math.max(0, value));
