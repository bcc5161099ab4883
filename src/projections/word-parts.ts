/**
 * Other forms of a text's words: parts of identifiers, identifiers as one word, letters with two spellings or of full
 * width, pairs of characters in scripts without spaces. The same for notes and queries. Pure.
 */
import { normalForm } from '../events/normal-form.js';
import { longer, openUnits } from './prints/word-table.js';

/** The parts of a note, in order, with repetitions. Linear. */
export const wordParts = (text: string): readonly string[] => readParts(text, true, maxParts);

/** At most `most`, without identifiers as one word: a search asks for their words, which are among notes' parts. */
export const queryParts = (text: string, most: number): readonly string[] => readParts(text, false, most);

const readParts = (text: string, withJoined: boolean, most: number): readonly string[] => {
  const parts: string[] = [];
  const isAscii = !beyondAscii.test(text);
  const whole = isAscii ? text : normalForm(text, 'NFKC');
  readCompounds(whole, (compound) => {
    for (const part of partsOfCompound(compound, withJoined)) parts.push(part);
    return parts.length < most;
  });
  if (!isAscii) readBeyondAscii(text, whole, parts, most);
  return parts.length > most ? parts.slice(0, most) : parts;
};

const readBeyondAscii = (text: string, whole: string, parts: string[], most: number): void => {
  // Most texts beyond ASCII have a dash or an ellipsis but no such letter: this check saves reading their words.
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
};

/** Only the beginning of a longer note is found by its parts. */
const maxParts = 20_000;
const beyondAscii = /[^\x00-\x7f]/;
const hasTwoWays = /[ßæœøłđäöüẞÆŒØŁĐÄÖÜ]/;
/** Words with a letter that can be spelt without it. */
const twoWays = /(?<!\p{L})\p{L}{0,40}[ßæœøłđäöüẞÆŒØŁĐÄÖÜ]\p{L}{0,40}/gu;

const otherSpellings = (word: string): readonly string[] => {
  const folded = word.replace(/[ßæœøłđ]/g, (letter) => plainLetters[letter] ?? letter);
  const written = folded.replace(/[äöü]/g, (letter) => `${letter.normalize('NFD')[0] ?? ''}e`);
  return [...new Set([folded, written])].filter((one) => one !== word);
};
const plainLetters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' };

/** Passes on runs of ASCII letters and digits that aren't one plain word: `fooBar`, `HTTPServer`, `busy_timeout`. */
const readCompounds = (text: string, take: (compound: string) => boolean): void => {
  const found = findCompounds(unitsOf(text), text.length);
  for (let at = 0; at < found; at += 2) if (!take(text.slice(compounds[at], compounds[at + 1]))) return;
};

/** Begin and end of each compound, alternating. */
let compounds = new Int32Array(256);

/** Returns the number of entries set. Kept apart from its readers: the loop is recompiled with whatever it calls. */
const findCompounds = (units: Uint16Array, length: number): number => {
  let found = 0;
  let begin = 0;
  let isCompound = false;
  let capitals = 0;
  let before = other;
  for (let at = 0; at <= length; at += 1) {
    const kind = at < length ? kindOf(units[at] ?? 0) : other;
    if (kind >= small) {
      if (before === other) begin = at;
      else if (kind !== before) isCompound ||= before !== capital || kind === digit || capitals >= 3;
      capitals = kind === capital ? capitals + 1 : 0;
      before = kind;
    } else if (before !== other && kind === joint && at + 1 < length && kindOf(units[at + 1] ?? 0) >= small) {
      isCompound = true;
      capitals = 0;
      before = joint;
    } else {
      if (isCompound) {
        if (found === compounds.length) compounds = longer(compounds, new Int32Array(found * 2));
        compounds[found] = begin;
        compounds[found + 1] = at;
        found += 2;
      }
      isCompound = false;
      capitals = 0;
      before = other;
    }
  }
  return found;
};

const other = 0;
const joint = 1;
const small = 2;
const capital = 3;
const digit = 4;
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (/[-_.]/.test(letter)) return joint;
  return /[a-z]/.test(letter) ? small : /[A-Z]/.test(letter) ? capital : /[0-9]/.test(letter) ? digit : other;
});

const kindOf = (unit: number): number => (unit < 128 ? (kinds[unit] ?? other) : other);

const unitsOf = openUnits();

const partsOfCompound = (compound: string, withJoined: boolean): readonly string[] => {
  // Hashes and tables of numbers have no parts.
  if (compound.length > maxCompound || !/[A-Za-z]{2}/.test(compound)) return [];
  const joined = compound.replace(/[-_.]/g, '');
  const joints = compound.length - joined.length;
  // `busy_timeout`: each part is one word.
  const inner = hasChange.test(compound) ? innerWords(compound) : joints < maxWordsOfOne ? [] : undefined;
  if (inner === undefined) return [];
  return withJoined && joints > 0 ? [joined.toLowerCase(), ...inner] : inner;
};

/** The words of those parts that consist of several; undefined if there are too many in all. */
const innerWords = (compound: string): readonly string[] | undefined => {
  const inner: string[] = [];
  let words = 0;
  let first = '';
  let ofPart = 0;
  for (const piece of compound.match(wordOrJoint) ?? []) {
    if (kinds[piece.charCodeAt(0)] === joint) {
      ofPart = 0;
      continue;
    }
    words += 1;
    ofPart += 1;
    if (ofPart === 1) first = piece;
    else {
      if (ofPart === 2 && first.length > 1) inner.push(first.toLowerCase());
      if (piece.length > 1) inner.push(piece.toLowerCase());
    }
  }
  return words > maxWordsOfOne ? undefined : inner;
};

const wordOrJoint = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[-_.]/g;
const hasChange = /[A-Z0-9]/;
const maxCompound = 64;
const maxWordsOfOne = 8;
/** Whether the word begins in such a script. */
export const isSpaceless = (word: string): boolean => beyondAscii.test(word) && patterns().starts.test(word);

/** A quick check: false for a text that has no character of such a script. */
const maySpaceless = (text: string): boolean => someSpaceless.test(text);

/** Runs of such characters without punctuation, at most 2,000 in each. */
const spacelessRuns = (text: string): Iterable<string> => runsOf(text);

function* runsOf(text: string): Generator<string> {
  for (const [run] of text.matchAll(patterns().run)) yield run;
}

/** Pairs of neighbours in a run; a single character alone. Without marks: the index's tokenizer ends a word there. */
const pairsOfRun = (run: string, most = Number.POSITIVE_INFINITY): readonly string[] => {
  const letters = [...run.replace(/\p{M}/gu, '')];
  if (letters.length === 1) return letters;
  return letters.slice(1, most + 1).map((letter, at) => `${letters[at] ?? ''}${letter}`);
};

/** The words by which a run is found: the run, with parts in such a script replaced by their pairs. */
export const splitSpaceless = (word: string): readonly string[] =>
  maySpaceless(word)
    ? [...word.matchAll(patterns().runOrNot)].flatMap(([part]) => (isSpaceless(part) ? pairsOfRun(part) : [part]))
    : [word];

const someSpaceless = /[\u0e00-\u11ff\u1780-\u17ff\u19e0-\u19ff\u2e80-\ud8ff\uf900-\ufaff\uff00-\uffef]/;

const scripts = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;

type Patterns = { readonly starts: RegExp; readonly run: RegExp; readonly runOrNot: RegExp };

/** Built on first use: compiling the Unicode classes takes half a millisecond. */
let made: Patterns | undefined;
const patterns = (): Patterns => {
  made ??= {
    starts: new RegExp(`^[${scripts}]`, 'u'),
    run: new RegExp(String.raw`(?:(?!\p{P})[${scripts}ー]){1,2000}`, 'gu'),
    runOrNot: new RegExp(`[${scripts}ー]+|[^${scripts}ー]+`, 'gu'),
  };
  return made;
};
