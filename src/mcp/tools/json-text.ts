/** Formats an answer as JSON for a model: the same values, but no mark of a client or a model in the text. Pure. */

import { escapeHidden, withoutUnseen } from '../../events/note/plain-text.js';
import { splitAtMarks } from '../../events/note/quoted-text.js';

/** How invisible marks are treated. */
export type UnseenMarks = 'left out' | 'escaped';

export const jsonText = (answer: object, unseenMarks: UnseenMarks = 'left out'): string =>
  unseenMarks === 'escaped'
    ? escapeHidden(disarmStrings(JSON.stringify(answer)))
    : disarmStrings(
        JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'string' ? withoutUnseen(value) : value)),
      );

/** Escapes the first character of each mark, as in `\u003c/system-reminder>`. */
const disarmStrings = (json: string): string => {
  if (!mayOpen.test(json)) return json;
  const parts: string[] = [];
  let at = 0;
  for (let start = json.indexOf('"'); start !== -1; start = json.indexOf('"', at)) {
    const end = endOfString(json, start);
    parts.push(json.slice(at, start), disarmString(json.slice(start, end)));
    at = end;
  }
  return parts.join('') + json.slice(at);
};

const mayOpen = /[<[\]\uff1c\ufe64]/;

/** Returns the index after the closing quote. No pattern: it would store a place per character, too many in 9 MB. */
const endOfString = (json: string, start: number): number => {
  let quote = json.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
  return quote === -1 ? json.length : quote + 1;
};

const isEscaped = (json: string, quote: number): boolean => {
  let first = quote;
  while (json[first - 1] === '\\') first -= 1;
  return (quote - first) % 2 === 1;
};

/** Looks for marks in the value: in the JSON, a line break is two letters, which would precede a tag. */
const disarmString = (json: string): string => {
  if (!mayOpen.test(json)) return json;
  const value: unknown = JSON.parse(json);
  const parts = typeof value === 'string' ? splitAtMarks(value) : [];
  if (parts.length < 2) return json;
  return `"${parts.map((part, at) => (at === 0 ? inside(part) : `${escapeUnit(part)}${inside(part.slice(1))}`)).join('')}"`;
};

const inside = (text: string): string => JSON.stringify(text).slice(1, -1);
const escapeUnit = (text: string): string => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`;
