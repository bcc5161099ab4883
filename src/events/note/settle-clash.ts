/** Two texts that changed the same place of a third, where no conflict copy is needed. Pure. */
import { type Clash, mergeLines } from './merge-lines.js';

/**
 * The merged text where at each place one side holds the other's change, or `ours` with the lines that `theirs` only adds at
 * its end; undefined where both say something of their own. A person goes on with a file that a killed command had laid out
 * or taken in, so that their text has its change too. A clash takes time linear in its lines.
 */
export const settleClash = (base: string | undefined, ours: string, theirs: string): string | undefined => {
  if (base === undefined) return undefined;
  const lines = mergeLines(base, ours, theirs).map((part) => (part.kind === 'merged' ? part.lines : settlePlace(part)));
  return lines.every((one) => one !== undefined) ? lines.flat().join('') : appendText(base, ours, theirs);
};

const settlePlace = ({ base, ours, theirs }: Clash): readonly string[] | undefined =>
  holdsChange(base, ours, theirs) ? theirs : holdsChange(base, theirs, ours) ? ours : undefined;

/** `lines` has all that `changed` has, in its order, and nothing that it took out. */
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

/** `theirs` where it only adds lines to `base`: the same lines at the end of `ours`. */
const appendText = (base: string, ours: string, theirs: string): string | undefined => {
  if (!theirs.startsWith(base)) return undefined;
  const added = theirs.slice(base.length);
  if (base !== '' && !base.endsWith('\n') && !added.startsWith('\n')) return undefined;
  const isOpen = ours !== '' && !ours.endsWith('\n') && !added.startsWith('\n');
  return `${ours}${isOpen ? '\n' : ''}${added}`;
};
