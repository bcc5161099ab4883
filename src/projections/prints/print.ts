/** The print of a note: its words in their order, 4 bytes each, for what BM25 does not see: how near words stand. Pure. */
import { stemmer } from 'stemmer';
import { foldWord } from './fold-word.js';
import { readWords } from './read-words.js';
import { isCorrectable } from './word-form.js';

/** Upper 22 bits from the word's stem, lower 10 from the word itself; two stems look alike once in 4 million. */
export type PrintWord = number;

/** A place between two parts of a note, across which no words are near each other. */
export const gap: PrintWord = 0;

/** Words of each part that are kept: a long body is told by its beginning. */
const maxWords = 2000;

export type NoteWords = {
  /** Little-endian 32-bit words, those of a part behind those of the part before. */
  readonly print: Buffer;
  /** Distinct words that the vocabulary takes. */
  readonly words: readonly string[];
};

/** Linear. Both at once, because finding a word in a map costs more than all else here. */
export const readNoteWords = (parts: readonly string[]): NoteWords => {
  const prints: PrintWord[] = [];
  const words: string[] = [];
  reading += 1;
  // Between two notes only: within one, a word would count twice.
  if (known.size >= maxKnown) known.clear();
  for (const part of parts) {
    if (prints.length > 0) prints.push(gap);
    const most = prints.length + maxWords;
    readWords(part, (text) => {
      const known = knownWord(text);
      if (known.lastReading !== reading) {
        known.lastReading = reading;
        if (known.isCorrectable) words.push(known.word);
      }
      return prints.push(known.print) < most;
    });
  }
  return { print: toBytes(prints), words };
};

export const printOf = (parts: readonly string[]): Buffer => readNoteWords(parts).print;

const toBytes = (prints: readonly PrintWord[]): Buffer => {
  const bytes = Buffer.allocUnsafe(prints.length * 4);
  prints.forEach((print, at) => {
    bytes.writeUInt32LE(print, at * 4);
  });
  return bytes;
};

/** The words of a print, whatever memory it lies in. */
export const wordsOfPrint = (print: Buffer): Uint32Array => {
  // The usual case, and of 50 prints each copy is memory that has to be found and freed.
  if (isLittleEndian && print.byteOffset % 4 === 0)
    return new Uint32Array(print.buffer, print.byteOffset, print.length >> 2);
  const bytes = new Uint8Array(print.length & ~3);
  bytes.set(print.subarray(0, bytes.length));
  if (!isLittleEndian) Buffer.from(bytes.buffer).swap32();
  return new Uint32Array(bytes.buffer);
};
const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** The number of a print's first part (0 title, 1 body, 2 tags and keywords): 1 if the title has no words, and so no part. */
export const firstPartOf = (print: Uint32Array): number => {
  const first = print.indexOf(gap);
  return first === -1 || print.indexOf(gap, first + 1) === -1 ? 1 : 0;
};

/** Of one word, as `splitWords` gives it. */
export const printWordOf = (word: string): PrintWord => knownWord(foldWord(word)).print;

export const stemOf = (word: PrintWord): number => word >>> 10;

/** Of a word in lower case, spelt out. */
export const stemWord = (word: string): string => stemmer(word);

/**
 * Which of a few stems may stand at a place of a print: 1 at the last 12 bits of each. Nearly every word of a note is none of
 * them, and finding that in a map takes ten times as long.
 */
export const sieveOf = (stems: Iterable<number>): Uint8Array => {
  const sieve = new Uint8Array(sieveBits + 1);
  for (const stem of stems) sieve[stem & sieveBits] = 1;
  return sieve;
};

export const passes = (sieve: Uint8Array, word: PrintWord): boolean => sieve[stemOf(word) & sieveBits] === 1;

const sieveBits = 0xfff;

type KnownWord = {
  readonly word: string;
  readonly print: PrintWord;
  readonly isCorrectable: boolean;
  /** The last note that it was read in. */
  lastReading: number;
};

/** A text repeats its words, and a stem takes twenty times as long as a look-up. */
const known = new Map<string, KnownWord>();
const maxKnown = 100_000;
let reading = 0;

const knownWord = (folded: string): KnownWord => {
  const found = known.get(folded);
  if (found !== undefined) return found;
  const stem = /^[a-z]{3,}$/.test(folded) ? stemmer(folded) : folded;
  const print = ((hashOf(stem) << 10) | (hashOf(folded) & 0x3ff)) >>> 0 || 1;
  const made = { word: folded, print, isCorrectable: isCorrectable(folded), lastReading: 0 };
  known.set(folded, made);
  return made;
};
/** FNV-1a, 32 bits, over UTF-16 units. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
};
