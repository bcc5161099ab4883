/** Remembers the ids of a transcript as numbers of 53 bits: a set of the texts would take twice the memory. */
export class UuidSet {
  readonly #prints = new Set<number>();

  /** Returns false if the id was already there. Of a million ids, one in ten thousand runs mistakes one for another. */
  add(uuid: string): boolean {
    const print = printOf(uuid);
    if (this.#prints.has(print)) return false;
    this.#prints.add(print);
    return true;
  }

  has(uuid: string): boolean {
    return this.#prints.has(printOf(uuid));
  }
}

const printOf = (text: string): number => {
  let a = text.length ^ 0x9e3779b9;
  let b = text.length ^ 0x85ebca6b;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul((b << 13) | (b >>> 19), 5) + unit;
  }
  return mixBits(a ^ Math.imul(b, 0xc2b2ae35)) * 2 ** 21 + (mixBits(b ^ Math.imul(a, 0x27d4eb2f)) >>> 11);
};

const mixBits = (bits: number): number => {
  const mixed = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  return (Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b) ^ (mixed >>> 16)) >>> 0;
};
