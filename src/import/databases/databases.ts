/** Finds the databases of other memory systems and recognises which system one belongs to. */
import { realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ImportItem } from '../../commands/foreign-note.js';
import type { ImportFormat } from '../../commands/source-keys.js';
import { findInside, isGivenFolder, isInnerFile } from '../files.js';
import {
  databaseProblem,
  type ForeignDatabase,
  type ForeignTable,
  isSqliteFile,
  openForeign,
  UnreadableDatabase,
} from './sqlite.js';

export type DatabaseFormat = Extract<ImportFormat, 'claude-mem' | 'claude-memory'>;

/** Paths below the folder that each system keeps its data in. */
const placesByFormat: Readonly<Record<DatabaseFormat, readonly string[]>> = {
  'claude-mem': ['claude-mem.db'],
  'claude-memory': ['memory/memory.db', 'memory.db'],
};

/** Reads the database at the path, or the one in the folder at the path. Throws when nothing is there. */
export function* readDatabase(
  path: string,
  format: DatabaseFormat,
  read: (database: ForeignDatabase, shown: string) => Generator<ImportItem>,
): Generator<ImportItem> {
  const file = isGivenFolder(path) ? findDatabase(path, format) : path;
  if (file === undefined) throw new Error(`there is no ${placesByFormat[format].join(' and no ')} in ${path}`);
  const shown = basename(file);
  let database: ForeignDatabase;
  try {
    database = openForeign(file);
  } catch (error) {
    yield databaseProblem(shown, error);
    return;
  }
  try {
    yield* read(database, shown);
  } finally {
    database.close();
  }
}

/** Ignores a database behind a link that leads out of the folder. */
export const findDatabase = (folder: string, format: DatabaseFormat): string | undefined => {
  const root = realpathSync.native(folder);
  const place = placesByFormat[format].find(
    (one) => isInnerFile(join(root, one)) && findInside(root, one).kind === 'file',
  );
  return place === undefined ? undefined : join(folder, place);
};

/** Recognises a database by its tables; undefined for an unknown one and for one that cannot be read. */
export const recogniseDatabase = (file: string): DatabaseFormat | undefined => {
  if (!isSqliteFile(file)) return undefined;
  try {
    const database = openForeign(file);
    try {
      if (isClaudeMem(database.tables)) return 'claude-mem';
      return database.tables.some(isClaudeMemoryTable) ? 'claude-memory' : undefined;
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof UnreadableDatabase) return undefined;
    throw error;
  }
};

const isClaudeMem = (tables: readonly ForeignTable[]): boolean =>
  tables.some(({ name, columns }) => claudeMemTables.has(name.toLowerCase()) && columns.has('created_at_epoch'));

const claudeMemTables = new Set(['observations', 'session_summaries', 'sdk_sessions']);

/** Judges by columns, not by name: of the tables with texts only this one has search words that a model added. */
export const isClaudeMemoryTable = ({ columns }: ForeignTable): boolean =>
  ['content', 'category', 'expanded_keywords', 'importance'].every((column) => columns.has(column));
