/** Random choices that a seed repeats. */

export type Random = {
  /** An integer from 0 to `most` - 1. */
  below(most: number): number;
  chance(share: number): boolean;
  /** Picks one item of a list that is not empty. */
  pick<Item>(items: readonly Item[]): Item;
  /** Picks a key of the table, with a chance in proportion to its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
};

/** Mulberry32: 32 bits of state are plenty for some thousand choices. */
export const seededRandom = (seed: number): Random => {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most: number): number => Math.floor(next() * most);
  return {
    below,
    chance: (share) => next() < share,
    pick: (items) => items[below(items.length)]!,
    weighted(weights) {
      const names = Object.keys(weights) as (keyof typeof weights)[];
      let left = next() * names.reduce((sum, name) => sum + weights[name], 0);
      for (const name of names) {
        left -= weights[name];
        if (left < 0) return name;
      }
      return names.at(-1)!;
    },
  };
};
