/** Notes that replaced one with the words of a query: what was written of a matter may stand in the words it had before. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../../events/note/note.js';
import { type Condition, filterCondition, joinConditions, liveCondition, type NoteFilter } from '../index/query.js';
import { prepared, preparedTexts } from '../prepared.js';

export type Successor = {
  readonly rowid: number;
  /** The replaced note's by words. */
  readonly score: number;
  readonly insteadOf: NoteId;
};

type Asked = {
  readonly filter: NoteFilter;
  readonly nowSeconds: number;
  /** FTS5 expression, and the weights of its columns. */
  readonly match: string;
  readonly columns: string;
  /** As often as the expression has each word. */
  readonly times: number;
};

/** Live ones that pass the filter, which the replaced notes have to pass, too; each once, the best first. */
export const successorsOf = (
  database: Database.Database,
  { filter, nowSeconds, match, columns, times }: Asked,
): readonly Successor[] => {
  if (selectAny(database).get() === undefined) return [];
  const { sql, args } = filterCondition(filter);
  // With the plus the rows are looked through in the order of the words: else each superseded note is a query of its own.
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

/** At the place of the replaced note, where that is better than their own. */
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

/** Those without the words; one that has them may stand behind all that were looked at, and counts twice then. */
export const countNew = (scored: readonly ScoredRow[], successors: readonly Successor[]): number => {
  const known = new Set(scored.map(({ rowid }) => rowid));
  return successors.filter(({ rowid }) => !known.has(rowid)).length;
};

/** Rows of these notes, or of those that took over from them, that are live and pass the filter; by the given ids. */
export const liveRowsOf = (
  database: Database.Database,
  ids: readonly NoteId[],
  { filter, nowSeconds }: Pick<Asked, 'filter' | 'nowSeconds'>,
): ReadonlyMap<NoteId, number> => {
  const passes = joinConditions([liveCondition(nowSeconds), filterCondition(filter)]);
  return new Map(
    ids.flatMap((id) => {
      const rowid = lastPassing(database, id, passes);
      return rowid === undefined ? [] : [[id, rowid] as const];
    }),
  );
};

/** Of the last note of the chain. */
const lastPassing = (database: Database.Database, id: string, { sql, args }: Condition): number | undefined =>
  selectLive(database, `SELECT n.rowid AS rowid FROM notes n WHERE n.id = ? AND ${sql}`).get(
    followChain(database, id),
    ...args,
  )?.rowid;

/** One that fits worse than so many others of its kind is not what was looked for. */
const maxReplaced = 5;

/** Rings of notes that supersede each other are broken in the index, but a chain may be as long as somebody likes. */
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
