/** Tables of one or two columns that a replay fills in the order of their key, once all rows are known: they grow at the end only. */
import type Database from 'better-sqlite3';

/** A text and the row that it belongs to. */
export type Pair = { readonly key: string; readonly row: number | bigint };

/** `into` is a table with its two columns. One statement for thousands: handing them over as JSON costs a third of an insert each. */
export const insertPairs = (database: Database.Database, into: string, pairs: readonly Pair[]): void => {
  const insert = database.prepare<[string]>(
    `INSERT OR IGNORE INTO ${into} SELECT value ->> 0, value ->> 1 FROM json_each(?)`,
  );
  const sorted = pairs.toSorted(byKey);
  for (let at = 0; at < sorted.length; at += pairsPerInsert) {
    insert.run(JSON.stringify(sorted.slice(at, at + pairsPerInsert).map(({ key, row }) => [key, Number(row)])));
  }
};

/** The same for a table of one column. */
export const insertTexts = (database: Database.Database, into: string, texts: readonly string[]): void => {
  const insert = database.prepare<[string]>(`INSERT OR IGNORE INTO ${into} SELECT value FROM json_each(?)`);
  const sorted = [...new Set(texts)].sort();
  for (let at = 0; at < sorted.length; at += pairsPerInsert)
    insert.run(JSON.stringify(sorted.slice(at, at + pairsPerInsert)));
};

const pairsPerInsert = 10_000;

const byKey = (a: Pair, b: Pair): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : Number(a.row) - Number(b.row));
