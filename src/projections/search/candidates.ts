/** The notes that a search may return, as part of its SQL. */
import type Database from 'better-sqlite3';
import {
  type Condition,
  filterCondition,
  type IndexedNote,
  joinConditions,
  type NoteFilter,
  toIndexedNote,
} from '../index/query.js';
import { countAllNotes, noteAtRow } from '../index/rows.js';
import { parseTexts, prepared, preparedTexts } from '../prepared.js';
import type { HiddenState } from './query/fields.js';
import type { QueryRequirements } from './query/parse-query.js';
import { excludedMatch } from './query/requirements.js';

type Candidates = {
  readonly filter: NoteFilter;
  readonly nowSeconds: number;
  readonly asked?: QueryRequirements | undefined;
};

/** Follows `SELECT fts.rowid`, the expression first. Reads no rows unfiltered: hidden notes are few, and indexed. */
export const candidatesOf = (candidates: Candidates): Condition => {
  const { sql, args, isFiltered } = conditionsOn('fts', candidates);
  return {
    sql: `FROM fts ${isFiltered ? 'CROSS JOIN notes n ON n.rowid = fts.rowid' : ''} WHERE fts MATCH ? AND ${sql}`,
    args,
  };
};

export type Newest = { readonly rowids: readonly number[]; readonly total: number };

/** For a query without words: the notes that pass, by updated_at, newest first. */
export const newestOf = (
  database: Database.Database,
  candidates: Candidates,
  limit: number,
  offset: number,
): Newest => {
  const { sql, args } = passing(database, candidates, undefined);
  const rows = rowsOf(
    database,
    `SELECT n.rowid AS rowid FROM notes n WHERE ${sql} ORDER BY n.updated_at DESC, n.id DESC LIMIT ? OFFSET ?`,
  ).all(...args, limit, offset);
  return { rowids: rows.map(({ rowid }) => rowid), total: countPassing(database, candidates, undefined) };
};

/** The first `most` notes that `mayPass` accepts, newest first. */
export const candidateNotes = (
  database: Database.Database,
  candidates: Candidates,
  mayPass: (place: NotePlace) => boolean,
  most: number,
): readonly IndexedNote[] => {
  const { sql, args } = conditionsOn('n', candidates);
  const from = `FROM notes n WHERE ${sql} ORDER BY n.updated_at DESC, n.id DESC`;
  const passed = placesOf(database, `SELECT n.rowid AS rowid, n.journal AS journal, n.path AS path ${from}`)
    .all(...args)
    .filter(mayPass);
  return passed.slice(0, most).flatMap(({ rowid }) => {
    const row = noteAtRow(database, rowid);
    return row === undefined ? [] : [toIndexedNote(row)];
  });
};

/** Rows that `mayPass` accepts by their title, tags and keywords, one to a line. */
export const rowsWithHead = (database: Database.Database, mayPass: (head: string) => boolean): ReadonlySet<number> => {
  const rows = new Set<number>();
  for (const { rowid, title, tags, keywords } of selectHeads(database).iterate()) {
    const lists = [tags, keywords].filter((list) => list !== '[]').flatMap(parseTexts);
    if (mayPass([title, ...lists].join('\n'))) rows.add(rowid);
  }
  return rows;
};

export type NoteVersion = { readonly journal: string; readonly path: string; readonly blob: string };

/** The versions that pass and are current, in order. `match` is a further condition on their texts. */
export const passingRows = (
  database: Database.Database,
  candidates: Candidates,
  match: string | undefined,
  versions: readonly NoteVersion[],
): readonly { readonly at: number; readonly rowid: number }[] => {
  const { sql, args } = passing(database, candidates, match);
  const given = JSON.stringify(versions.map(({ journal, path, blob }) => [journal, path, blob]));
  return passed(
    database,
    `SELECT j.key AS at, n.rowid AS rowid FROM json_each(?) j CROSS JOIN notes n
     ON n.journal = j.value ->> 0 AND n.path = j.value ->> 1 AND n.blob = j.value ->> 2 WHERE ${sql} ORDER BY j.key`,
  ).all(given, ...args);
};

/** Counts the notes in `found` that a search by words does not find; `match` is what it asked for, '' for nothing. */
export const countWithoutWords = (
  database: Database.Database,
  candidates: Candidates,
  match: string,
  found: readonly { readonly note: IndexedNote }[],
): number => {
  const versions = found.map(({ note: { journal, path, version } }) => ({ journal, path, blob: version }));
  return found.length - (match === '' ? 0 : passingRows(database, candidates, match, versions).length);
};

export const countPassing = (
  database: Database.Database,
  candidates: Candidates,
  match: string | undefined,
): number => {
  const { filter, asked, nowSeconds } = candidates;
  const isAll = match === undefined && asked === undefined && filterCondition(filter).args.length === 0;
  if (isAll) return countAllNotes(database) - (hiddenCount(database).get(nowSeconds)?.total ?? 0);
  const { sql, args } = passing(database, candidates, match);
  return counted(database, `SELECT count(*) AS total FROM notes n WHERE ${sql}`).get(...args)?.total ?? 0;
};

/** Hidden notes are few and found in small indexes: counting the others one by one takes 25 ms at 100,000 notes. */
const hiddenCount = prepared<[number], { total: number }>(
  `SELECT count(*) AS total FROM (SELECT rowid FROM notes WHERE shadowed = 1 UNION
   SELECT rowid FROM notes WHERE superseded_by IS NOT NULL UNION SELECT rowid FROM notes WHERE expires_at <= ?)`,
);

const passing = (database: Database.Database, candidates: Candidates, match: string | undefined): Condition => {
  const left = candidates.asked === undefined ? undefined : excludedMatch(database, candidates.asked);
  const inText = (sql: string, text: string | undefined): readonly Condition[] =>
    text === undefined ? [] : [{ sql: `n.rowid ${sql} (SELECT rowid FROM fts WHERE fts MATCH ?)`, args: [text] }];
  return joinConditions([conditionsOn('n', candidates), ...inText('IN', match), ...inText('NOT IN', left)]);
};

export type NotePlace = { readonly rowid: number; readonly journal: string; readonly path: string };

const conditionsOn = (
  table: 'fts' | 'n',
  { filter, nowSeconds, asked }: Candidates,
): Condition & { readonly isFiltered: boolean } => {
  const filtering = filterCondition(filter);
  const further = asked?.conditions ?? [];
  const isFiltered = filtering.args.length + further.length > 0;
  const isShown = (state: HiddenState): boolean => asked?.shown.includes(state) === true;
  const hidden = [
    'shadowed = 1',
    ...(isShown('superseded') ? [] : ['superseded_by IS NOT NULL']),
    ...(isShown('expired') ? [] : ['expires_at <= ?']),
  ];
  // One list of hidden rows: with one for each state, a search takes a twelfth longer.
  const rows = hidden.map((condition) => `SELECT rowid FROM notes WHERE ${condition}`).join(' UNION ALL ');
  const conditions: readonly Condition[] = [
    { sql: `${table}.rowid NOT IN (${rows})`, args: isShown('expired') ? [] : [nowSeconds] },
    ...(isFiltered ? [filtering, ...further] : []),
  ];
  return { ...joinConditions(conditions), isFiltered };
};

const placesOf = preparedTexts<(string | number)[], NotePlace>();
type Head = { readonly rowid: number; readonly title: string; readonly tags: string; readonly keywords: string };
const selectHeads = prepared<[], Head>('SELECT rowid, title, tags, keywords FROM notes');
const passed = preparedTexts<(string | number)[], { at: number; rowid: number }>();
const rowsOf = preparedTexts<(string | number)[], { rowid: number }>();
const counted = preparedTexts<(string | number)[], { total: number }>();
