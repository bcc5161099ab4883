/** Merges two texts three-way by lines, in bounded time. Pure. */
import { diff3Merge } from 'node-diff3';
import { countSteps, maxSteps, splitLines } from './line-diff.js';

/** Lines that both sides agree on or one changed, or each side's lines where both changed; lines keep their ends. */
export type MergedPart = { readonly kind: 'merged'; readonly lines: readonly string[] } | Clash;

export type Clash = {
  readonly kind: 'clash';
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
};

/**
 * The end of the last line is merged separately, since many editors add one on saving: that does not count as a change
 * of the line, and the side that changed the end wins.
 *
 * Comparing takes time cubic in how often a line repeats: past a bound, everything between the first and the last
 * change is one clash, so that a text of blank lines does not stall a merge.
 */
export const mergeLines = (base: string, ours: string, theirs: string): readonly MergedPart[] => {
  const parts = mergeEnded(withEnd(base), withEnd(ours), withEnd(theirs));
  const [isBaseEnded, isOursEnded, isTheirsEnded] = [base, ours, theirs].map(isEnded);
  const isResultEnded =
    isOursEnded === isTheirsEnded ? isOursEnded : isOursEnded === isBaseEnded ? isTheirsEnded : isOursEnded;
  if (isBaseEnded && isOursEnded && isTheirsEnded) return parts;
  const last = parts.findLastIndex((part) => part.kind === 'clash' || part.lines.length > 0);
  return parts.map((part, at) => {
    if (at !== last) return part;
    if (part.kind === 'merged') return merged(isResultEnded ? part.lines : withoutEnd(part.lines));
    return {
      kind: 'clash',
      base: isBaseEnded ? part.base : withoutEnd(part.base),
      ours: isOursEnded ? part.ours : withoutEnd(part.ours),
      theirs: isTheirsEnded ? part.theirs : withoutEnd(part.theirs),
    };
  });
};

/** An empty text has no line whose end could be missing. */
const isEnded = (text: string): boolean => text === '' || text.endsWith('\n');

const withEnd = (text: string): string => (isEnded(text) ? text : `${text}${text.includes('\r\n') ? '\r\n' : '\n'}`);

const withoutEnd = (lines: readonly string[]): readonly string[] => [
  ...lines.slice(0, -1),
  ...lines.slice(-1).map((line) => line.replace(/\r?\n$/, '')),
];

/** Merges texts whose last line has its line end. */
const mergeEnded = (base: string, ours: string, theirs: string): readonly MergedPart[] => {
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

/** Returns the merged text; where the sides clash, it has the lines of both, `ours` first. */
export const keepBoth = (ours: string, base: string, theirs: string): string =>
  mergeLines(base, ours, theirs)
    .flatMap((part) => {
      if (part.kind === 'merged') return part.lines;
      const there = new Set(part.ours);
      return [...withEnds(part.ours), ...part.theirs.filter((line) => !there.has(line))];
    })
    .join('');

/** A last line without a line end would run into the one that follows. */
const withEnds = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => (line.endsWith('\n') || line === '' ? line : `${line}\n`));
