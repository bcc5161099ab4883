/**
 * Numbers words in the order in which they are added. A word is looked up where it is in a text: making a string of
 * each, and its hash, takes longer than everything else done with it. Pure.
 */
import { longer } from '../text-units.js';

export type WordTable = {
  /** How many words there are: the number of the next one. */
  size(): number;
  /** UTF-16 units of all words together. */
  units(): number;
  /** The number of the word at a place of the text, -1 if it is unknown. The hash is `hashUnit` over its units. */
  find(text: Uint16Array, begin: number, end: number, hash: number): number;
  /** Adds a word that `find` does not know and returns its number. */
  add(text: Uint16Array, begin: number, end: number, hash: number): number;
  /** The word, ASCII letters in lower case. */
  wordAt(number: number): string;
  /**
   * Whether a lookup probed so many places that the text may have been crafted from words with one hash, each of which
   * takes longer to find. Call `clear` then.
   */
  isCrowded(): boolean;
  clear(): void;
};

/** FNV-1a, 32 bits, over UTF-16 units. */
export const hashUnit = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);
export const hashOfNothing = 0x811c9dc5 | 0;
export const hashOf = (text: string): number => {
  let hash = hashOfNothing;
  for (let at = 0; at < text.length; at += 1) hash = hashUnit(hash, text.charCodeAt(at));
  return hash;
};

/** An ASCII capital as its small letter, every other unit unchanged. */
export const smallUnit = (unit: number): number => (unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit);

/** Grows by doubling, so that reading a few words costs little. */
export const openWordTable = (): WordTable => {
  let size = 0;
  let isCrowded = false;
  /** A hash table with linear probing: a word's number plus 1, or 0 for a free place. At most half are taken. */
  let places = new Int32Array(firstPlaces);
  let hashes = new Int32Array(firstPlaces / 2);
  /** Where each word's units begin; the next word's begin where they end. */
  let begins = new Int32Array(firstPlaces / 2 + 1);
  let units = new Uint16Array(firstPlaces * 4);

  const isAt = (number: number, text: Uint16Array, begin: number, end: number): boolean => {
    const first = begins[number] ?? 0;
    if ((begins[number + 1] ?? 0) - first !== end - begin) return false;
    for (let at = begin; at < end; at += 1) if (units[first + at - begin] !== smallUnit(text[at] ?? 0)) return false;
    return true;
  };

  const freePlace = (hash: number): number => {
    const last = places.length - 1;
    let place = spread(hash) & last;
    while (places[place] !== 0) place = (place + 1) & last;
    return place;
  };

  const grow = (): void => {
    const length = places.length * 2;
    places = new Int32Array(length);
    hashes = longer(hashes, new Int32Array(length / 2));
    begins = longer(begins, new Int32Array(length / 2 + 1));
    for (let number = 0; number < size; number += 1) places[freePlace(hashes[number] ?? 0)] = number + 1;
  };

  return {
    size: () => size,
    units: () => begins[size] ?? 0,
    find(text, begin, end, hash) {
      const last = places.length - 1;
      for (let looked = 0; ; looked += 1) {
        const number = (places[(spread(hash) + looked) & last] ?? 0) - 1;
        if (looked === manyPlaces) isCrowded = true;
        if (number === -1 || (hashes[number] === hash && isAt(number, text, begin, end))) return number;
      }
    },
    add(text, begin, end, hash) {
      if (size === hashes.length) grow();
      const number = size;
      const first = begins[number] ?? 0;
      const beyond = first + end - begin;
      if (beyond > units.length) units = longer(units, new Uint16Array(Math.max(beyond, units.length * 2)));
      for (let at = begin; at < end; at += 1) units[first + at - begin] = smallUnit(text[at] ?? 0);
      hashes[number] = hash;
      begins[number + 1] = beyond;
      places[freePlace(hash)] = number + 1;
      size += 1;
      return number;
    },
    wordAt(number) {
      let word = '';
      const end = begins[number + 1] ?? 0;
      for (let at = begins[number] ?? 0; at < end; at += 1) word += String.fromCharCode(units[at] ?? 0);
      return word;
    },
    isCrowded: () => isCrowded,
    clear() {
      size = 0;
      isCrowded = false;
      places.fill(0);
    },
  };
};

const firstPlaces = 1024;
/** With half of the places taken, 100,000 words of any language probe no more than a third of these. */
const manyPlaces = 256;

/** Mixes in higher bits: the lowest bits of this hash depend only on the lowest bits of the letters. */
const spread = (hash: number): number => hash ^ (hash >>> 15);
