/** Statements prepared once per connection (preparing costs as much as running), and batches that fill tables. */
import type Database from 'better-sqlite3';

export const prepared = <Args extends unknown[], Row>(
  sql: string,
): ((database: Database.Database) => Database.Statement<Args, Row>) => {
  const statements = new WeakMap<Database.Database, Database.Statement<Args, Row>>();
  return (database) => {
    const known = statements.get(database);
    if (known !== undefined) return known;
    const statement = database.prepare<Args, Row>(sql);
    statements.set(database, statement);
    return statement;
  };
};

/** The same for SQL that is built at run time, such as a filter; one statement per text. */
export const preparedTexts = <Args extends unknown[], Row>(): ((
  database: Database.Database,
  sql: string,
) => Database.Statement<Args, Row>) => {
  const bySql = new Map<string, (database: Database.Database) => Database.Statement<Args, Row>>();
  return (database, sql) => {
    const known = bySql.get(sql) ?? prepared<Args, Row>(sql);
    // How many there are depends on what people type.
    if (bySql.size === maxTexts && !bySql.has(sql)) bySql.clear();
    bySql.set(sql, known);
    return known(database);
  };
};

const maxTexts = 256;
export const parseTexts = (json: string): readonly string[] => {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value.map(String) : [];
};

export const reverseText = (text: string): string => {
  let reversed = '';
  for (let at = text.length - 1; at >= 0; at -= 1) reversed += text[at] ?? '';
  return reversed;
};
export type Pair = { readonly key: string; readonly row: number | bigint };

/** Collects rows and inserts them in batches; `finish` inserts the rest. */
type RowBatch<Row> = { add(row: Row): void; finish(): void };

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
