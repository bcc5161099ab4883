/** Cuts stretches out of a text and records where the remaining pieces were. Pure; linear in the text. */

/** A half-open range in UTF-16 units. */
export type Stretch = { readonly start: number; readonly end: number };

export type RemainingText = {
  readonly pieces: readonly string[];
  /** Where each piece begins in the remaining text. */
  readonly leftStarts: readonly number[];
  /** Where each piece begins in the whole text. */
  readonly starts: readonly number[];
  /** Length of the remaining text. */
  readonly left: number;
  /** Where the last stretch ends; 0 without any. */
  readonly lastEnd: number;
};

/** The stretches must be sorted and disjoint. */
export const removeStretches = (text: string, stretches: Iterable<Stretch>): RemainingText => {
  const pieces: string[] = [];
  const leftStarts: number[] = [];
  const starts: number[] = [];
  let left = 0;
  let at = 0;
  const add = (end: number): void => {
    if (end === at) return;
    pieces.push(text.slice(at, end));
    leftStarts.push(left);
    starts.push(at);
    left += end - at;
  };
  for (const { start, end } of stretches) {
    add(start);
    at = end;
  }
  const lastEnd = at;
  add(text.length);
  return { pieces, leftStarts, starts, left, lastEnd };
};

/** Returns the index of the last of the sorted numbers that is not greater than `value`; 0 if there is none. */
export const lastNotAfter = (sorted: readonly number[], value: number): number => {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
};
