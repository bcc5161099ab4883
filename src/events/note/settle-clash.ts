/** Merges two texts that changed the same place of a third, if they need no conflict copy. Pure. */
import { type Clash, mergeLines } from './merge-lines.js';

/**
 * Returns the merged text if at each place one side contains the other's change, or `ours` plus the lines that `theirs`
 * only adds at its end; undefined if both say something different. This happens when a person continues with a file
 * that a killed command had checked out or adopted, so that their text contains its change too. Linear in the lines of
 * a clash.
 */
export const settleClash = (base: string | undefined, ours: string, theirs: string): string | undefined => {
  if (base === undefined) return undefined;
  const lines = mergeLines(base, ours, theirs).map((part) => (part.kind === 'merged' ? part.lines : settlePlace(part)));
  return lines.every((one) => one !== undefined) ? lines.flat().join('') : appendText(base, ours, theirs);
};

const settlePlace = ({ base, ours, theirs }: Clash): readonly string[] | undefined =>
  holdsChange(base, ours, theirs) ? theirs : holdsChange(base, theirs, ours) ? ours : undefined;

/** True if `lines` has every line of `changed`, in order, and none that `changed` removed. */
const holdsChange = (base: readonly string[], changed: readonly string[], lines: readonly string[]): boolean => {
  let at = 0;
  for (const line of lines) if (line === changed[at]) at += 1;
  if (at < changed.length) return false;
  const [before, after, found] = [countLines(base), countLines(changed), countLines(lines)];
  return [...before].every(([line, was]) => {
    const is = after.get(line) ?? 0;
    return is >= was || (found.get(line) ?? 0) <= is;
  });
};

const countLines = (lines: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
};

/** Appends to `ours` the lines that `theirs` adds at the end of `base`; undefined if it changed anything else. */
const appendText = (base: string, ours: string, theirs: string): string | undefined => {
  if (!theirs.startsWith(base)) return undefined;
  const added = theirs.slice(base.length);
  if (base !== '' && !base.endsWith('\n') && !added.startsWith('\n')) return undefined;
  const isOpen = ours !== '' && !ours.endsWith('\n') && !added.startsWith('\n');
  return `${ours}${isOpen ? '\n' : ''}${added}`;
};
