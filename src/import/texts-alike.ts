/** How much two texts have in common. Pure. */

/** More than half of the lines of each text stand in the other. */
export const haveMostLines = (one: string, other: string): boolean => {
  const [a, b] = [linesOf(one), linesOf(other)];
  const both = [...a].filter((line) => b.has(line)).length;
  return both * 2 > a.size && both * 2 > b.size;
};

const linesOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );
