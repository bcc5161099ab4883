/** Statements that are prepared once per connection: preparing one costs as much as running it. */
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
