/** Which project somebody means by a part of its key. Pure. */
import type { Refusal } from '../commands/refusals.js';
import { quoteField } from '../events/note/quoted-text.js';
import type { Found } from '../store/reading.js';

/**
 * The key itself, else the only key that has the text as whole parts between its slashes (`payments-api`, `acme/shop`),
 * else the only one that holds it at all. A new key is taken as it is where `mayBeNew`, and then is none that merely
 * holds the text: `shop` of a note to be written is not `shop-web`. Refused where several fit, or where none does.
 */
export const matchProject = (keys: readonly string[], given: string, mayBeNew: boolean): Found<string> => {
  const text = given.trim();
  if (text === 'global' || keys.includes(text)) return { ok: true, answer: text };
  const part = text
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '')
    .join('/');
  const whole = keys.filter((key) => `/${key.toLowerCase()}/`.includes(`/${part}/`));
  const holding = mayBeNew ? [] : keys.filter((key) => key.toLowerCase().includes(part));
  const fitting = part === '' ? [] : whole.length > 0 ? whole : holding;
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return { ok: true, answer: only };
  if (only !== undefined) return { ok: false, refusal: severalFit(text, fitting) };
  return mayBeNew ? { ok: true, answer: text } : { ok: false, refusal: projectUnknown(text, nearKeys(keys, part)) };
};

/** Keys that share a word with the text, those that share most first. */
export const nearKeys = (keys: readonly string[], text: string): readonly string[] => {
  const words = wordsOf(text);
  const shared = (key: string): number =>
    wordsOf(key).filter((word) => words.some((one) => one.startsWith(word) || word.startsWith(one))).length;
  return keys
    .filter((key) => shared(key) > 0)
    .toSorted((a, b) => shared(b) - shared(a) || (a < b ? -1 : 1))
    .slice(0, maxNamed);
};

const maxNamed = 10;

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2 && word !== 'com');

const named = (keys: readonly string[]): string => {
  const left = keys.length - maxNamed;
  const shown = keys.slice(0, maxNamed).map(quoteField).join(', ');
  return left > 0 ? `${shown} and ${left} more` : shown;
};

const severalFit = (given: string, keys: readonly string[]): Refusal => ({
  code: 'project-ambiguous',
  message: `${JSON.stringify(given)} fits ${keys.length} projects: ${named(keys)}`,
  next: 'give more of the key',
});

const projectUnknown = (given: string, near: readonly string[]): Refusal => ({
  code: 'project-unknown',
  message: `there is no project ${JSON.stringify(given)}${near.length === 0 ? '' : `; near it: ${named(near)}`}`,
  next: 'anamnesis projects lists them; leave the project out to look in all of them',
});
