/** anamnesis trace: shows what a session was given, and why. */
import type { Command } from 'commander';
import type { TracedNote, TraceEntry, TraceSession } from '../../answers/history-schema.js';
import { clearTrace, type SessionTrace, traceOfSession, traceSessions } from '../../app/trace.js';
import type { JsonOption } from '../answer.js';
import { answerOrThrow } from '../errors.js';
import { localTime, timeColumn } from '../local-time.js';
import { subcommand } from '../options.js';
import { cleanLine, counted, ink, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';
import { type Column, formatTable } from '../table.js';

type TraceOptions = JsonOption & { readonly all?: true; readonly clear?: true };

export const traceCommand = (): Command =>
  subcommand('trace', 'Show what a session was given, why, and what it made of it', [
    'trace',
    'trace last',
    'trace 5f0c31 --all',
    'trace --clear',
  ])
    .argument('[session]', 'id of an agent session or its beginning; last; none for requests outside of any')
    .option('--all', 'all notes of a long list')
    .option('--clear', 'remove the trace of every session; to keep none: anamnesis config set trace false')
    .action((session: string | undefined, { all, clear, json }: TraceOptions) =>
      withApp(async (app) => {
        if (clear === true) {
          clearTrace(app);
          if (json === true) printJson({ cleared: true });
          else print('the trace is removed\n');
          return;
        }
        if (session === undefined) {
          const sessions = traceSessions(app);
          if (json === true) return printJson({ sessions });
          print(formatSessions(sessions));
          if (sessions.length === 0) say(nothingYet(app.settings.trace));
          return;
        }
        const found = answerOrThrow(await traceOfSession(app, session));
        if (json === true) printJson(found);
        else print(formatTrace(found, all === true));
      }),
    );

const nothingYet = (isKept: boolean | undefined): string =>
  isKept === false
    ? 'no trace is kept; to keep one: anamnesis config set trace true'
    : 'nothing was asked yet; each search and each session leaves a line here';

const formatSessions = (sessions: readonly TraceSession[]): string =>
  formatTable(
    [
      timeColumn('LAST', sessions, ({ last_at: at }) => at),
      { head: 'SESSION', of: ({ session }) => session ?? 'none', style: 'yellow', cut: 'end' },
      { head: 'AGENT', of: ({ agent }) => agent ?? '', optional: true },
      { head: 'ASKED', align: 'right', of: ({ asked }) => String(asked) },
      { head: 'NOTES', align: 'right', of: ({ given }) => String(given) },
      { head: 'OPENED', align: 'right', of: ({ opened }) => String(opened) },
      { head: 'PROJECT', of: ({ project }) => project ?? '', cut: 'start', main: true },
    ],
    sessions,
  );

const formatTrace = ({ entries }: SessionTrace, all: boolean): string =>
  entries
    .filter(({ by }) => by !== 'open')
    .map((entry) => formatEntry(entry, all ? entry.notes.length : shownNotes))
    .join('\n');

/** As many as a search returns by default. */
const shownNotes = 8;

const formatEntry = (entry: TraceEntry, most: number): string => {
  const { at, by, mode, project, query, notes } = entry;
  const asked = query === null ? '' : ` ${cleanLine(query)}`;
  const where = project === null ? '' : `  ${ink('dim', cleanLine(project))}`;
  const head = `${ink('dim', localTime(at))}  ${ink('bold', heads[by])}${asked}${where}\n`;
  if (notes.length === 0) return `${head}  ${by === 'search' ? 'nothing was found' : noNote(mode)}\n`;
  const used = notes.slice(most).filter(isUsed);
  const shown = [...notes.slice(0, most), ...used];
  const rest = notes.length - shown.length;
  const more = rest === 0 ? '' : `  and ${counted(rest, 'other')} (--all shows them)\n`;
  return `${head}${formatNotes(shown)}${more}${why(entry)}`;
};

const noNote = (mode: string | null): string =>
  mode === 'none'
    ? 'nothing was looked for'
    : 'nothing was given: no note that the session lacks fits the prompt well enough';

const heads: Readonly<Record<TraceEntry['by'], string>> = {
  search: 'search',
  recall: 'prompt',
  inject: 'session start',
  open: 'opened',
};

const isUsed = ({ opened, changed, cited }: TracedNote): boolean => opened || changed || cited;

const formatNotes = (notes: readonly TracedNote[]): string =>
  formatTable(
    [
      { head: '', align: 'right', of: ({ rank }) => String(rank) },
      ...(notes.every(({ score }) => score === null) ? [] : [scoreColumn]),
      { head: 'ID', of: (note) => note.short_id, style: 'yellow' },
      { head: 'TITLE', of: ({ title }) => title ?? '(gone)', cut: 'end', main: true },
      ...(notes.some(isUsed) ? [thenColumn] : []),
    ],
    notes,
  );

const scoreColumn: Column<TracedNote> = {
  head: 'SCORE',
  align: 'right',
  of: ({ score }) => score?.toFixed(3) ?? '',
};

const thenColumn: Column<TracedNote> = {
  head: 'THEN',
  of: ({ opened, changed, cited }) =>
    [opened ? 'opened' : '', changed ? 'changed' : '', cited ? 'cited' : ''].filter((one) => one !== '').join(', '),
  style: 'green',
};

const chosen = (shown: number, total: number): string =>
  shown < total ? `the best ${shown} of ${counted(total, 'note')} found` : `${counted(total, 'note')} found`;

/** Explains in a sentence how these notes were chosen. */
const why = ({ by, total, mode, notes }: TraceEntry): string => {
  switch (by) {
    case 'search':
      return `  ${chosen(notes.length, total ?? notes.length)} by words${mode === 'hybrid' ? ' and meaning' : ''}\n`;
    case 'recall':
      return `  ${howWell(notes, `words${mode === 'hybrid' ? ' and meaning' : ''}`)} (score: relevance)\n`;
    case 'inject':
      return '  what a session of the project starts with: the most important and newest first\n';
    case 'open':
      return '';
  }
};

/** Notes that were only named come last. */
const howWell = (notes: readonly TracedNote[], by: string): string => {
  const named = notes.filter((note) => note.named).length;
  const only = 'told by id and title alone';
  if (named === notes.length) return `${only}: their ${by} fit the prompt too little to show them`;
  return `their ${by} fit the prompt well enough${named === 0 ? '' : `; the last ${named === 1 ? 'one' : named} ${only}`}`;
};
