/** Remembers the ids of a transcript in a few bytes each; a Set of strings would take a hundred. */

export type UuidSet = {
  /**
   * Returns false if the id was already there. Mistakes a new id for a known one in one of a thousand transcripts with
   * a million lines.
   */
  readonly add: (uuid: string) => boolean;
  readonly has: (uuid: string) => boolean;
};

/**
 * Slots of the tables, each allocated when the one before is full, so that nothing is ever copied. Together they take 9
 * MiB and hold 1.8 million ids; later ids are not remembered.
 */
const tableSizes: readonly number[] = [2 ** 14, 2 ** 16, 2 ** 18, 2 ** 20, 2 ** 20];

type Table = { readonly slots: Uint32Array; count: number };

export const startUuidSet = (): UuidSet => {
  const tables: Table[] = [];

  const isIn = (print: number, place: number): boolean =>
    tables.some(({ slots }) => slots[findSlot(slots, print, place)] === print);

  /** Returns the table with room; tables are at most three quarters full, so that probing stays short. */
  const roomyTable = (): Table | undefined => {
    const last = tables.at(-1);
    if (last !== undefined && last.count * 4 < last.slots.length * 3) return last;
    const size = tableSizes[tables.length];
    if (size === undefined) return undefined;
    const table = { slots: new Uint32Array(size), count: 0 };
    tables.push(table);
    return table;
  };

  return {
    add: (uuid) => {
      const [print, place] = hashText(uuid);
      if (isIn(print, place)) return false;
      const table = roomyTable();
      if (table === undefined) return true;
      table.slots[findSlot(table.slots, print, place)] = print;
      table.count += 1;
      return true;
    },
    has: (uuid) => isIn(...hashText(uuid)),
  };
};

/** Returns the slot that holds the fingerprint, or the free slot where it belongs. */
const findSlot = (slots: Uint32Array, print: number, place: number): number => {
  const mask = slots.length - 1;
  let slot = place & mask;
  while (slots[slot] !== 0 && slots[slot] !== print) slot = (slot + 1) & mask;
  return slot;
};

/** Hashes the text to a fingerprint and a place of 32 bits each, in two different ways. */
const hashText = (text: string): readonly [print: number, place: number] => {
  let a = text.length ^ 0x9e3779b9;
  let b = text.length ^ 0x85ebca6b;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul((b << 13) | (b >>> 19), 5) + unit;
  }
  const place = mixBits(b ^ Math.imul(a, 0x27d4eb2f));
  // Zero marks a free slot.
  return [mixBits(a ^ Math.imul(b, 0xc2b2ae35)) || 1, place];
};

const mixBits = (bits: number): number => {
  const mixed = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  return (Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b) ^ (mixed >>> 16)) >>> 0;
};
