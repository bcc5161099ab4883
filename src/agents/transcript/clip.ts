/**
 * Cuts masked texts (half a secret isn't recognised) to UTF-16 units, ellipsis included, never inside a character.
 * Results are copies: a slice would keep its whole source alive, such as a transcript's line. Pure.
 */

import { withoutCodes } from '../../events/note/mask-text.js';
import { redact } from '../../events/note/redact.js';

/** Keeps the beginning; ends between words if there is a space nearby. */
export const clip = (whole: string, most: number): string => {
  if (whole.length <= most) return whole;
  const text = redact(whole).text;
  if (text.length <= most) return text;
  if (most < 1) return '';
  const end = startOfCharacter(text, most - 1);
  const space = lastSpace(text, end);
  return copyText(`${text.slice(0, space > end - nearBy(most) ? space : end).replace(looseEnd, '')}…`);
};

/** Keeps the end. */
export const clipStart = (whole: string, most: number): string => {
  if (whole.length <= most) return whole;
  const text = redact(whole).text;
  if (text.length <= most) return text;
  if (most < 1) return '';
  const earliest = text.length - (most - 1);
  const start = isLowSurrogate(text, earliest) ? earliest + 1 : earliest;
  const space = firstSpace(text, start);
  return copyText(`…${text.slice(space < start + nearBy(most) ? space : start).trimStart()}`);
};

/** Keeps the beginning and the end, two thirds and one third, for texts that say at the end what comes next. */
export const clipMiddle = (whole: string, most: number): string => {
  if (whole.length <= most) return whole;
  const text = redact(whole).text;
  if (text.length <= most) return text;
  if (most < 20) return clip(text, most);
  const last = Math.floor(most / 3);
  return `${clip(text, most - last - 1)}\n${clipStart(text, last)}`;
};

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** No terminal codes, control characters or half surrogate pairs. Reads `most` units: a huge text costs nothing. */
export const cleanText = (text: string, most: number): string => {
  const cleaned = withoutCodes(text.slice(0, most))
    .replace(/[\u2028\u2029]/g, '\n')
    .trim();
  return copyText(cleaned);
};

/** Also turns half a surrogate pair into the replacement character. */
const copyText = (text: string): string => {
  if (3 * text.length > scratch.length) return Buffer.from(text, 'utf8').toString('utf8');
  return scratch.toString('utf8', 0, scratch.write(text, 'utf8'));
};

/** Shared, since a buffer per text would be freed long after its use. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** Bounded, because a pattern tries every start in a long run of spaces. */
const looseEnd = /[\s·,;:(–—-]{1,20}$/;

const nearBy = (most: number): number => Math.min(40, Math.floor(most / 4));

const startOfCharacter = (text: string, at: number): number => (isLowSurrogate(text, at) ? at - 1 : at);

const isLowSurrogate = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
};

const lastSpace = (text: string, end: number): number =>
  Math.max(text.lastIndexOf(' ', end), text.lastIndexOf('\n', end));

const firstSpace = (text: string, start: number): number => {
  const found = [text.indexOf(' ', start), text.indexOf('\n', start)].filter((at) => at !== -1);
  return found.length === 0 ? text.length : Math.min(...found);
};
