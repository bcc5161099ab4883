/**
 * Measures from which relevance a note is shown unasked: what the best notes reach for prompts that no store should
 * answer. One number would hide too much of a store of long talks, and show too much of a small mixed one.
 */
import type Database from 'better-sqlite3';
import { countAllNotes } from '../index/rows.js';
import { readWordList } from '../search/language/word-list.js';
import { type ByMeaning, judgeWith } from './recall.js';
import { type StoredThresholds, storedThresholds, storeThresholds, type Thresholds, wordsRule } from './thresholds.js';

/** Undefined for too few notes, or until a fifth has come or gone since the last time. As long as 300 recalls. */
export const measureIfDue = (database: Database.Database, meaning?: ByMeaning): StoredThresholds | undefined => {
  const notes = countAllNotes(database);
  const last = storedThresholds(database, meaning?.rule ?? wordsRule)?.notes ?? 0;
  if (notes < fewest || (notes < last * (1 + leastGrowth) && notes > last * (1 - leastGrowth))) return undefined;
  return { ...measureThresholds(database, meaning), notes };
};

/** Call it in the transaction that changes the notes. Only for small stores: the worker measures larger ones. */
export const calibrateSmall = (database: Database.Database): void => {
  if (countAllNotes(database) > mostInPassing) return;
  const measured = measureIfDue(database);
  if (measured !== undefined) storeThresholds(database, measured);
};

const leastGrowth = 0.2;
/** Below this, a few words more or less decide, and every other write would measure again. */
const fewest = 20;
const mostInPassing = 300;

/** Asks each prompt in the project of another note: a project counts by its notes. No clock: expired notes count. */
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
  const best = [...referencePrompts().values()].map(bestOf);
  // The greatest of all languages: prompts in one that the notes aren't in reach almost nothing and would lower the
  // threshold.
  const near = (middle: number, share: number): number => {
    const measured = Math.max(...best.map((one) => one[Math.round(share * one.length) - 1] ?? 0));
    return fromLogit(Math.min(logit(middle) + widest, Math.max(logit(middle) - widest, logit(measured))));
  };
  return { sure: near(usual.sure, silentShare), maybe: near(usual.maybe, lineShare) };
};

/** Prompts that no store should answer, by language. */
export const referencePrompts = (): ReadonlyMap<string, readonly string[]> => {
  const prompts = new Map<string, string[]>();
  for (const line of readWordList('reference-prompts.txt')) {
    const [language = '', prompt = ''] = line.split('\t');
    const others = prompts.get(language);
    if (others === undefined) prompts.set(language, [prompt]);
    else others.push(prompt);
  }
  return prompts;
};

/** Neighbours in a list are about one subject; a prime number has no divisor in common with a list's length. */
const stride = 83;
/** Shares of the prompts in each language for which no note is shown, and for which there is not even a line. */
const silentShare = 0.98;
const lineShare = 0.92;
/** Limit in logits from the usual threshold: a store on just these prompts' subjects still shows its notes. */
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
