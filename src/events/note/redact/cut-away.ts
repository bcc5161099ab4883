/** A text without the stretches that a pattern matches, and where each of its characters stood. Pure; linear in the text. */

export type CutAway = {
  readonly pieces: readonly string[];
  /** Where each piece begins in the text that is left. */
  readonly leftStarts: readonly number[];
  /** Where each piece begins in the whole text. */
  readonly starts: readonly number[];
  /** Length of what is left. */
  readonly left: number;
  /** Where the last match ends; 0 without any. */
  readonly lastEnd: number;
};

export const cutAway = (text: string, pattern: RegExp): CutAway => {
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
  for (const { 0: match, index } of text.matchAll(pattern)) {
    add(index);
    at = index + match.length;
  }
  const lastEnd = at;
  add(text.length);
  return { pieces, leftStarts, starts, left, lastEnd };
};

/** The index of the last of the sorted numbers that is not greater. */
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
