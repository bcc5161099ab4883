/** The three-way merge of two texts by lines, in bounded time. Pure. */
import { diff3Merge } from 'node-diff3';
import { countSteps, maxSteps, splitLines } from './line-diff.js';

/** Lines that both sides agree on or one side changed, or what each has where both changed; lines keep their ends. */
export type MergedPart = { readonly kind: 'merged'; readonly lines: readonly string[] } | Clash;

export type Clash = {
  readonly kind: 'clash';
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
};

/**
 * Comparing takes the cube of how often a line repeats: past a bound all between the first and the last change is taken for
 * a clash, so that a text of blank lines holds up nobody.
 */
export const mergeLines = (base: string, ours: string, theirs: string): readonly MergedPart[] => {
  const texts = [splitLines(ours), splitLines(base), splitLines(theirs)] as const;
  const shortest = Math.min(...texts.map(({ length }) => length));
  const head = countEqual(texts, shortest, (_, at) => at);
  const tail = countEqual(texts, shortest - head, ({ length }, at) => length - 1 - at);
  const [a, o, b] = texts.map((lines) => lines.slice(head, lines.length - tail));
  const end = texts[0].slice(texts[0].length - tail);
  const middle = a === undefined || o === undefined || b === undefined ? [] : mergeMiddle(a, o, b);
  return [merged(texts[0].slice(0, head)), ...middle, merged(end)];
};

const merged = (lines: readonly string[]): MergedPart => ({ kind: 'merged', lines });

const mergeMiddle = (ours: string[], base: string[], theirs: string[]): readonly MergedPart[] => {
  if (countSteps(base, ours) + countSteps(base, theirs) > maxSteps) return [{ kind: 'clash', base, ours, theirs }];
  return diff3Merge(ours, base, theirs, { excludeFalseConflicts: true }).map((part) =>
    part.ok === undefined
      ? {
          kind: 'clash',
          base: part.conflict?.o ?? [],
          ours: part.conflict?.a ?? [],
          theirs: part.conflict?.b ?? [],
        }
      : merged(part.ok),
  );
};

const countEqual = (
  texts: readonly (readonly string[])[],
  most: number,
  indexOf: (lines: readonly string[], at: number) => number,
): number => {
  let count = 0;
  while (count < most && new Set(texts.map((lines) => lines[indexOf(lines, count)])).size === 1) count += 1;
  return count;
};
