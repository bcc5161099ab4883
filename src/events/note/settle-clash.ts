/** Two texts that changed the same place of a third, where no conflict copy is needed. Pure. */

/**
 * The one that holds the other's change, or `ours` with the lines that `theirs` only adds at its end; undefined where both
 * say something of their own. A person goes on with a file that a killed command had laid out or taken in, so that their
 * text has its change too. Linear in the lines.
 */
export const settleClash = (base: string | undefined, ours: string, theirs: string): string | undefined => {
  if (base === undefined) return undefined;
  if (holdsChange(base, ours, theirs)) return theirs;
  if (holdsChange(base, theirs, ours)) return ours;
  return appendText(base, ours, theirs);
};

/** `text` has each line that `changed` has more often than `base`, and none that it has less often. */
const holdsChange = (base: string, changed: string, text: string): boolean => {
  const [before, after, found] = [countLines(base), countLines(changed), countLines(text)];
  for (const line of new Set([...before.keys(), ...after.keys()])) {
    const [was, is, has] = [before.get(line) ?? 0, after.get(line) ?? 0, found.get(line) ?? 0];
    if ((is > was && has < is) || (is < was && has > is)) return false;
  }
  return true;
};

const countLines = (text: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
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
