/** Reads claude-mem's database (thedotmack/claude-mem): 35 migrations renamed columns, so any that it has count. */

import { createHash } from 'node:crypto';
import {
  cleanTitle,
  cleanWords,
  type ForeignNote,
  type ImportItem,
  parseForeignScope,
  problemAt,
} from '../../commands/foreign-note.js';
import { globalProject } from '../../config/project-key.js';
import type { NoteType } from '../../events/note/note.js';
import { readDatabase } from './databases.js';
import {
  databaseProblem,
  type ForeignDatabase,
  type ForeignRow,
  type ForeignTable,
  findBadValue,
  listOf,
  textOf,
  timeOf,
} from './sqlite.js';

export async function* readClaudeMem(path: string): AsyncGenerator<ImportItem> {
  yield* readDatabase(path, 'claude-mem', readTables);
}

function* readTables(database: ForeignDatabase, shown: string): Generator<ImportItem> {
  const found = claudeMemSources.flatMap((source) => {
    const table = findTable(database, source.table);
    return table === undefined ? [] : [{ source, table }];
  });
  if (found.length === 0) {
    const names = claudeMemSources.map(({ table }) => table).join(', ');
    yield problemAt(shown, `none of claude-mem's tables exists: ${names}`);
  }
  for (const { source, table } of found) {
    const where = `${shown}: ${table.name}`;
    try {
      const titleBySession = source.table === 'session_summaries' ? readSessionTitles(database) : new Map();
      for (const row of database.rows(table, [...sharedColumns, ...source.columns])) {
        if (source.isWanted?.(row) === false) continue;
        yield readRow(row, where, source, titleBySession);
      }
    } catch (error) {
      yield databaseProblem(where, error);
    }
  }
}

const findTable = (database: ForeignDatabase, wanted: string): ForeignTable | undefined =>
  database.tables.find(({ name }) => name.toLowerCase() === wanted);

const readRow = (
  row: ForeignRow,
  where: string,
  { toNote }: ClaudeMemSource,
  titleBySession: ReadonlyMap<string, string>,
): ImportItem => {
  const place = `${where} ${textOf(row, 'id') ?? '?'}`;
  const bad = findBadValue(row);
  if (bad !== undefined) return problemAt(place, bad);
  const note = toNote(row, titleBySession.get(sessionOf(row) ?? ''));
  return note === undefined ? problemAt(place, 'the row has no text') : { kind: 'note', note };
};

/** Titles that people gave their sessions. */
const readSessionTitles = (database: ForeignDatabase): ReadonlyMap<string, string> => {
  const titles = new Map<string, string>();
  const table = findTable(database, 'sdk_sessions');
  if (table === undefined) return titles;
  for (const row of database.rows(table, ['memory_session_id', 'custom_title'])) {
    const session = textOf(row, 'memory_session_id');
    const title = textOf(row, 'custom_title');
    if (session !== undefined && title !== undefined) titles.set(session, title);
  }
  return titles;
};
type ClaudeMemSource = {
  readonly table: string;
  readonly columns: readonly string[];
  /** Rows that are not wanted are skipped silently. */
  readonly isWanted?: (row: ForeignRow) => boolean;
  /** Returns undefined when the row has no text. `sessionTitle` is the person's name for the session. */
  readonly toNote: (row: ForeignRow, sessionTitle: string | undefined) => ForeignNote | undefined;
};

/** The memory session was called the SDK session in the first versions. */
const sessionColumns = ['memory_session_id', 'sdk_session_id', 'session_id'];

/** Columns that any of the tables may have. */
const sharedColumns: readonly string[] = [
  'id',
  'project',
  'merged_into_project',
  'scope',
  'created_at',
  'created_at_epoch',
  ...sessionColumns,
];

export const sessionOf = (row: ForeignRow): string | undefined =>
  sessionColumns.map((column) => textOf(row, column)).find((id) => id !== undefined);

const claudeMemSources: readonly ClaudeMemSource[] = [
  {
    table: 'observations',
    columns: [
      'type',
      'title',
      'subtitle',
      'text',
      'narrative',
      'facts',
      'concepts',
      'files_read',
      'files_modified',
      'is_stale',
    ],
    isWanted: (row) => textOf(row, 'is_stale') !== '1',
    toNote: (row) => {
      const kind = textOf(row, 'type') ?? 'observation';
      return makeNote(row, 'observation', {
        title: textOf(row, 'title'),
        parts: [
          textOf(row, 'subtitle'),
          textOf(row, 'narrative'),
          textOf(row, 'text'),
          formatList(listOf(row, 'facts')),
          formatFiles('Files read', listOf(row, 'files_read')),
          formatFiles('Files modified', listOf(row, 'files_modified')),
        ],
        type: kindsOfWork.has(kind) ? 'episodic' : 'semantic',
        tags: [`kind:${kind}`, ...listOf(row, 'concepts')],
      });
    },
  },
  {
    table: 'session_summaries',
    columns: ['request', 'investigated', 'learned', 'completed', 'next_steps', 'notes', 'files_read', 'files_edited'],
    toNote: (row, sessionTitle) =>
      makeNote(row, 'summary', {
        title: textOf(row, 'request') ?? sessionTitle,
        parts: [
          formatSection('Request', textOf(row, 'request')),
          formatSection('Investigated', textOf(row, 'investigated')),
          formatSection('Learned', textOf(row, 'learned')),
          formatSection('Completed', textOf(row, 'completed')),
          formatSection('Next steps', textOf(row, 'next_steps')),
          formatSection('Notes', textOf(row, 'notes')),
          formatFiles('Files read', listOf(row, 'files_read')),
          formatFiles('Files edited', listOf(row, 'files_edited')),
        ],
        type: 'episodic',
        tags: ['kind:session-summary'],
      }),
  },
  {
    table: 'directives',
    columns: ['content', 'status', 'updated_at_epoch'],
    isWanted: (row) => (textOf(row, 'status') ?? 'active') === 'active',
    toNote: (row) =>
      makeNote(row, 'directive', {
        title: undefined,
        parts: [textOf(row, 'content')],
        type: 'procedural',
        tags: ['kind:directive'],
        project: textOf(row, 'scope') === 'global' ? globalProject : undefined,
      }),
  },
];

/** Observations of work done rather than facts: episodic, so that sessions don't begin with thousands of them. */
const kindsOfWork = new Set(['bugfix', 'feature', 'refactor', 'change']);

type RowText = Pick<ForeignNote, 'tags'> & {
  readonly title: string | undefined;
  readonly parts: readonly (string | undefined)[];
  readonly type: NoteType;
  /** Overrides the row's own. */
  readonly project?: string | undefined;
};

const makeNote = (row: ForeignRow, kind: string, text: RowText): ForeignNote | undefined => {
  const parts = [...new Set(text.parts.filter((part) => part !== undefined))];
  const body = parts.join('\n\n');
  if (`${text.title ?? ''}${body}` === '') return undefined;
  const createdAtMs = timeOf(row, ['created_at_epoch', 'created_at']);
  return {
    sourceKey: `claude-mem:${keyOf(row, kind, body, createdAtMs)}`,
    title: cleanTitle(text.title ?? ''),
    body: body === '' ? '' : `${body}\n`,
    tags: cleanWords(['import', ...text.tags]),
    keywords: [],
    project: text.project ?? projectOf(row),
    type: text.type,
    createdAtMs,
    updatedAtMs: timeOf(row, ['updated_at_epoch']),
    scope: parseForeignScope(textOf(row, 'scope')),
  };
};

/** The name of the session's folder. */
const projectOf = (row: ForeignRow): string | undefined => {
  const project = textOf(row, 'merged_into_project') ?? textOf(row, 'project');
  return project === undefined ? undefined : cleanTitle(project).toLowerCase() || undefined;
};

/** Every machine counts its rows from 1; the session, or else the time, tells them apart. */
const keyOf = (row: ForeignRow, kind: string, body: string, createdAtMs: number | undefined): string => {
  const id = textOf(row, 'id') ?? createHash('sha256').update(body).digest('hex').slice(0, 32);
  return `${sessionOf(row) ?? createdAtMs ?? 'unknown'}/${kind}/${id}`;
};

const formatList = (entries: readonly string[]): string | undefined =>
  entries.length === 0 ? undefined : entries.map((entry) => `- ${entry}`).join('\n');

const formatFiles = (label: string, files: readonly string[]): string | undefined =>
  files.length === 0 ? undefined : `${label}: ${files.join(', ')}`;

const formatSection = (label: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : `## ${label}\n\n${text}`;
