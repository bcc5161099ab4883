/** Finds notes by the words of notes that they replaced: a subject may be remembered by its earlier words. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../../events/note/note.js';
import { type Condition, filterCondition, joinConditions, liveCondition, type NoteFilter } from '../index/query.js';
import { prepared, preparedTexts } from '../prepared.js';

export type Successor = {
  readonly rowid: number;
  /** The replaced note's score by words. */
  readonly score: number;
  readonly insteadOf: NoteId;
};

type SuccessorQuery = {
  readonly filter: NoteFilter;
  readonly nowSeconds: number;
  /** FTS5 expression, and the weights of its columns. */
  readonly match: string;
  readonly columns: string;
  /** How often the expression repeats each word. */
  readonly times: number;
};

/** Live notes that pass the filter, as the replaced ones must too; each once, best first. */
export const successorsOf = (
  database: Database.Database,
  { filter, nowSeconds, match, columns, times }: SuccessorQuery,
): readonly Successor[] => {
  if (selectAny(database).get() === undefined) return [];
  const { sql, args } = filterCondition(filter);
  // The plus makes SQLite go through the rows that match; otherwise each superseded note is a query of its own.
  const replaced = selectReplaced(
    database,
    `SELECT n.id AS id, n.superseded_by AS successor, -bm25(fts, ${columns}) / ${times} AS score
     FROM fts CROSS JOIN notes n ON n.rowid = fts.rowid
     WHERE fts MATCH ? AND +fts.rowid IN (SELECT rowid FROM notes WHERE superseded_by IS NOT NULL) AND ${sql}
     ORDER BY score DESC, n.id DESC LIMIT ${maxReplaced}`,
  ).all(match, ...args);
  const passes = joinConditions([liveCondition(nowSeconds), { sql, args }]);
  const found = new Map<number, Successor>();
  for (const { id, successor, score } of replaced) {
    const rowid = lastPassing(database, successor, passes);
    if (rowid !== undefined && !found.has(rowid)) found.set(rowid, { rowid, score, insteadOf: id });
  }
  return [...found.values()];
};

type ScoredRow = { readonly rowid: number; readonly score: number };

/** Gives successors the score of the replaced note where that is better than their own. */
export const withSuccessors = <Scored extends ScoredRow>(
  scored: readonly Scored[],
  successors: readonly Successor[],
): readonly (Scored | Successor)[] => {
  if (successors.length === 0) return scored;
  const byRow = new Map<number, Scored | Successor>(scored.map((one) => [one.rowid, one]));
  for (const { rowid, score, insteadOf } of successors) {
    if (score > (byRow.get(rowid)?.score ?? 0)) byRow.set(rowid, { rowid, score, insteadOf });
  }
  return [...byRow.values()].toSorted((a, b) => b.score - a.score);
};

/** Counts successors that are not in `scored`; one that matches but ranks behind all scored ones is counted twice. */
export const countNew = (scored: readonly ScoredRow[], successors: readonly Successor[]): number => {
  const known = new Set(scored.map(({ rowid }) => rowid));
  return successors.filter(({ rowid }) => !known.has(rowid)).length;
};

/** Rows of these notes, or of the notes that replaced them, that are live and pass the filter; by the given ids. */
export const liveRowsOf = (
  database: Database.Database,
  ids: readonly NoteId[],
  { filter, nowSeconds }: Pick<SuccessorQuery, 'filter' | 'nowSeconds'>,
): ReadonlyMap<NoteId, number> => {
  const passes = joinConditions([liveCondition(nowSeconds), filterCondition(filter)]);
  return new Map(
    ids.flatMap((id) => {
      const rowid = lastPassing(database, id, passes);
      return rowid === undefined ? [] : [[id, rowid] as const];
    }),
  );
};

/** Row of the last note of the chain, if it passes. */
const lastPassing = (database: Database.Database, id: string, { sql, args }: Condition): number | undefined =>
  selectLive(database, `SELECT n.rowid AS rowid FROM notes n WHERE n.id = ? AND ${sql}`).get(
    followChain(database, id),
    ...args,
  )?.rowid;

/** A replaced note that fits worse than this many others is not what was looked for. */
const maxReplaced = 5;

/** The index breaks rings of notes that supersede each other, but a chain may be of any length. */
const followChain = (database: Database.Database, from: string): string => {
  let last = from;
  for (let step = 0; step < maxSteps; step += 1) {
    const next = selectSuccessor(database).get(last)?.successor ?? undefined;
    if (next === undefined) return last;
    last = next;
  }
  return last;
};
const maxSteps = 100;

const selectAny = prepared<[], { one: number }>('SELECT 1 AS one FROM notes WHERE superseded_by IS NOT NULL LIMIT 1');
const selectReplaced = preparedTexts<(string | number)[], { id: NoteId; successor: string; score: number }>();
const selectLive = preparedTexts<(string | number)[], { rowid: number }>();
const selectSuccessor = prepared<[string], { successor: string | null }>(
  'SELECT superseded_by AS successor FROM notes WHERE id = ? AND shadowed = 0',
);
