/** Numbers words in order of addition, and looks them up in place: strings would take longer than all else. Pure. */

/** FNV-1a, 32 bits, over UTF-16 units. */
export const hashUnit = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);
export const hashOfNothing = 0x811c9dc5 | 0;
export const hashOf = (text: string): number => {
  let hash = hashOfNothing;
  for (let at = 0; at < text.length; at += 1) hash = hashUnit(hash, text.charCodeAt(at));
  return hash;
};

/** An ASCII capital as its small letter, every other unit unchanged. */
const smallUnit = (unit: number): number => (unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit);

const firstPlaces = 1024;

/** Grows by doubling, so that reading a few words costs little. */
export class WordTable {
  #size = 0;
  /** A hash table with linear probing: a word's number plus 1, or 0 for a free place. At most half are taken. */
  #places = new Int32Array(firstPlaces);
  #hashes = new Int32Array(firstPlaces / 2);
  /** Where each word's units begin; the next word's begin where they end. */
  #begins = new Int32Array(firstPlaces / 2 + 1);
  #units = new Uint16Array(firstPlaces * 4);

  /** How many words there are: the number of the next one. */
  get size(): number {
    return this.#size;
  }

  /** UTF-16 units of all words together. */
  get units(): number {
    return this.#begins[this.#size] ?? 0;
  }

  /** The number of the word at a place of the text, -1 if it is unknown. The hash is `hashUnit` over its units. */
  find(text: Uint16Array, begin: number, end: number, hash: number): number {
    const places = this.#places;
    const hashes = this.#hashes;
    const last = places.length - 1;
    for (let looked = 0; ; looked += 1) {
      const number = (places[(spread(hash) + looked) & last] ?? 0) - 1;
      if (number === -1 || (hashes[number] === hash && this.#isAt(number, text, begin, end))) return number;
    }
  }

  /** Adds a word that `find` does not know and returns its number. */
  add(text: Uint16Array, begin: number, end: number, hash: number): number {
    if (this.#size === this.#hashes.length) this.#grow();
    const number = this.#size;
    const first = this.units;
    const beyond = first + end - begin;
    const { length } = this.#units;
    if (beyond > length) this.#units = longer(this.#units, new Uint16Array(Math.max(beyond, length * 2)));
    for (let at = begin; at < end; at += 1) this.#units[first + at - begin] = smallUnit(text[at] ?? 0);
    this.#hashes[number] = hash;
    this.#begins[number + 1] = beyond;
    this.#places[this.#freePlace(hash)] = number + 1;
    this.#size += 1;
    return number;
  }

  /** The word, ASCII letters in lower case. */
  wordAt(number: number): string {
    let word = '';
    const end = this.#begins[number + 1] ?? 0;
    for (let at = this.#begins[number] ?? 0; at < end; at += 1) word += String.fromCharCode(this.#units[at] ?? 0);
    return word;
  }

  clear(): void {
    this.#size = 0;
    this.#places.fill(0);
  }

  #isAt(number: number, text: Uint16Array, begin: number, end: number): boolean {
    const units = this.#units;
    const first = this.#begins[number] ?? 0;
    if ((this.#begins[number + 1] ?? 0) - first !== end - begin) return false;
    for (let at = begin; at < end; at += 1) if (units[first + at - begin] !== smallUnit(text[at] ?? 0)) return false;
    return true;
  }

  #freePlace(hash: number): number {
    const last = this.#places.length - 1;
    let place = spread(hash) & last;
    while (this.#places[place] !== 0) place = (place + 1) & last;
    return place;
  }

  #grow(): void {
    const length = this.#places.length * 2;
    this.#places = new Int32Array(length);
    this.#hashes = longer(this.#hashes, new Int32Array(length / 2));
    this.#begins = longer(this.#begins, new Int32Array(length / 2 + 1));
    for (let number = 0; number < this.#size; number += 1)
      this.#places[this.#freePlace(this.#hashes[number] ?? 0)] = number + 1;
  }
}

/** Mixes in higher bits: the lowest bits of this hash depend only on the lowest bits of the letters. */
const spread = (hash: number): number => hash ^ (hash >>> 15);

/** UTF-16 units of a text, until the next call, perhaps with more behind: asking a string takes five times as long. */
type ReadUnits = (text: string) => Uint16Array;

export const openUnits = (): ReadUnits => {
  let bytes = Buffer.alloc(0);
  let units = new Uint16Array(0);
  return (text) => {
    if (units.length < text.length) {
      units = new Uint16Array(Math.max(64, text.length * 2));
      bytes = Buffer.from(units.buffer);
    }
    if (isLittleEndian && text.length > fewUnits) bytes.write(text, 'utf16le');
    else for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
    return units;
  };
};

/** Up to this length a loop is as fast as calling into Node. */
const fewUnits = 48;

export const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

export const longer = <Numbers extends Int32Array | Uint16Array | Uint32Array>(from: Numbers, to: Numbers): Numbers => {
  to.set(from);
  return to;
};
