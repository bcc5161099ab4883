/** An event as a commit message and back; its last paragraph is the event. By hand: zod would start too slowly. */

import { checkClaims, isMachineName } from './claims.js';
import { type ClaimedEvent, type JournalEvent, unknownMachine } from './event.js';
import { formatTime } from './time.js';
import { idOfForeign } from './ulid-form.js';

/** Version of the trailers; a reader ignores trailers that it doesn't know. */
const trailerFormat = '1';

type Field = Exclude<keyof ClaimedEvent, 'id' | 'kind' | 'at' | 'subject' | 'notes'>;

/** The trailer of each field, in the order in which they are written. */
const trailerOf = {
  by: 'By',
  reason: 'Reason',
  user: 'User',
  machine: 'Machine',
  project: 'Project',
  session: 'Session',
  agent: 'Agent',
  commandId: 'Command-Id',
  move: 'Move',
  undoes: 'Undoes',
  base: 'Base',
  ours: 'Ours',
  theirs: 'Theirs',
  returned: 'Returned',
  lost: 'Lost',
  adopted: 'Adopted',
} as const satisfies Record<Field, string>;
const knownKeys: ReadonlySet<string> = new Set(['Event', 'Kind', 'At', 'Note', ...Object.values(trailerOf)]);
const fields: readonly Field[] = Object.keys(trailerOf).filter((key): key is Field => Object.hasOwn(trailerOf, key));

/** `subject` may be any text; it is shortened to one line of at most 100 characters. */
export const formatMessage = (event: JournalEvent): string => {
  const lines = [`Format: ${trailerFormat}`, `Event: ${event.id}`, `Kind: ${event.kind}`, `At: ${event.at}`];
  for (const note of event.notes) lines.push(`Note: ${note}`);
  for (const field of fields) {
    // A list becomes one trailer per value.
    for (const value of [event[field] ?? []].flat()) lines.push(`${trailerOf[field]}: ${quoteValue(value)}`);
  }
  return `${event.kind}: ${formatSubject(event.subject)}\n\n${lines.join('\n')}\n`;
};

/** Returns undefined unless the message holds a complete, well-formed event of ours. Invalid fields are left out. */
export const parseMessage = (message: string): JournalEvent | undefined => {
  const start = message.lastIndexOf('\n\nFormat: ');
  if (start === -1) return undefined;
  const valuesByKey = new Map<string, string[]>();
  const trailers = message.slice(start + 2).trimEnd();
  // Line by line: a synced message may have 32 MiB and turn out not to hold an event.
  for (let at = 0; at < trailers.length; ) {
    const line = firstLine(trailers, at);
    at += line.length + 1;
    const colon = line.indexOf(': ');
    if (colon === -1) return undefined;
    const key = line.slice(0, colon);
    const value = unquoteValue(line.slice(colon + 2));
    if (value === undefined) return undefined;
    if (!knownKeys.has(key)) continue;
    const values = valuesByKey.get(key);
    if (values === undefined) valuesByKey.set(key, [value]);
    else values.push(value);
  }
  const all = (field: Field): readonly string[] => valuesByKey.get(trailerOf[field]) ?? [];
  const one = (field: Field): string | undefined => all(field).at(-1);
  const id = valuesByKey.get('Event')?.at(-1);
  const kind = valuesByKey.get('Kind')?.at(-1);
  const at = valuesByKey.get('At')?.at(-1);
  if (id === undefined || kind === undefined || at === undefined) return undefined;
  const subject = firstLine(message);
  return checkClaims({
    id,
    kind,
    at,
    machine: one('machine') ?? unknownMachine,
    subject: formatSubject(subject.startsWith(`${kind}: `) ? subject.slice(kind.length + 2) : subject),
    notes: valuesByKey.get('Note') ?? [],
    by: one('by'),
    reason: one('reason'),
    user: one('user'),
    project: one('project'),
    session: one('session'),
    agent: one('agent'),
    commandId: one('commandId'),
    move: one('move'),
    lost: all('lost'),
    adopted: all('adopted'),
    undoes: one('undoes'),
    base: all('base'),
    ours: one('ours'),
    theirs: one('theirs'),
    returned: all('returned'),
  });
};

/** Makes an event of a commit without trailers: a foreign change, with an id that every machine derives alike. */
export const foreignEvent = (commit: {
  readonly hash: string;
  readonly epochMs: number;
  readonly author: string;
  readonly message: string;
  readonly notes: readonly string[];
}): JournalEvent => ({
  id: idOfForeign(commit.hash, commit.epochMs),
  kind: 'hand.adopted',
  at: formatTime(commit.epochMs),
  machine: machineOfAuthor(commit.author),
  subject: formatSubject(firstLine(commit.message)),
  notes: commit.notes,
});

const machineOfAuthor = (author: string): string => {
  const machine = author.startsWith('anamnesis@') ? author.slice('anamnesis@'.length) : '';
  return isMachineName(machine) ? machine : unknownMachine;
};

/** Returns the line that starts at `from`, without its line break. */
const firstLine = (text: string, from = 0): string => {
  const end = text.indexOf('\n', from);
  return text.slice(from, end === -1 ? undefined : end);
};

const maxSubject = 100;
/** UTF-16 units read for a subject, which may be surrounded by any number of blanks and marks. */
const maxLookedAt = 1000;

const formatSubject = (text: string): string => {
  const line = text
    .trimStart()
    .slice(0, maxLookedAt)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const chars = [...line];
  return chars.length <= maxSubject ? line : `${chars.slice(0, maxSubject - 1).join('')}…`;
};

// Any other value is written as a JSON string, and so is one that looks like a JSON string.
const plainValue =
  /^(?!")[^\p{Cc}\p{Cs}\u2028\u2029\s](?:[^\p{Cc}\p{Cs}\u2028\u2029]*[^\p{Cc}\p{Cs}\u2028\u2029\s])?$/u;

export const quoteValue = (value: string): string => (plainValue.test(value) ? value : JSON.stringify(value));

export const unquoteValue = (text: string): string | undefined => {
  if (!text.startsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
};
