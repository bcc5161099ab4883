/**
 * A word as the index's tokenizer folds it (FTS5's unicode61 with remove_diacritics 2): lower case, Latin letters
 * without marks. Letters of other scripts keep theirs: й is not и. Pure.
 */
import { normalForm } from '../../events/normal-form.js';

/** Linear. */
export const foldWord = (word: string): string => {
  if (!beyondAscii.test(word)) return word.toLowerCase();
  let all = '';
  for (const letter of word) all += foldLetter(letter);
  return all;
};

/** Composed, with full- and half-width characters in their usual width: a Japanese keyboard writes ＤＨＬ. */
export const composed = (text: string): string =>
  normalForm(text.replace(/[\uff10-\uff9f]+/g, (wide) => wide.normalize('NFKC')));

/** Without any marks, as people often type: е for ё, η for ή. Fold both sides of a comparison. */
export const withoutMarks = (word: string): string =>
  beyondAscii.test(word) ? normalForm(word, 'NFD').replace(/\p{M}/gu, '') : word;

const beyondAscii = /[^\x00-\x7f]/;

/** Lower-cases only what the index lower-cases: a Cherokee word is found as it is usually written, in capitals. */
export const lowerCase = (text: string): string =>
  unfolded.test(text) ? text.replace(folded, (part) => part.toLowerCase()) : text.toLowerCase();

/** Capitals added to Unicode after SQLite's tables were made, and the dotless i, which has no other case there. */
const letters = String.raw`\u0131\u037f\u0528-\u052f\u13a0-\u13ff\u1c80-\u1cbf\u2c2f\ua698-\ua69b\ua796-\ua79f\ua7ab-\ua7ff`;
const unfolded = new RegExp(`[${letters}]`);
const folded = new RegExp(`[^${letters}]+`, 'g');

/** Folded letters by code unit: folding takes far longer than a lookup, and texts repeat their letters. */
const known: (string | undefined)[] = [];

const foldLetter = (letter: string): string => {
  // A surrogate pair. Few letters outside the basic plane have a case.
  if (letter.length > 1) return letter.toLowerCase();
  const code = letter.charCodeAt(0);
  const found = known[code];
  if (found !== undefined) return found;
  const made = foldUnknown(letter);
  known[code] = made;
  return made;
};

const foldUnknown = (letter: string): string => {
  if (/\p{M}/u.test(letter)) return '';
  if (unfolded.test(letter)) return letter;
  // Upper case first: it turns ς into σ, and the long s into s. ß has two letters in upper case and stays unchanged.
  const upper = letter.toUpperCase();
  const lower = (upper.length === 1 ? upper : letter).toLowerCase();
  const [base = '', mark] = lower.normalize('NFD');
  return mark !== undefined && /[a-z]/.test(base) && lower !== keptWhole ? base : lower;
};

/** SQLite's table of Latin letters with marks lacks this one. */
const keptWhole = '\u01e1';

/** A word with digits names one thing and its neighbour another: `sha256` is no typo for `sha512`. */
export const isCorrectable = (word: string): boolean =>
  word.length >= leastLetters && word.length <= mostLetters && (isAscii.test(word) ? plain : spelt).test(word);

const leastLetters = 3;
const mostLetters = 32;
/** Apart, since compiling the classes of other scripts would cost a search in Latin letters a millisecond. */
const isAscii = /^[\x00-\x7f]*$/;
const plain = /^[a-z]+$/;
const spelt = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u;
