/** Puts the best by words in order: by worth, project, date. Also finds notes by the words of those they replaced. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../../events/note/note.js';
import { type Condition, filterCondition, joinConditions, liveCondition, type NoteFilter } from '../index/query.js';
import { prepared, preparedTexts } from '../prepared.js';

export type ScoredRow = {
  readonly rowid: number;
  readonly score: number;
  readonly nearness?: number;
  readonly prior?: number;
  /** The superseded note whose words rank it here. */
  readonly insteadOf?: NoteId;
};

type RankedHit = ScoredRow & {
  readonly note: { readonly project: string };
  /** From 1. */
  readonly rank: number;
  readonly projectWeight?: number;
};

type Order = {
  /** How many are returned. */
  readonly wanted: number;
  /** The project whose notes come before others that are about as good. */
  readonly preferred: string | undefined;
};

/** How many of the best are put in order. */
export const lookedAt = ({ wanted, preferred }: Order): number =>
  // The same number for every page: if it depended on the page, one page would repeat hits of another.
  preferred === undefined ? wanted : Math.max(byProject, wanted);

/** `scored` is best first; the first `weighed` notes are weighed by their priors. */
export const rankHits = (
  database: Database.Database,
  scored: readonly ScoredRow[],
  { weighed, ...order }: Order & { readonly weighed: number },
): readonly RankedHit[] => {
  const rowAt = readRows(database, scored);
  const { wanted, preferred } = order;
  const read = lookedAt(order);
  const ordered = byScoreAndDate(withPriors(scored, weighed, rowAt), read, rowAt)
    .slice(0, read)
    .map((one, at): RankedHit => ({ ...one, rank: at + 1 }));
  if (preferred === undefined) return ordered;
  return [...preferProject(ordered.slice(0, byProject), preferred), ...ordered.slice(byProject)].slice(0, wanted);
};

/** The number of hits that are weighed by project: one that is better by its project alone is not far behind. */
const byProject = 64;

/** Weighs hits by project; equal scores keep their order. */
export const preferProject = <Hit extends Pick<RankedHit, 'score' | 'rank' | 'note'>>(
  hits: readonly Hit[],
  project: string,
  { own, global }: ProjectWeights = ofWords,
): readonly (Hit & Required<Pick<RankedHit, 'projectWeight'>>)[] => {
  const weightOf = ({ note }: Hit): number => (note.project === project ? own : note.project === 'global' ? global : 1);
  return hits
    .map((hit) => ({ ...hit, score: hit.score * weightOf(hit), projectWeight: weightOf(hit) }))
    .toSorted((a, b) => b.score - a.score || a.rank - b.rank)
    .map((hit, at) => ({ ...hit, rank: at + 1 }));
};

/** A note of another project must fit the words half as well again to come before one of this project. */
const ofWords: ProjectWeights = { own: 1.5, global: 1.2 };
type ProjectWeights = { readonly own: number; readonly global: number };

type RowAt = (rowid: number) => OrderColumns | undefined;

/** Reads all as one row: 88 rows that are queried one by one take four times as long. */
const readRows = (database: Database.Database, scored: readonly ScoredRow[]): RowAt => {
  const answer = selectRows(database).get(JSON.stringify(scored.map(({ rowid }) => rowid)));
  const read: readonly RowValues[] = JSON.parse(answer?.read ?? '[]');
  const rows = new Map(
    read.map(([rowid, id, project, updated_at, importance, confidence, source_key]) => [
      rowid,
      { id, project, updated_at, importance, confidence, source_key },
    ]),
  );
  return (rowid) => rows.get(rowid);
};

/** Multiplies the first scores by their priors; the others stay behind them. */
const withPriors = (scored: readonly ScoredRow[], weighed: number, rowAt: RowAt): readonly ScoredRow[] => {
  if (weighed === 0) return scored;
  const first = scored.slice(0, weighed);
  const newest = first.reduce((at, { rowid }) => Math.max(at, rowAt(rowid)?.updated_at ?? 0), 0);
  const again = first.map((one) => {
    const row = rowAt(one.rowid);
    const prior = row === undefined ? 1 : priorOf(row, newest);
    return { ...one, score: one.score * prior, prior };
  });
  return [...again.toSorted((a, b) => b.score - a.score), ...scored.slice(weighed)];
};

/** Equal scores: newest first, then in an import's order, then by id. Leaves out notes that were removed meanwhile. */
const byScoreAndDate = (
  scored: readonly ScoredRow[],
  wanted: number,
  rowAt: RowAt,
): readonly (ScoredRow & { readonly note: OrderColumns })[] => {
  const tied = scored.some(({ score }, at) => at > 0 && at <= wanted && score === scored[at - 1]?.score);
  return (tied ? scored : scored.slice(0, wanted))
    .flatMap((one) => {
      const note = rowAt(one.rowid);
      return note === undefined ? [] : [{ ...one, note }];
    })
    .sort(
      (a, b) =>
        b.score - a.score ||
        b.note.updated_at - a.note.updated_at ||
        bySource(a.note.source_key, b.note.source_key) ||
        (a.note.id < b.note.id ? 1 : -1),
    );
};

/** `part/2` before `part/10`, and both after a note that was written here. */
const bySource = (a: string | null, b: string | null): number => {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  const [ours, theirs] = [a.split(numbers), b.split(numbers)];
  const at = ours.findIndex((part, place) => part !== theirs[place]);
  const [one = '', other = ''] = at === -1 ? [] : [ours[at], theirs[at]];
  // Odd positions are numbers. An Intl.Collator would do the same, but its first comparison takes 4 ms.
  return (at % 2 === 1 ? Number(one) - Number(other) : 0) || (one < other ? -1 : one > other ? 1 : 0);
};
const numbers = /(\d+)/;

type OrderColumns = Worth & { readonly id: string; readonly project: string; readonly source_key: string | null };
type RowValues = readonly [
  rowid: number,
  id: string,
  project: string,
  updated_at: number,
  importance: number | null,
  confidence: number,
  source_key: string | null,
];
const selectRows = prepared<[string], { read: string }>(
  `SELECT json_group_array(json_array(
     n.rowid, n.id, n.project, n.updated_at, n.importance, n.confidence, n.source_key)) AS read
   FROM json_each(?) j CROSS JOIN notes n ON n.rowid = j.value`,
);

/** Columns of the index: `importance` and `confidence` from 0 to 1, `updated_at` in seconds. */
export type Worth = {
  readonly importance: number | null;
  readonly confidence: number;
  readonly updated_at: number;
};

/** From 1 to 1.25; never below 1, so that other notes stay behind. Age counts from `newest`, not from today. */
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
type Successor = {
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

/** Gives successors the score of the replaced note where that is better than their own. */
export const withSuccessors = (
  scored: readonly ScoredRow[],
  successors: readonly Successor[],
): readonly ScoredRow[] => {
  if (successors.length === 0) return scored;
  const byRow = new Map<number, ScoredRow>(scored.map((one) => [one.rowid, one]));
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
