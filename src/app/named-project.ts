/** Finds the project that a part of its key refers to. Pure. */
import type { Refusal } from '../commands/refusals.js';
import { cutGiven, quoteField } from '../events/note/quoted-text.js';
import type { Lookup } from '../store/reading.js';

/** Finds a project to search: the key; the only one with the text as whole parts (`acme/shop`); or with it at all. */
export const matchProject = (keys: readonly string[], given: string): Lookup<string> => {
  const text = given.trim();
  if (text === 'global' || keys.includes(text)) return { ok: true, answer: text };
  const part = partOf(text);
  const whole = keys.filter((key) => holdsWhole(key, part));
  const fitting = part === '' ? [] : whole.length > 0 ? whole : keys.filter((key) => key.toLowerCase().includes(part));
  const [only, ...others] = fitting;
  if (only === undefined) return { ok: false, refusal: projectUnknown(text, nearKeys(keys, part)) };
  return others.length === 0 ? { ok: true, answer: only } : { ok: false, refusal: severalFit(text, fitting) };
};

export type ProjectToWrite = { readonly key: string; readonly warnings: readonly string[] };

/**
 * Finds a project to write to: the key; `here`, if its key ends with the text; the only key that ends so, refused for
 * several; else a new one. A key that merely contains the text is never guessed: a remote may have brought it.
 */
export const nameProject = (keys: readonly string[], given: string, here: string): Lookup<ProjectToWrite> => {
  const text = given.trim();
  const found = (key: string, warnings: readonly string[] = []) => ({ ok: true, answer: { key, warnings } }) as const;
  const part = partOf(text);
  if (text === 'global' || part === '' || keys.includes(text)) return found(text);
  if (endsWhole(here, part)) return found(here);
  const ending = keys.filter((key) => endsWhole(key, part));
  const [only, ...others] = ending;
  if (others.length > 0) return { ok: false, refusal: severalFit(text, ending) };
  if (only !== undefined) return found(only);
  const alike = keys.filter((key) => isAlike(key, part)).slice(0, maxNamed);
  return found(text, alike.length === 0 ? [] : [isNew(text, alike)]);
};

/** Lowercases the text, and drops slashes that are leading, trailing or doubled. */
const partOf = (text: string): string =>
  text
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '')
    .join('/');

const holdsWhole = (key: string, part: string): boolean => `/${key.toLowerCase()}/`.includes(`/${part}/`);

const endsWhole = (key: string, part: string): boolean => `/${key.toLowerCase()}`.endsWith(`/${part}`);

/** True if the key contains the text, or is contained in it. */
const isAlike = (key: string, part: string): boolean => {
  const [known, text] = [withoutHost(key.toLowerCase()), withoutHost(part)];
  const isHeld = text.length < leastHeld ? known.split(/[^\p{L}\p{N}]+/u).includes(text) : known.includes(text);
  return isHeld || holdsWhole(part, known);
};

/** Fewer letters occur in nearly every key. */
const leastHeld = 3;

/** Every key of one host contains the host's name. */
const withoutHost = (key: string): string => key.replace(/^[^/.]+\.[^/]+\//, '');

/** Returns keys that have a word of the text. */
const nearKeys = (keys: readonly string[], text: string): readonly string[] => {
  const words = wordsOf(text);
  return keys
    .filter((key) => wordsOf(key).some((one) => words.some((word) => one.startsWith(word))))
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
  message: `${JSON.stringify(cutGiven(given))} fits ${keys.length} projects: ${named(keys)}`,
  next: 'give more of the key',
});

const projectUnknown = (given: string, near: readonly string[]): Refusal => ({
  code: 'project-unknown',
  message: `there is no project ${JSON.stringify(cutGiven(given))}${near.length === 0 ? '' : `; near it: ${named(near)}`}`,
  next: 'anamnesis projects lists them; leave the project out to look in all of them',
});

const isNew = (given: string, alike: readonly string[]): string =>
  `${JSON.stringify(cutGiven(given))} is a new project; if you meant ${named(alike)}, give that key in full`;
