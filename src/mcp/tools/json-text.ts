/** Formats an answer as JSON for a model: the same values, but no mark of a client or a model in the text. Pure. */
import { escapeHidden, withoutUnseen } from '../../events/note/plain-text.js';
import { splitAtMarks } from '../../events/note/quoted-text.js';

/** How invisible marks are treated. */
export type UnseenMarks = 'left out' | 'escaped';

/** Escapes the first character of each mark, as in `\u003c/system-reminder>`. */
export const jsonText = (answer: object, unseenMarks: UnseenMarks = 'left out'): string => {
  const prepare = (text: string): string => markUnits(unseenMarks === 'escaped' ? text : withoutUnseen(text));
  const json = JSON.stringify(answer, (_key, value: unknown) => {
    if (typeof value === 'string') return prepare(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, its]) => [prepare(key), its]));
  });
  const disarmed = json.replace(/\ufdd0([0-9a-f]{4})/g, '\\u$1');
  return unseenMarks === 'escaped' ? escapeHidden(disarmed) : disarmed;
};

/** Puts the code of such a character in its place, after a character that stands for nothing and is in no text. */
const markUnits = (text: string): string =>
  mayOpen.test(text)
    ? splitAtMarks(text)
        .map((part, at) =>
          at === 0 ? part : `\ufdd0${part.charCodeAt(0).toString(16).padStart(4, '0')}${part.slice(1)}`,
        )
        .join('')
    : text;

const mayOpen = /[<[\]\uff1c\ufe64]/;
