/**
 * Compares two texts line by line. Pure.
 *
 * The package `diff` is not used: merging needs node-diff3 anyway; for 2,000 lines that all differ, `diff` takes 0.9 s
 * (bounded to 1,000 differing lines) and this 0.08 s; and in 5 % of random texts it pairs other lines than the merge.
 */
import { diffIndices } from 'node-diff3';

/** A run of lines common to both texts, or lines of the first that the second replaces; lines keep their ends. */
export type LinePart =
  | { readonly kind: 'same'; readonly lines: readonly string[] }
  | { readonly kind: 'changed'; readonly before: readonly string[]; readonly after: readonly string[] };

/**
 * Together the parts reproduce both texts. Finding the fewest differing lines takes time quadratic in their number,
 * cubic if a line repeats; past a bound, everything between the first and the last difference is one part.
 */
export const diffLines = (before: string, after: string): readonly LinePart[] => {
  const [old, now] = [splitLines(before), splitLines(after)];
  const head = countEqual(old, now, (lines, at) => lines[at]);
  const tail = countEqual(old.slice(head), now.slice(head), (lines, at) => lines[lines.length - 1 - at]);
  const middle = diffMiddle(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  return [sameLines(old.slice(0, head)), ...middle, sameLines(old.slice(old.length - tail))].filter(
    (part) => part.kind === 'changed' || part.lines.length > 0,
  );
};

/** Returns lines as `diff -u` prints them, with three lines of context and no line ends; empty for equal texts. */
export const formatUnified = (parts: readonly LinePart[]): readonly string[] => {
  const hunks: Hunk[] = [];
  let hunk: Hunk | undefined;
  let [oldAt, newAt] = [1, 1];
  const close = (): void => {
    if (hunk !== undefined) hunks.push(hunk);
    hunk = undefined;
  };
  for (const [at, part] of parts.entries()) {
    if (part.kind === 'same') {
      const { length } = part.lines;
      const isLast = at === parts.length - 1;
      if (hunk !== undefined) {
        const isGap = isLast || length > 2 * context;
        addTo(hunk, ' ', isGap ? part.lines.slice(0, context) : part.lines);
        if (isGap) close();
      }
      if (hunk === undefined && !isLast) {
        const before = part.lines.slice(-context);
        hunk = { oldStart: oldAt + length - before.length, newStart: newAt + length - before.length, lines: [] };
        addTo(hunk, ' ', before);
      }
      oldAt += length;
      newAt += length;
      continue;
    }
    hunk ??= { oldStart: oldAt, newStart: newAt, lines: [] };
    addTo(hunk, '-', part.before, part.after);
    addTo(hunk, '+', part.after, part.before);
    oldAt += part.before.length;
    newAt += part.after.length;
  }
  close();
  return hunks.flatMap(formatHunk);
};

const context = 3;

type Hunk = { readonly oldStart: number; readonly newStart: number; readonly lines: string[] };

/** `others` are the other side's lines; if one differs from the last line only in its line end, the hunk says so. */
const addTo = (hunk: Hunk, mark: ' ' | '-' | '+', lines: readonly string[], others: readonly string[] = []): void => {
  for (const line of lines) hunk.lines.push(`${mark}${line.replace(/\r?\n$/, '')}`);
  const last = lines.at(-1);
  if (last === undefined || last.endsWith('\n')) return;
  if (others.includes(`${last}\n`) || others.includes(`${last}\r\n`)) hunk.lines.push(noEnd);
};

/** The wording of git and diff. */
const noEnd = '\\ No newline at end of file';

const formatHunk = ({ oldStart, newStart, lines }: Hunk): readonly string[] => {
  const count = (mark: string): number => lines.filter((line) => !line.startsWith(mark) && line !== noEnd).length;
  return [`@@ -${formatRange(oldStart, count('+'))} +${formatRange(newStart, count('-'))} @@`, ...lines];
};

/** An empty range is denoted by the line before it. */
const formatRange = (start: number, count: number): string =>
  count === 1 ? String(start) : `${count === 0 ? start - 1 : start},${count}`;

/** Lines with their line ends, so that joining them gives the text back. */
export const splitLines = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/));

const sameLines = (lines: readonly string[]): LinePart => ({ kind: 'same', lines });

const countEqual = (
  one: readonly string[],
  other: readonly string[],
  lineAt: (lines: readonly string[], at: number) => string | undefined,
): number => {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && lineAt(one, count) === lineAt(other, count)) count += 1;
  return count;
};

/** About half a second of work. */
export const maxSteps = 200_000_000;

/** Upper bound: per pair of equal lines a walk along the longest common run so far. 2,000 blank lines take 10 s. */
export const countSteps = (before: readonly string[], after: readonly string[]): number => {
  const countOf = new Map<string, number>();
  for (const line of after) countOf.set(line, (countOf.get(line) ?? 0) + 1);
  return before.reduce((sum, line) => sum + (countOf.get(line) ?? 0), 0) * Math.min(before.length, after.length);
};

const diffMiddle = (before: readonly string[], after: readonly string[]): readonly LinePart[] => {
  if (before.length === 0 && after.length === 0) return [];
  if (countSteps(before, after) > maxSteps) return [{ kind: 'changed', before, after }];
  const parts: LinePart[] = [];
  let at = 0;
  for (const { buffer1, buffer2 } of diffIndices([...before], [...after])) {
    const [oldStart, oldCount]: readonly number[] = buffer1;
    const [newStart, newCount]: readonly number[] = buffer2;
    if (oldStart === undefined || oldCount === undefined || newStart === undefined || newCount === undefined) continue;
    parts.push(sameLines(before.slice(at, oldStart)), {
      kind: 'changed',
      before: before.slice(oldStart, oldStart + oldCount),
      after: after.slice(newStart, newStart + newCount),
    });
    at = oldStart + oldCount;
  }
  return [...parts, sameLines(before.slice(at))].filter((part) => part.kind === 'changed' || part.lines.length > 0);
};
