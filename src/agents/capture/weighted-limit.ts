/** Keeps a limited number of items across lists; drops those of least weight first, and of equal weight the oldest. */

export type WeightedLimit<One> = {
  /** Appends the item to the list that owns it, from which it may be removed again. */
  readonly put: (list: One[], one: One, weight: number) => void;
};

export const startWeightedLimit = <One>(most: number): WeightedLimit<One> => {
  let held: readonly { readonly list: One[]; readonly one: One; readonly weight: number }[] = [];
  return {
    put: (list, one, weight) => {
      list.push(one);
      held = [...held, { list, one, weight }];
      if (held.length <= most) return;
      const least = held.reduce((low, next) => (next.weight < low.weight ? next : low));
      held = held.filter((entry) => entry !== least);
      const at = least.list.indexOf(least.one);
      if (at !== -1) least.list.splice(at, 1);
    },
  };
};
