/** The print of a note: its words in order, 4 bytes each, to tell how near words are, which BM25 ignores. Pure. */
import { stemmer } from 'stemmer';
import { foldWord, isCorrectable, readWords } from './read-words.js';
import { hashOf, isLittleEndian, longer, openUnits, WordTable } from './word-table.js';

/** Upper 22 bits from the word's stem, lower 10 from the word itself; two stems collide once in 4 million. */
export type PrintWord = number;

/** Separates two parts of a note: no words are near each other across it. */
export const gap: PrintWord = 0;

/** Words kept of each part: the beginning stands for a long body. */
const maxWords = 2000;

/** Words of several notes; each note appends the words that it is the first to have. */
export type WordList = string[];

/** Rows for another thread name each word once, in `list`, and per note only places. The receiver sets `list` again. */
export type ListedWords = { list: readonly string[]; readonly places: readonly number[] };

export type NoteWords = {
  /** Little-endian 32-bit words, one part after the other. */
  readonly print: Buffer;
  /** Distinct words that belong in the vocabulary. */
  readonly words: ListedWords;
};

/** Reads print and vocabulary words in one pass, because looking up a word costs more than the rest. Linear. */
export const readNoteWords = (parts: readonly string[], list: WordList): NoteWords => {
  const places: number[] = [];
  reading += 1;
  if (list !== listed) {
    listed = list;
    firstReading = reading;
  }
  // Only between two notes: within one, a word would count twice.
  if (known.size >= maxKnown || known.units >= maxKnownUnits) forgetWords();
  let length = 0;
  for (const part of parts) {
    if (length > 0) {
      print[length] = gap;
      length += 1;
    }
    const most = length + maxWords;
    if (print.length <= most) print = longer(print, new Uint32Array(2 * most));
    readWords(part, (text, begin, end, hash) => {
      const number = knownWord(text, begin, end, hash);
      const last = readings[number] ?? 0;
      if (last !== reading) {
        readings[number] = reading;
        const word = correctable[number];
        if (word !== undefined) {
          if (last < firstReading) listPlaces[number] = list.push(word) - 1;
          places.push(listPlaces[number] ?? 0);
        }
      }
      print[length] = prints[number] ?? 0;
      length += 1;
      return length < most;
    });
  }
  return { print: toBytes(length), words: { list, places } };
};

/** The print being built: a thread builds one at a time. */
let print = new Uint32Array(4096);

const toBytes = (length: number): Buffer => {
  const bytes = Buffer.from(print.buffer.slice(0, length * 4));
  return isLittleEndian ? bytes : bytes.swap32();
};

export const printOf = (parts: readonly string[]): Buffer => readNoteWords(parts, []).print;

/** The words of a print, however its memory is aligned. */
export const wordsOfPrint = (print: Buffer): Uint32Array => {
  // The usual case: for 50 prints, each copy would be memory to allocate and free.
  if (isLittleEndian && print.byteOffset % 4 === 0)
    return new Uint32Array(print.buffer, print.byteOffset, print.length >> 2);
  const bytes = new Uint8Array(print.length & ~3);
  bytes.set(print.subarray(0, bytes.length));
  if (!isLittleEndian) Buffer.from(bytes.buffer).swap32();
  return new Uint32Array(bytes.buffer);
};

/** The print's first part (0 title, 1 body, 2 tags and keywords): 1 if the title has no words, and so no part. */
export const firstPartOf = (print: Uint32Array): number => {
  const first = print.indexOf(gap);
  return first === -1 || print.indexOf(gap, first + 1) === -1 ? 1 : 0;
};

const unitsOf = openUnits();

export const printWordOf = (word: string): PrintWord => {
  const folded = foldWord(word);
  return prints[knownWord(unitsOf(folded), 0, folded.length, hashOf(folded))] ?? 0;
};

export const stemOf = (word: PrintWord): number => word >>> 10;

export const stemWord = (word: string): string => stemmer(word);

/** 1 at the last 12 bits of each of a few stems. Nearly every word fails it; a map would take ten times as long. */
export const sieveOf = (stems: Iterable<number>): Uint8Array => {
  const sieve = new Uint8Array(sieveBits + 1);
  for (const stem of stems) sieve[stem & sieveBits] = 1;
  return sieve;
};

export const passes = (sieve: Uint8Array, word: PrintWord): boolean => sieve[stemOf(word) & sieveBits] === 1;

const sieveBits = 0xfff;

/** Texts repeat their words, and stemming takes twenty times as long as a lookup. The arrays below go by number. */
const known = new WordTable();
const maxKnown = 100_000;
const maxKnownUnits = 4_000_000;
const prints: PrintWord[] = [];
/** The word itself if it belongs in the vocabulary. */
const correctable: (string | undefined)[] = [];
/** The last note in which the word was read. */
const readings: number[] = [];
let reading = 0;
/** The list last appended to, the first note that used it, and the place there of each word read since. */
let listed: WordList | undefined;
let firstReading = 0;
const listPlaces: number[] = [];

const knownWord = (text: Uint16Array, begin: number, end: number, hash: number): number => {
  const found = known.find(text, begin, end, hash);
  if (found !== -1) return found;
  const number = known.add(text, begin, end, hash);
  const word = known.wordAt(number);
  const stemHash = /^[a-z]{3,}$/.test(word) ? hashOf(stemmer(word)) : hash;
  prints.push(((stemHash << 10) | (hash & 0x3ff)) >>> 0 || 1);
  correctable.push(isCorrectable(word) ? word : undefined);
  readings.push(0);
  listPlaces.push(0);
  return number;
};

const forgetWords = (): void => {
  known.clear();
  for (const list of [prints, correctable, readings, listPlaces]) list.length = 0;
};
