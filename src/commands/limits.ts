/** Limits on the fields that a command sets. Reading, replay and import accept any value. */
import type { Note } from '../events/note/note.js';
import { isWritableTime, parseTime } from '../events/time.js';
import { limitPassed, type Refusal, valueInvalid } from './refusals.js';

const maxTitleChars = 300;
export const maxBodyBytes = 256 * 1024;
export const maxTags = 64;
export const maxTagChars = 100;
const maxKeywords = 64;
const maxProjectChars = 200;
const maxReasonChars = 1000;
/** How many notes one change may name, because each is looked up. */
const maxNamed = 64;

export type SetFields = {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly project?: string | undefined;
  readonly importance?: number | null | undefined;
  readonly confidence?: number | undefined;
  readonly expiresAt?: string | null | undefined;
  readonly reason?: string | undefined;
};

export const checkNamed = (field: string, ids: readonly string[]): Refusal | undefined =>
  ids.length > maxNamed ? limitPassed(field, `names at most ${maxNamed} notes`, `${ids.length}`) : undefined;

/** Returns the first limit that a field exceeds. Lengths are in Unicode characters, the body's in UTF-8 bytes. */
export const checkLimits = (fields: SetFields): Refusal | undefined =>
  checkTitle(fields.title) ??
  checkBody(fields.body) ??
  checkTags('tags', fields.tags, maxTags) ??
  checkTags('keywords', fields.keywords, maxKeywords) ??
  checkLine('project', fields.project, maxProjectChars) ??
  checkLine('reason', fields.reason, maxReasonChars) ??
  checkShare('importance', fields.importance) ??
  checkShare('confidence', fields.confidence) ??
  checkExpiry(fields.expiresAt);

const lineBreak = /[\n\r\u2028\u2029]/;

const checkTitle = (title: string | undefined): Refusal | undefined => {
  if (title === undefined) return undefined;
  const limit = `has 1 to ${maxTitleChars} characters in one line`;
  if (title.trim() === '') return limitPassed('title', limit, 'an empty title');
  if (lineBreak.test(title)) return limitPassed('title', limit, 'a title of several lines');
  return checkLine('title', title, maxTitleChars);
};

const checkBody = (body: string | undefined): Refusal | undefined => {
  if (body === undefined) return undefined;
  if (body.includes('\0')) return valueInvalid('body', 'text without NUL characters', 'a text with one');
  const bytes = Buffer.byteLength(body);
  return bytes > maxBodyBytes ? bodyTooLong(`${bytes} bytes`) : undefined;
};

export const bodyTooLong = (given: string): Refusal => limitPassed('body', `has at most ${maxBodyBytes} bytes`, given);

const checkTags = (field: string, tags: readonly string[] | undefined, most: number): Refusal | undefined => {
  if (tags === undefined) return undefined;
  if (tags.length > most) return limitPassed(field, `are at most ${most}`, `${tags.length}`);
  const seen = new Set<string>();
  for (const tag of tags) {
    if (tag.trim() === '') return limitPassed(field, `have 1 to ${maxTagChars} characters each`, 'an empty one');
    const refusal = checkLine(field, tag, maxTagChars);
    if (refusal !== undefined) return refusal;
    if (seen.has(tag.toLowerCase())) return limitPassed(field, 'are unique, ignoring case', JSON.stringify(tag));
    seen.add(tag.toLowerCase());
  }
  return undefined;
};

const checkLine = (field: string, text: string | undefined, most: number): Refusal | undefined => {
  if (text === undefined) return undefined;
  if (text.includes('\0')) return valueInvalid(field, 'text without NUL characters', 'a text with one');
  if (lineBreak.test(text)) return limitPassed(field, 'must be one line', JSON.stringify(text.slice(0, 40)));
  const chars = [...text].length;
  if (chars > most) return limitPassed(field, `has at most ${most} characters`, `${chars} characters`);
  if (text.trim() === '') return valueInvalid(field, 'a text', 'an empty one');
  return undefined;
};

const checkShare = (field: string, value: number | null | undefined): Refusal | undefined =>
  value === undefined || value === null || (value >= 0 && value <= 1)
    ? undefined
    : valueInvalid(field, 'a number from 0 to 1', String(value));

const checkExpiry = (time: string | null | undefined): Refusal | undefined =>
  time === undefined || time === null || isWritableTime(parseTime(time) ?? Number.NaN)
    ? undefined
    : valueInvalid('expires_at', 'a date or time such as 2027-01-31', JSON.stringify(time));

/** A note that has already expired is still recorded, because that may be intended, and the person is told. */
export const expiryWarnings = (
  expiresMs: number | undefined,
  nowMs: number,
  { id, supersedes }: Pick<Note, 'id' | 'supersedes'>,
): readonly string[] => [
  ...(expiresMs !== undefined && expiresMs <= nowMs
    ? ['it has expired already: search and recall leave it out, only list and show still have it']
    : []),
  // Whether a note is superseded doesn't depend on time: the column is computed when a note changes.
  ...(expiresMs !== undefined && supersedes.length > 0
    ? [`what it supersedes stays superseded after it expires; to bring that back then: anamnesis forget ${id}`]
    : []),
];

export const staysHere =
  'the text says scope: machine-local, so the note stays on this machine; with scope portable it would sync';
