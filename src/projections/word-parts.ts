/**
 * Other forms that a text's words are found by: parts of identifiers, identifiers written as one word, letters that people type in
 * two ways or of full width, and neighbouring characters of scripts without spaces. Notes and queries are read alike. Pure.
 */

import { maySpaceless, pairsOfRun, spacelessRuns } from './spaceless.js';

/** Of a note, in their order, with repetitions. Linear. */
export const wordParts = (text: string): readonly string[] => readParts(text, true, maxParts);

/** Of a query, at most `most`: no identifier as one word, since its words are asked for and stand in the notes' parts. */
export const queryParts = (text: string, most: number): readonly string[] => readParts(text, false, most);

const readParts = (text: string, withJoined: boolean, most: number): readonly string[] => {
  const parts: string[] = [];
  const whole = beyondAscii.test(text) ? text.normalize('NFKC') : text;
  readCompounds(whole, (compound) => {
    parts.push(...partsOfCompound(compound, withJoined));
    return parts.length < most;
  });
  // Most texts beyond ASCII have a dash or an ellipsis and no such letter: the quick look saves reading their words.
  if (hasTwoWays.test(whole))
    for (const [word] of whole.matchAll(twoWays)) parts.push(...otherSpellings(word.toLowerCase()));
  if (whole !== text)
    for (const [wide] of text.matchAll(/[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]+/g))
      parts.push(wide.normalize('NFKC').toLowerCase());
  if (maySpaceless(whole))
    for (const run of spacelessRuns(whole)) {
      if (parts.length >= most) break;
      parts.push(...pairsOfRun(run, most - parts.length));
    }
  return parts.slice(0, most);
};

/** A note of more is found by its beginning. */
const maxParts = 20_000;

const beyondAscii = /[^\x00-\x7f]/;
const hasTwoWays = /[ßæœøłđäöüẞÆŒØŁĐÄÖÜ]/;
/** Words with a letter that has another spelling without it. */
const twoWays = /(?<!\p{L})\p{L}{0,40}[ßæœøłđäöüẞÆŒØŁĐÄÖÜ]\p{L}{0,40}/gu;

const otherSpellings = (word: string): readonly string[] => {
  const folded = word.replace(/[ßæœøłđ]/g, (letter) => plainLetters[letter] ?? letter);
  const written = folded.replace(/[äöü]/g, (letter) => `${letter.normalize('NFD')[0] ?? ''}e`);
  return [...new Set([folded, written])].filter((one) => one !== word);
};
const plainLetters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' };

/**
 * Letters and digits in ASCII, joined by single marks: handed over where there is more to them than one plain word. Looks only
 * for the places inside one where it changes, which are few, and reads from there to both ends.
 */
const readCompounds = (text: string, take: (compound: string) => boolean): void => {
  let end = 0;
  changeWithin.lastIndex = 0;
  for (let change = changeWithin.exec(text); change !== null; change = changeWithin.exec(text)) {
    let begin = change.index;
    while (begin > end && goesOn(text, begin - 1, begin - 2)) begin -= 1;
    end = change.index + 1;
    while (end < text.length && goesOn(text, end, end + 1)) end += 1;
    if (!take(text.slice(begin, end))) return;
    changeWithin.lastIndex = end;
  }
};

/** `fooBar`, `HTTPServer`, `sha256`, `busy_timeout`. */
const changeWithin = /[a-z][A-Z0-9]|[A-Z][0-9]|[0-9][A-Za-z]|[A-Za-z0-9][-_.][A-Za-z0-9]|[A-Z]{3}[a-z]/g;

/** A joint goes on where a letter or digit stands on its other side, too. */
const goesOn = (text: string, at: number, beyond: number): boolean => {
  const kind = kinds[text.charCodeAt(at)];
  return kind === inWord || (kind === joint && kinds[text.charCodeAt(beyond)] === inWord);
};

const inWord = 1;
const joint = 2;
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  return /[A-Za-z0-9]/.test(letter) ? inWord : /[-_.]/.test(letter) ? joint : 0;
});

const partsOfCompound = (compound: string, withJoined: boolean): readonly string[] => {
  if (compound.length > maxCompound) return [];
  const joined = compound.split(/[-_.]/);
  // `busy_timeout`: each part is one word.
  if (!hasChange.test(compound)) {
    const isName = joined.length <= maxWordsOfOne && joined.some(({ length }) => length > 1);
    return isName && withJoined ? [joined.join('')] : [];
  }
  const wordsOf = joined.map((one) => one.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g) ?? []);
  // Hashes and tables of numbers have none.
  if (wordsOf.flat().length > maxWordsOfOne || !/[A-Za-z]{2}/.test(compound)) return [];
  const inner = wordsOf.flatMap((words) => (words.length > 1 ? words.filter((word) => word.length > 1) : []));
  return [...(withJoined && joined.length > 1 ? [joined.join('')] : []), ...inner].map((part) => part.toLowerCase());
};

const hasChange = /[A-Z0-9]/;
const maxCompound = 64;
const maxWordsOfOne = 8;
