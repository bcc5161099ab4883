/** Fills tables of one or two columns with thousands of rows in a replay, each batch in key order. */
import type Database from 'better-sqlite3';

/** A text and the row that it belongs to. */
export type Pair = { readonly key: string; readonly row: number | bigint };

/** Collects rows and inserts them in batches; `finish` inserts the rest. */
export type RowBatch<Row> = { add(row: Row): void; finish(): void };

/** `into` names a table and its two columns. */
export const gatherPairs = (database: Database.Database, into: string): RowBatch<Pair> =>
  gather(`INSERT OR IGNORE INTO ${into} SELECT value ->> 0, value ->> 1 FROM json_each(?)`, database, (pairs) =>
    pairs.sort(byKey).map(({ key, row }) => [key, Number(row)]),
  );

/** The same for a table of one column. */
export const gatherTexts = (database: Database.Database, into: string): RowBatch<string> =>
  gather(`INSERT OR IGNORE INTO ${into} SELECT value FROM json_each(?)`, database, (texts) => texts.sort());

/** One statement for thousands of rows: passing them as JSON costs a third of an insert for each. */
const gather = <Row>(
  sql: string,
  database: Database.Database,
  inOrder: (rows: Row[]) => readonly unknown[],
): RowBatch<Row> => {
  let rows: Row[] = [];
  const flush = (): void => {
    if (rows.length > 0) database.prepare<[string]>(sql).run(JSON.stringify(inOrder(rows)));
    rows = [];
  };
  return {
    add(row) {
      rows.push(row);
      if (rows.length === rowsPerInsert) flush();
    },
    finish: flush,
  };
};

const rowsPerInsert = 10_000;

const byKey = (a: Pair, b: Pair): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : Number(a.row) - Number(b.row));
