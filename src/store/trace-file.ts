/** Queries and the notes given, in a bounded file here. Ids, no titles: purged text is gone from it. May fail. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../config/settings.js';
import { dropPossibleSecrets } from './cautious-text.js';
import { appendLine } from './log.js';

export type TraceKind = 'search' | 'recall' | 'inject' | 'open';

export type TracedNote = readonly [id: string, score: number | null, named?: typeof named];

/** Marks a note of which only the title was shown. */
const named = 'named';

/** One line of the trace; its notes are in the order given, each with its score if it has one. */
export type TraceLine = {
  readonly atMs: number;
  readonly by: TraceKind;
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  readonly user?: string | undefined;
  readonly workspace?: string | undefined;
  readonly project?: string | undefined;
  /** Without anything that might be a secret. */
  readonly query?: string | undefined;
  readonly mode?: string | undefined;
  readonly total?: number | undefined;
  readonly notes: readonly TracedNote[];
};

/** The mode of a prompt without a lookup: a command of the client, or recall is off. */
export const notLookedUp = 'none';

export type TraceSettings = Pick<Settings, 'home' | 'user' | 'trace' | 'session'>;

export type TraceEntry = Omit<TraceLine, 'atMs'>;

/** The notes given at a prompt, then those only named. One that resolves another has no score of its own. */
export const offeredIn = (
  notes: readonly { readonly id: string; readonly relevance: number; readonly resolves?: string | undefined }[],
  how: { readonly model: string | null } | undefined,
  maybe: readonly { readonly id: string; readonly relevance: number }[] = [],
): Pick<TraceLine, 'mode' | 'notes'> => ({
  ...(how === undefined || how.model === null ? {} : { mode: 'hybrid' }),
  notes: [
    ...notes.map(({ id, relevance, resolves }): TracedNote => [id, resolves === undefined ? relevance : null]),
    ...maybe.map(({ id, relevance }): TracedNote => [id, relevance, named]),
  ],
});

/** At most this many notes of one answer are recorded. */
const maxNotes = 100;
/** Maximum size of a file; at most two are kept. */
const maxBytes = 512 * 1024;

export const traceFolder = (home: string): string => join(home, 'trace');
const names = { current: 'trace.jsonl', previous: 'trace.1.jsonl' };

export const trace = (settings: TraceSettings, { query, ...traced }: TraceEntry): void => {
  if (settings.trace === false) return;
  try {
    const line: TraceLine = {
      atMs: Date.now(),
      session: settings.session,
      user: settings.user,
      ...traced,
      notes: traced.notes.slice(0, maxNotes),
      ...(query === undefined ? {} : { query: dropPossibleSecrets(query) }),
    };
    appendLine(traceFolder(settings.home), names, JSON.stringify(line), maxBytes);
  } catch {
    // The disk is full, or the folder is not writable.
  }
};

/** Returns the lines, oldest first. Skips malformed lines: a process may have been killed in the middle of one. */
export const readTrace = (home: string): readonly TraceLine[] =>
  [names.previous, names.current]
    .flatMap((name) => readText(join(traceFolder(home), name)).split('\n'))
    .flatMap((line) => parseLine(line) ?? []);

export const removeTrace = (home: string): void => rmSync(traceFolder(home), { recursive: true, force: true });

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
};

/** Only whole lines are written here, so the few keys that every reader needs are enough to tell one. */
const parseLine = (text: string): TraceLine | undefined => {
  try {
    const line: unknown = JSON.parse(text);
    return isLine(line) ? line : undefined;
  } catch {
    return undefined;
  }
};

const isLine = (line: unknown): line is TraceLine =>
  typeof line === 'object' &&
  line !== null &&
  'by' in line &&
  'atMs' in line &&
  typeof line.atMs === 'number' &&
  'notes' in line &&
  Array.isArray(line.notes);
