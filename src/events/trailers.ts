/**
 * Event to commit message and back. The message reads well in `git log --oneline`; its last paragraph carries the
 * event. Parsed by hand and not with zod, because catching up runs in commands that must start fast.
 */

import { checkClaims, isMachineName, unknownMachine } from './claims.js';
import type { JournalEvent } from './event.js';
import { createHash } from './hash.js';
import { formatTime } from './time.js';
import { derivedUlid } from './ulid-form.js';

/** Version of the trailers; a reader keeps what it does not know. */
const trailerFormat = '1';

/** `subject` may be any text; it is cut to one line of at most 100 characters. */
export const formatMessage = (event: JournalEvent): string => {
  const lines = [`Format: ${trailerFormat}`, `Event: ${event.id}`, `Kind: ${event.kind}`, `At: ${event.at}`];
  for (const note of event.notes) lines.push(`Note: ${note}`);
  const optional: readonly (readonly [string, string | undefined])[] = [
    ['By', event.by],
    ['Reason', event.reason],
    ['User', event.user],
    ['Machine', event.machine],
    ['Project', event.project],
    ['Session', event.session],
    ['Agent', event.agent],
    ['Command-Id', event.commandId],
    ['Move', event.move],
    ['Undoes', event.undoes],
  ];
  for (const [key, value] of optional) if (value !== undefined) lines.push(`${key}: ${quoteValue(value)}`);
  for (const lost of event.lost ?? []) lines.push(`Lost: ${quoteValue(lost)}`);
  for (const adopted of event.adopted ?? []) lines.push(`Adopted: ${quoteValue(adopted)}`);
  return `${event.kind}: ${formatSubject(event.subject)}\n\n${lines.join('\n')}\n`;
};

/** Undefined when the message carries no event of ours, whole and well formed. A field that is not valid is left out. */
export const parseMessage = (message: string): JournalEvent | undefined => {
  const start = message.lastIndexOf('\n\nFormat: ');
  if (start === -1) return undefined;
  const single = new Map<string, string>();
  const notes: string[] = [];
  const lost: string[] = [];
  const adopted: string[] = [];
  for (const line of message
    .slice(start + 2)
    .trimEnd()
    .split('\n')) {
    const colon = line.indexOf(': ');
    if (colon === -1) return undefined;
    const key = line.slice(0, colon);
    const value = unquoteValue(line.slice(colon + 2));
    if (value === undefined) return undefined;
    if (key === 'Note') notes.push(value);
    else if (key === 'Lost') lost.push(value);
    else if (key === 'Adopted') adopted.push(value);
    else single.set(key, value);
  }
  const id = single.get('Event');
  const kind = single.get('Kind');
  const at = single.get('At');
  if (id === undefined || kind === undefined || at === undefined) return undefined;
  const subject = message.slice(0, message.indexOf('\n'));
  return checkClaims({
    id,
    kind,
    at,
    machine: single.get('Machine') ?? unknownMachine,
    subject: formatSubject(subject.startsWith(`${kind}: `) ? subject.slice(kind.length + 2) : subject),
    notes,
    by: single.get('By'),
    reason: single.get('Reason'),
    user: single.get('User'),
    project: single.get('Project'),
    session: single.get('Session'),
    agent: single.get('Agent'),
    commandId: single.get('Command-Id'),
    move: single.get('Move'),
    lost,
    adopted,
    undoes: single.get('Undoes'),
  });
};

/** What a commit without trailers is: somebody else's change, with an id that every machine derives alike. */
export const foreignEvent = (commit: {
  readonly hash: string;
  readonly epochMs: number;
  readonly author: string;
  readonly message: string;
  readonly notes: readonly string[];
}): JournalEvent => ({
  id: derivedUlid(commit.epochMs, digestOf(commit.hash)),
  kind: 'hand.adopted',
  at: formatTime(commit.epochMs),
  machine: machineOfAuthor(commit.author),
  subject: formatSubject(commit.message.split('\n')[0] ?? ''),
  notes: commit.notes,
});

const machineOfAuthor = (author: string): string => {
  const machine = author.startsWith('anamnesis@') ? author.slice('anamnesis@'.length) : '';
  return isMachineName(machine) ? machine : unknownMachine;
};

/** True of the id that a commit without trailers has; an event that we recorded, a hand edit too, has one of its own. */
export const isIdOfForeign = (id: string, hash: string): boolean =>
  id.slice(-16) === derivedUlid(0, digestOf(hash)).slice(-16);

const digestOf = (hash: string): string => createHash('sha256').update(hash).digest('hex');

const maxSubject = 100;

const formatSubject = (text: string): string => {
  const line = text
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const chars = [...line];
  return chars.length <= maxSubject ? line : `${chars.slice(0, maxSubject - 1).join('')}…`;
};

// A value that is not plain, visible text on one line travels as a JSON string; one that looks like one, too.
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
