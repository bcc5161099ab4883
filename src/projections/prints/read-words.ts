/**
 * The words of a text as the index's tokenizer splits them: lower case, Latin ones without diacritics; in scripts
 * without spaces, the pairs of neighbours that the index stores beside the text. Pure.
 */
import { splitSpaceless } from '../spaceless.js';
import { openUnits } from '../text-units.js';
import { composed, foldWord } from './fold-word.js';
import { hashOf, hashOfNothing, hashUnit } from './word-table.js';

/**
 * Receives the word between two places of a text and returns whether to continue. The units are valid only during the
 * call and may have ASCII capitals. The hash is `hashUnit` over the lower-case units.
 */
export type TakeWord = (units: Uint16Array, begin: number, end: number, hash: number) => boolean;

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

/**
 * Lower-case letter or digit, else 0. Most words have no letter beyond ASCII, and are read many times faster than
 * others.
 */
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
