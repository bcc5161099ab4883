/**
 * Measures from where on a note of this store is shown unasked: what its best notes reach for prompts that no store should
 * answer. One number for all stores hides too much of one of long talks and shows too much of a small one of many subjects.
 */
import type Database from 'better-sqlite3';
import { countAllNotes } from '../index/rows.js';
import { type ByMeaning, judgeWith } from './judging.js';
import { referencePrompts } from './reference-prompts.js';
import { promptsInOtherLanguages } from './reference-prompts-abroad.js';
import { type StoredThresholds, storedThresholds, storeThresholds, type Thresholds, wordsRule } from './thresholds.js';

/**
 * Undefined where what was measured last still holds: a store that has grown or shrunk by a fifth is measured again. Takes as
 * long as 300 recalls otherwise.
 */
export const measureIfDue = (database: Database.Database, meaning?: ByMeaning): StoredThresholds | undefined => {
  const notes = countAllNotes(database);
  const last = storedThresholds(database, meaning?.rule ?? wordsRule)?.notes ?? 0;
  if (notes < fewest || (notes < last * (1 + leastGrowth) && notes > last * (1 - leastGrowth))) return undefined;
  return { ...measureThresholds(database, meaning), notes };
};

/** In the transaction that changes the notes, where that takes no longer than a moment; the background worker sees to others. */
export const calibrateSmall = (database: Database.Database): void => {
  if (countAllNotes(database) > mostInPassing) return;
  const measured = measureIfDue(database);
  if (measured !== undefined) storeThresholds(database, measured);
};

const leastGrowth = 0.2;
/** Below, a few words more or less decide; and every other write would measure anew. */
const fewest = 20;
const mostInPassing = 300;

/** Each prompt in the project of another note, so that a project counts by its notes. No clock: expired notes count. */
const measureThresholds = (database: Database.Database, meaning: ByMeaning | undefined): Thresholds => {
  const { usual } = meaning?.rule ?? wordsRule;
  const projects = database
    .prepare<[], { project: string; notes: number }>(
      'SELECT project, count(*) AS notes FROM notes GROUP BY project ORDER BY project',
    )
    .all();
  const bestOf = (prompts: readonly string[]): readonly number[] =>
    prompts
      .map((text, at) => {
        const project = projectAt(projects, ((at * stride) % prompts.length) / prompts.length);
        const prompt = { text, project, nowSeconds: 0, exclude: new Set<string>() };
        return judgeWith(database, prompt, meaning).notes[0]?.relevance ?? 0;
      })
      .toSorted((a, b) => a - b);
  const best = [referencePrompts, ...promptsInOtherLanguages].map(bestOf);
  // Of prompts in other languages than the notes nearly all reach nothing, and would bring the threshold down for the rest.
  const near = (middle: number, share: number): number => {
    const measured = Math.max(...best.map((one) => one[Math.round(share * one.length) - 1] ?? 0));
    return fromLogit(Math.min(logit(middle) + widest, Math.max(logit(middle) - widest, logit(measured))));
  };
  return { sure: near(usual.sure, silentShare), maybe: near(usual.maybe, lineShare) };
};

/** Neighbours in a list are about one subject; a prime number, so that it has no divisor in common with a length. */
const stride = 83;

/** Of the prompts in each language, those for which nothing is shown, and those for which there is not even a line. */
const silentShare = 0.98;
const lineShare = 0.92;
/** In logits, from the usual threshold: a store of nothing but these prompts' subjects shows its notes all the same. */
const widest = 1.3;

const projectAt = (
  projects: readonly { readonly project: string; readonly notes: number }[],
  share: number,
): string => {
  const all = projects.reduce((sum, { notes }) => sum + notes, 0);
  let before = 0;
  for (const { project, notes } of projects) {
    before += notes;
    if (share * all < before) return project;
  }
  return projects.at(-1)?.project ?? 'global';
};

const logit = (share: number): number => Math.log(Math.max(share, 1e-9) / (1 - share));
const fromLogit = (value: number): number => 1 / (1 + Math.exp(-value));
