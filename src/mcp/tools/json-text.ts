/** An answer as JSON that a model reads: the same values, and no mark of a client or a model in the text. Pure. */

import { escapeHidden, withoutUnseen } from '../../events/note/plain-text.js';
import { splitAtMarks } from '../../events/note/quoted-text.js';

/** What becomes of marks that nobody sees. */
export type UnseenMarks = 'left out' | 'escaped';

export const jsonText = (answer: object, unseenMarks: UnseenMarks = 'left out'): string =>
  unseenMarks === 'escaped'
    ? escapeHidden(disarmStrings(JSON.stringify(answer)))
    : disarmStrings(
        JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'string' ? withoutUnseen(value) : value)),
      );

/** The first sign of a mark stands as its escape, as in `\u003c/system-reminder>`. */
const disarmStrings = (json: string): string => (mayOpen.test(json) ? json.replace(strings, disarmString) : json);

const mayOpen = /[<[\]\uff1c\ufe64]/;
const strings = /"(?:[^"\\]|\\[\s\S]?)*"?/g;

/** Marks are looked for in the value: in the JSON a line break is two letters, which would stand before a tag. */
const disarmString = (json: string): string => {
  if (!mayOpen.test(json)) return json;
  const value: unknown = JSON.parse(json);
  const parts = typeof value === 'string' ? splitAtMarks(value) : [];
  if (parts.length < 2) return json;
  return `"${parts.map((part, at) => (at === 0 ? inside(part) : `${escapeUnit(part)}${inside(part.slice(1))}`)).join('')}"`;
};

const inside = (text: string): string => JSON.stringify(text).slice(1, -1);
const escapeUnit = (text: string): string => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`;
