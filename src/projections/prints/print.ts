/** The print of a note: its words in their order, 4 bytes each, for what BM25 does not see: how near words stand. Pure. */
import { stemmer } from 'stemmer';
import { isLittleEndian, longer, openUnits } from '../text-units.js';
import { foldWord } from './fold-word.js';
import { readWords } from './read-words.js';
import { isCorrectable } from './word-form.js';
import { hashOf, openWordTable } from './word-table.js';

/** Upper 22 bits from the word's stem, lower 10 from the word itself; two stems look alike once in 4 million. */
export type PrintWord = number;

/** A place between two parts of a note, across which no words are near each other. */
export const gap: PrintWord = 0;

/** Words of each part that are kept: a long body is told by its beginning. */
const maxWords = 2000;

/** Words of some notes, to which a note adds those that it has first. */
export type WordList = string[];

/**
 * Notes share most of their words: what goes to another thread names each once, and says of a note which of them it has. Whoever
 * takes it over there puts the list in again.
 */
export type ListedWords = { list: readonly string[]; readonly places: readonly number[] };

export type NoteWords = {
  /** Little-endian 32-bit words, those of a part behind those of the part before. */
  readonly print: Buffer;
  /** Distinct words that the vocabulary takes. */
  readonly words: ListedWords;
};

/** Linear. Both at once, because finding a word among those that are known costs more than all else here. */
export const readNoteWords = (parts: readonly string[], list: WordList): NoteWords => {
  const places: number[] = [];
  reading += 1;
  if (list !== listed) {
    listed = list;
    firstReading = reading;
  }
  // Between two notes only: within one, a word would count twice.
  if (known.size() >= maxKnown || known.units() >= maxKnownUnits || known.isCrowded()) forgetWords();
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

/** The print that is being made: a thread makes one at a time. */
let print = new Uint32Array(4096);

const toBytes = (length: number): Buffer => {
  const bytes = Buffer.from(print.buffer.slice(0, length * 4));
  return isLittleEndian ? bytes : bytes.swap32();
};

export const printOf = (parts: readonly string[]): Buffer => readNoteWords(parts, []).print;

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

/** The number of a print's first part (0 title, 1 body, 2 tags and keywords): 1 if the title has no words, and so no part. */
export const firstPartOf = (print: Uint32Array): number => {
  const first = print.indexOf(gap);
  return first === -1 || print.indexOf(gap, first + 1) === -1 ? 1 : 0;
};

const unitsOf = openUnits();

/** Of one word, as `splitWords` gives it. */
export const printWordOf = (word: string): PrintWord => {
  const folded = foldWord(word);
  return prints[knownWord(unitsOf(folded), 0, folded.length, hashOf(folded))] ?? 0;
};

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

/** A text repeats its words, and a stem takes twenty times as long as a look-up. What is known of each, by its number: */
const known = openWordTable();
const maxKnown = 100_000;
const maxKnownUnits = 4_000_000;
const prints: PrintWord[] = [];
/** The word itself where the vocabulary takes it. */
const correctable: (string | undefined)[] = [];
/** The last note that it was read in. */
const readings: number[] = [];
let reading = 0;
/** The list that was last added to, and the first note that was; of a word read since, where it stands there. */
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
