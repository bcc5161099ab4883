/**
 * Words as the index's tokenizer splits and folds them (FTS5's unicode61, remove_diacritics 2): Latin letters lose
 * their marks, others keep theirs (й is not и). In scripts without spaces, pairs of neighbours. Pure.
 */

import { normalForm } from '../../events/normal-form.js';
import { splitSpaceless } from '../word-parts.js';
import { hashOf, hashOfNothing, hashUnit, openUnits } from './word-table.js';

/** Returns whether to continue. `units` is valid only meanwhile, with ASCII capitals; `hash` is over small letters. */
type TakeWord = (units: Uint16Array, begin: number, end: number, hash: number) => boolean;

/** Passes on each word in order until `take` returns false. Linear. */
export const readWords = (text: string, take: TakeWord): void => {
  const units = unitsOf(text);
  const { length } = text;
  let begin = -1;
  let hash = hashOfNothing;
  for (let at = 0; at <= length; at += 1) {
    const unit = at < length ? (units[at] ?? 0) : 0;
    const small = unit < 128 ? (wordUnits[unit] ?? 0) : 0;
    if (small !== 0) {
      if (begin === -1) begin = at;
      hash = hashUnit(hash, small);
      continue;
    }
    if (isBeyondPlain(unit)) {
      // From the character before, which a mark may combine with, to the next one that ends a word.
      const from = begin === -1 ? Math.max(0, at - 1) : begin;
      while (at < length && !endsWord(units[at] ?? 0)) at += 1;
      at -= 1;
      if (!readAny(text.slice(from, at + 1), take)) return;
    } else if (begin !== -1 && !take(units, begin, at, hash)) return;
    begin = -1;
    hash = hashOfNothing;
  }
};

/** Lower-case letter or digit, else 0. Most words are plain ASCII, and are read many times faster than others. */
const wordUnits = Uint8Array.from({ length: 128 }, (_, unit) => {
  const letter = String.fromCharCode(unit).toLowerCase();
  return /[a-z0-9]/.test(letter) ? letter.charCodeAt(0) : 0;
});

/** Dashes, quotation marks and dots beyond ASCII separate words like those in ASCII. */
const isBeyondPlain = (unit: number): boolean => unit >= 128 && (unit < 0x2010 || unit > 0x2027);

const unitsOf = openUnits();
const unitsOfWord = openUnits();

const endsWord = (unit: number): boolean => !isBeyondPlain(unit) && (unit >= 128 || wordUnits[unit] === 0);

const readAny = (text: string, take: TakeWord): boolean => {
  // Composed, like a query.
  for (const [run] of composed(text).matchAll(/[\p{L}\p{N}\p{M}\p{Co}]+/gu))
    for (const word of splitSpaceless(run)) {
      const folded = foldWord(word);
      if (!take(unitsOfWord(folded), 0, folded.length, hashOf(folded))) return false;
    }
  return true;
};
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
