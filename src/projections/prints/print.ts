/** The print of a note: its words in their order, 4 bytes each, for what BM25 does not see: how near words stand. Pure. */
import { stemmer } from 'stemmer';

/** Upper 22 bits from the word's stem, lower 10 from the word itself; two stems look alike once in 4 million. */
export type PrintWord = number;

/** A place between two parts of a note, across which no words are near each other. */
export const gap: PrintWord = 0;

/** Words of each part that are kept: a long body is told by its beginning. */
const maxWords = 2000;

/** Little-endian 32-bit words, those of a part behind those of the part before. Linear. */
export const printOf = (parts: readonly string[]): Buffer => {
  const words: PrintWord[] = [];
  for (const part of parts) {
    if (words.length > 0) words.push(gap);
    const before = words.length;
    if (!readPlain(part, words)) {
      words.length = before;
      readAny(part, words);
    }
  }
  const print = Buffer.allocUnsafe(words.length * 4);
  words.forEach((word, at) => {
    print.writeUInt32LE(word, at * 4);
  });
  return print;
};

/** The words of a print, whatever memory it lies in. */
export const wordsOfPrint = (print: Buffer): Uint32Array => {
  const words = new Uint32Array(print.length >> 2);
  for (let at = 0; at < words.length; at += 1) words[at] = print.readUInt32LE(at * 4);
  return words;
};

/** Of one word, as `splitWords` gives it. */
export const printWordOf = (word: string): PrintWord => wordFor(fold(word));

export const stemOf = (word: PrintWord): number => word >>> 10;

/** ASCII characters that a word may have, in lower case. */
const isWordCode = Uint8Array.from({ length: 128 }, (_, code) => (/[a-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0));

/** False where the text has a letter beyond ASCII. Most text has none, and is read five times faster here. */
const readPlain = (text: string, words: PrintWord[]): boolean => {
  const most = words.length + maxWords;
  const lower = text.toLowerCase();
  let begin = -1;
  for (let at = 0; at <= lower.length; at += 1) {
    const code = at < lower.length ? lower.charCodeAt(at) : 0;
    // Dashes, quotation marks and dots beyond ASCII separate words as those in it do.
    if (code >= 128 && (code < 0x2010 || code > 0x2027)) return false;
    if (code < 128 && isWordCode[code] === 1) {
      if (begin === -1) begin = at;
    } else if (begin !== -1) {
      words.push(wordFor(lower.slice(begin, at)));
      if (words.length === most) return true;
      begin = -1;
    }
  }
  return true;
};

const readAny = (text: string, words: PrintWord[]): void => {
  const most = words.length + maxWords;
  for (const [word] of text.matchAll(/[\p{L}\p{N}\p{M}\p{Co}]+/gu)) {
    words.push(printWordOf(word));
    if (words.length === most) return;
  }
};

/** As the index's tokenizer does: lower case, without diacritics. */
const fold = (word: string): string => word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');

/** A text repeats its words, and a stem takes twenty times as long as a look-up. */
const known = new Map<string, PrintWord>();
const maxKnown = 100_000;

const wordFor = (folded: string): PrintWord => {
  const found = known.get(folded);
  if (found !== undefined) return found;
  const stem = /^[a-z]{3,}$/.test(folded) ? stemmer(folded) : folded;
  const word = ((hashOf(stem) << 10) | (hashOf(folded) & 0x3ff)) >>> 0 || 1;
  if (known.size >= maxKnown) known.clear();
  known.set(folded, word);
  return word;
};

/** FNV-1a, 32 bits, over UTF-16 units. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
};
