/** Reads the local database of claude-memory: one table of short texts with a category each. */
import { createHash } from 'node:crypto';
import {
  cleanWords,
  type ForeignNote,
  type ImportItem,
  parseForeignScope,
  problemAt,
} from '../../commands/foreign-note.js';
import type { NoteType } from '../../events/note/note.js';
import { isClaudeMemoryTable, readDatabase } from './databases.js';
import {
  databaseProblem,
  type ForeignDatabase,
  type ForeignRow,
  findBadValue,
  numberOf,
  textOf,
  timeOf,
} from './sqlite.js';

export async function* readClaudeMemory(path: string): AsyncGenerator<ImportItem> {
  yield* readDatabase(path, 'claude-memory', readTable);
}

const columns = [
  'id',
  'content',
  'category',
  'tags',
  'expanded_keywords',
  'importance',
  'is_sensitive',
  'scope',
  'created_at',
  'updated_at',
  'deleted_at',
];

function* readTable(database: ForeignDatabase, shown: string): Generator<ImportItem> {
  const table = database.tables.find(isClaudeMemoryTable);
  if (table === undefined) {
    yield problemAt(shown, 'no table has the columns content, category, expanded_keywords and importance');
    return;
  }
  let sensitive = 0;
  try {
    for (const row of database.rows(table, columns)) {
      if (textOf(row, 'deleted_at') !== undefined) continue;
      if (isSensitive(row)) sensitive += 1;
      else yield readRow(row, `${shown}: ${table.name} ${textOf(row, 'id') ?? '?'}`);
    }
  } catch (error) {
    yield databaseProblem(shown, error);
  }
  if (sensitive > 0) yield problemAt(shown, `${sensitive} rows are marked as sensitive and were left out`);
}

/** True for anything but a clear no. */
const isSensitive = (row: ForeignRow): boolean =>
  !['', '0', 'false'].includes((textOf(row, 'is_sensitive') ?? '').toLowerCase());

const readRow = (row: ForeignRow, place: string): ImportItem => {
  const bad = findBadValue(row);
  if (bad !== undefined) return problemAt(place, bad);
  const body = textOf(row, 'content');
  return body === undefined ? problemAt(place, 'the row has no content') : { kind: 'note', note: makeNote(row, body) };
};

const makeNote = (row: ForeignRow, body: string): ForeignNote => {
  const category = textOf(row, 'category')?.toLowerCase();
  const importance = numberOf(row, 'importance');
  return {
    sourceKey: `claude-memory:${keyOf(row, body)}`,
    title: '',
    body: `${body}\n`,
    tags: cleanWords([...(category === undefined ? [] : [category]), ...(textOf(row, 'tags') ?? '').split(',')]),
    keywords: cleanWords((textOf(row, 'expanded_keywords') ?? '').split(/\s+/)),
    project: undefined,
    type: typeByCategory.get(category ?? '') ?? 'semantic',
    createdAtMs: timeOf(row, ['created_at']),
    updatedAtMs: timeOf(row, ['updated_at']),
    scope: parseForeignScope(textOf(row, 'scope')),
    importance: importance === undefined ? undefined : Math.min(1, Math.max(0, importance)),
  };
};

/** Every machine counts its rows from 1; the time tells them apart. */
const keyOf = (row: ForeignRow, body: string): string => {
  const id = textOf(row, 'id');
  const created = textOf(row, 'created_at');
  if (id === undefined || created === undefined) return createHash('sha256').update(body).digest('hex').slice(0, 32);
  return `${created}/${id}`;
};

/** Categories about how to work and about what happened; all others are about facts. */
const typeByCategory: ReadonlyMap<string, NoteType> = new Map([
  ['preferences', 'procedural'],
  ['feedback', 'procedural'],
  ['process', 'procedural'],
  ['runbook', 'procedural'],
  ['operations', 'procedural'],
  ['lessons', 'procedural'],
  ['incidents', 'episodic'],
  ['post-mortems', 'episodic'],
  ['sessions', 'episodic'],
]);
