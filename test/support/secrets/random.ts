/** Seeded random choices, so that a failure can be repeated. */
export type Random = {
  /** An integer from `least` to `most`. */
  int(least: number, most: number): number;
  pick<T>(list: readonly T[]): T;
  /** Random characters of the alphabet: a fixed number, or between a least and a most. */
  chars(alphabet: string, length: number | readonly [number, number]): string;
  bytes(length: number): Buffer;
};

export const lower = 'abcdefghijklmnopqrstuvwxyz';
export const upper = lower.toUpperCase();
export const digits = '0123456789';
export const hexDigits = `${digits}abcdef`;
export const alnum = digits + upper + lower;
export const urlSafe = `${alnum}_-`;
export const base64 = `${alnum}+/`;

/** mulberry32. */
export const seeded = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    int,
    pick: (list) => list[int(0, list.length - 1)] as (typeof list)[number],
    chars: (alphabet, length) => {
      const count = typeof length === 'number' ? length : int(length[0], length[1]);
      return Array.from({ length: count }, () => alphabet[int(0, alphabet.length - 1)]).join('');
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => int(0, 255))),
  };
};

export const uuid = (random: Random): string => {
  const hex = random.chars(hexDigits, 32);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
};

/** A password as made by a person or a password manager: 8 to 20 characters, with letters and a digit. */
export const password = (random: Random): string => {
  switch (random.int(0, 3)) {
    case 0:
      return `${random.pick(['Winter', 'Summer', 'Dragon', 'Falcon', 'Orange', 'Copper'])}${random.pick(['!', '#', '-', '_', '$', '@'])}${random.int(11, 9999)}${random.chars(lower, 2)}`;
    case 1:
      return `${random.chars(lower, 3)}${random.chars(alnum, [6, 14])}${random.int(0, 9)}${random.chars(upper, 1)}`;
    case 2:
      return `${random.chars(alnum, 4)}${random.pick(['!', '#', '%', '*', '+', '~'])}${random.chars(alnum, [5, 10])}${random.int(0, 9)}`;
    default:
      return `${random.chars(upper, 1)}${random.chars(lower, 3)}${random.int(10, 99)}${random.pick(['!', '-', '.', '_'])}${random.chars(upper, 1)}${random.chars(lower, 4)}${random.int(0, 9)}`;
  }
};
