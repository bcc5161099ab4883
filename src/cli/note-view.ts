/** Notes for a person: as a list, as search hits and one in full. */
import type { NoteJson, SearchHit } from '../app/notes.js';
import { cleanLine, cleanText, ink, shortTime } from './output.js';
import { cutTo, formatPairs, formatTable, terminalWidth } from './table.js';

export const formatNotes = (notes: readonly NoteJson[]): string =>
  formatTable(
    [
      { head: 'ID', of: (note) => note.short_id, style: 'yellow' },
      { head: 'TYPE', of: (note) => note.type },
      { head: 'PROJECT', of: (note) => note.project, cut: 'start' },
      { head: 'UPDATED', of: (note) => note.updated_at.slice(0, 10) },
      { head: 'TITLE', of: (note) => titleOf(note), cut: 'end' },
    ],
    notes,
  );

const titleOf = (note: NoteJson): string => {
  const marks = note.superseded_by === undefined ? '' : '(superseded) ';
  return `${marks}${note.title === '' ? '(untitled)' : note.title}`;
};

export const formatHits = (hits: readonly SearchHit[]): string => hits.map(formatHit).join('\n');

const formatHit = ({ snippet, rank, ...note }: SearchHit): string => {
  const number = `${rank}.`.padEnd(4);
  const width = terminalWidth() - number.length;
  const about = [
    note.type,
    note.project,
    shortTime(note.updated_at).slice(0, 10),
    ...note.tags.map((tag) => `#${tag}`),
  ];
  const aboutLine = cutTo(about.map(cleanLine).join('  '), Math.max(20, width - note.short_id.length - 2));
  const lines = [
    `${ink('dim', number)}${ink('bold', cutTo(cleanLine(titleOf(note)), width))}`,
    `    ${ink('yellow', note.short_id)}  ${ink('dim', aboutLine)}`,
    ...(snippet === '' ? [] : [`    ${cutTo(cleanLine(snippet), width)}`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
};

export const formatNote = (note: NoteJson): string => {
  const certainty = note.confidence === 1 ? '' : ` (confidence ${note.confidence})`;
  const pairs = formatPairs([
    ['id', note.id],
    ['short id', note.short_id],
    ['type', note.type],
    ['project', note.project],
    ['tags', note.tags.join(', ')],
    ['keywords', note.keywords?.join(', ')],
    ['scope', note.scope],
    ['origin', `${note.machine_id}${note.agent === undefined ? '' : `, ${note.agent}`}`],
    ['source', `${note.written_by}${certainty}`],
    [
      'claimed',
      note.claimed === true ? 'committed with git, not by anamnesis: origin and source are what it says' : undefined,
    ],
    ['source key', note.source_key],
    ['importance', note.importance],
    ['supersedes', note.supersedes?.join(', ')],
    ['superseded by', note.superseded_by],
    ['created', shortTime(note.created_at)],
    ['updated', shortTime(note.updated_at)],
    ['expires', note.expires_at === undefined ? undefined : shortTime(note.expires_at)],
    ['version', note.version],
    ['file', note.path],
    ['not shown', note.file_problem === undefined ? undefined : `the file as it is now: ${note.file_problem}`],
  ]);
  const body = cleanText(note.body ?? '');
  const end = body === '' || body.endsWith('\n') ? '' : '\n';
  return `${ink('bold', cleanLine(titleOf(note)))}\n${pairs}${body === '' ? '' : '\n'}${body}${end}`;
};
