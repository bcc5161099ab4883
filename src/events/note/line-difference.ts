/** How many lines two texts do not share, wherever the lines stand. Pure. */

/** Lines that only one of them has, counted as often as it has them. Linear in the texts. */
export const countUnlikeLines = (one: string, other: string): number => {
  const counts = new Map<string, number>();
  for (const line of one.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of other.split('\n')) counts.set(line, (counts.get(line) ?? 0) - 1);
  let unlike = 0;
  for (const count of counts.values()) unlike += Math.abs(count);
  return unlike;
};
