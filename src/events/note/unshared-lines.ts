/** Counts the lines that two texts do not share, regardless of order. Pure. */

/** Lines that only one text has, counted as often as they repeat. Linear in the texts. */
export const countUnsharedLines = (one: string, other: string): number => {
  const counts = new Map<string, number>();
  for (const line of one.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of other.split('\n')) counts.set(line, (counts.get(line) ?? 0) - 1);
  let unlike = 0;
  for (const count of counts.values()) unlike += Math.abs(count);
  return unlike;
};
