/** BERT's WordPiece: turns text into a vocabulary's rows, as Hugging Face's tokenizers do. Pure; linear in the text. */
import { normalForm } from '../events/normal-form.js';
import { hashSeed, hashStep, maxProbes, type Vocabulary } from './installed-form.js';

/** Row of a word that is unknown, as a whole or in one of its parts. */
export const unknownRow = -1;

/** The rows of at most `most` tokens, in the order of the text; `unknownRow` stands for an unknown word. */
export const tokenize = (vocabulary: Vocabulary, text: string, most = Number.POSITIVE_INFINITY): number[] => {
  const lower = vocabulary.tokenisation.lowerCase ? text.toLowerCase() : text;
  const rows: number[] = [];
  // Positions in both texts agree unless a letter becomes two.
  if (lower.length !== text.length) addOdd(vocabulary, text, rows);
  else addAll(vocabulary, text, lower, most, rows);
  if (rows.length > most) rows.length = most;
  return rows;
};

/** Only words with a character beyond ASCII have to be normalised, and few of these by Unicode's tables. */
const addAll = (vocabulary: Vocabulary, text: string, lower: string, most: number, rows: number[]): void => {
  let begin = -1;
  let oddest = letter;
  let hash = hashSeed;
  for (let at = 0; at <= lower.length && rows.length < most; at += 1) {
    const unit = at < lower.length ? lower.charCodeAt(at) : 0x20;
    const kind = kindOf(unit);
    if (kind >= letter) {
      if (begin === -1) begin = at;
      hash = hashStep(hash, unit);
      if (kind > oddest) oddest = kind;
      continue;
    }
    if (begin !== -1) {
      if (oddest === letter) addWord(vocabulary, lower, begin, at, hash, rows);
      else if (oddest === accented) addAccented(vocabulary, text.slice(begin, at), rows);
      else addOdd(vocabulary, text.slice(begin, at), rows);
    }
    if (kind === punctuation) addWord(vocabulary, lower, at, at + 1, hashStep(hashSeed, unit), rows);
    begin = -1;
    oddest = letter;
    hash = hashSeed;
  }
};

/** Adds one word of Latin letters, with the same result as `normalise`. */
const addAccented = (vocabulary: Vocabulary, word: string, rows: number[]): void => {
  const { lowerCase, stripAccents } = vocabulary.tokenisation;
  const plain = stripAccents ? word.normalize('NFD').replace(/[\u0300-\u036f]/g, '') : word;
  addWhole(vocabulary, lowerCase ? plain.toLowerCase() : plain, rows);
};

const addOdd = (vocabulary: Vocabulary, text: string, rows: number[]): void => {
  const normal = normalise(text, vocabulary);
  for (const [word] of normal.matchAll(words)) addWhole(vocabulary, word, rows);
};

const addWhole = (vocabulary: Vocabulary, word: string, rows: number[]): void => {
  let hash = hashSeed;
  for (let at = 0; at < word.length; at += 1) hash = hashStep(hash, word.charCodeAt(at));
  addWord(vocabulary, word, 0, word.length, hash, rows);
};

const space = 1;
const punctuation = 2;
const letter = 3;
/** A Latin letter with a mark; × and ÷ count as such too. */
const accented = 4;
/** Any other character that isn't white space or punctuation. It may have to be normalised. */
const odd = 5;

/** Kind of each UTF-16 unit; 0 until it is first seen. */
const kinds = new Uint8Array(65_536);

const kindOf = (unit: number): number => kinds[unit] || learnKind(unit);

const learnKind = (unit: number): number => {
  const kind = quickKind(unit) ?? kindByClass(unit);
  kinds[unit] = kind;
  return kind;
};

/** Recognises common quotes, dashes and accented letters without a Unicode class pattern, which is slow to compile. */
const quickKind = (unit: number): number | undefined => {
  if (unit >= 0xc0 && unit <= 0x17f) return accented;
  return unit >= 0x2010 && unit <= 0x2027 ? punctuation : undefined;
};

const kindByClass = (unit: number): number => {
  const char = String.fromCharCode(unit);
  const isPunctuation =
    unit < 128 ? /[!-/:-@[-`{-~]/.test(char) : /\p{P}/u.test(char) && char.normalize('NFD') === char;
  const isSpace = unit < 128 ? /[ \t\n\r]/.test(char) : /\s/.test(char) && unit !== 0xfeff;
  const isLetter = unit > 32 && unit < 127;
  return isPunctuation ? punctuation : isSpace ? space : isLetter ? letter : odd;
};

/** A punctuation character, including all ASCII symbols, or a run of characters between those and white space. */
const words = /[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}]+/gu;

/** Control characters and the like; tab, line feed and return are white space. */
const unseen = /[^\P{C}\p{Cn}\t\n\r]|\ufffd/gu;
/** The blocks that BERT counts as Chinese characters, one of which begins 256 later than Unicode's. */
const chinese =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;

const normalise = (text: string, { tokenisation }: Vocabulary): string => {
  let normal = tokenisation.cleanText ? text.replace(unseen, '').replace(/\s/gu, ' ') : text;
  if (tokenisation.splitChinese) normal = normal.replace(chinese, ' $& ');
  if (tokenisation.stripAccents) normal = normalForm(normal, 'NFD').replace(/\p{Mn}/gu, '');
  // Lower-cases character by character: a sigma at the end of a word stays the common one.
  return tokenisation.lowerCase ? normal.replaceAll('Σ', 'σ').toLowerCase() : normal;
};

/** Hashes of the beginnings of the rest of a word. */
const hashes = new Int32Array(128);

/**
 * Adds the longest token that the word begins with, then continues with the rest; the word is unknown if no token fits.
 * `whole` is the hash of the whole word: most words are tokens.
 */
const addWord = (
  vocabulary: Vocabulary,
  text: string,
  begin: number,
  end: number,
  whole: number,
  rows: number[],
): void => {
  const { maxWordLength, prefix } = vocabulary.tokenisation;
  const first = rows.length;
  if (end - begin > maxWordLength && [...text.slice(begin, end)].length > maxWordLength) {
    rows.push(unknownRow);
    return;
  }
  const token = end - begin > hashes.length ? unknownRow : find(vocabulary, whole, '', text, begin, end);
  if (token !== unknownRow) {
    rows.push(token);
    return;
  }
  for (let from = begin; from < end; ) {
    const isFirst = from === begin;
    const longest = Math.min(end - from, hashes.length, vocabulary.longestToken - (isFirst ? 0 : prefix.length));
    let hash = hashSeed;
    if (!isFirst) for (let at = 0; at < prefix.length; at += 1) hash = hashStep(hash, prefix.charCodeAt(at));
    for (let at = 0; at < longest; at += 1) {
      hash = hashStep(hash, text.charCodeAt(from + at));
      hashes[at] = hash;
    }
    let row = unknownRow;
    let length = longest;
    for (; length > 0 && row === unknownRow; length -= 1)
      row = find(vocabulary, hashes[length - 1] ?? 0, isFirst ? '' : prefix, text, from, from + length);
    if (row === unknownRow) {
      rows.length = first;
      rows.push(unknownRow);
      return;
    }
    rows.push(row);
    from += length + 1;
  }
};

const find = (
  { table, begins, text: tokens }: Vocabulary,
  hash: number,
  prefix: string,
  text: string,
  begin: number,
  end: number,
): number => {
  const mask = table.length - 1;
  for (let probe = 0; probe < maxProbes; probe += 1) {
    const row = (table[(hash + probe) & mask] ?? 0) - 1;
    if (row === -1) return unknownRow;
    const at = begins[row] ?? 0;
    if ((begins[row + 1] ?? 0) - at !== prefix.length + end - begin) continue;
    let same = 0;
    while (same < prefix.length && tokens[at + same] === prefix.charCodeAt(same)) same += 1;
    if (same < prefix.length) continue;
    let unit = begin;
    while (unit < end && tokens[at + same] === text.charCodeAt(unit)) {
      unit += 1;
      same += 1;
    }
    if (unit === end) return row;
  }
  return unknownRow;
};
