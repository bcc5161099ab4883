/** Tells how much two texts have in common. Pure. */

/** True if more than half of the lines of each text are in the other. */
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

/** True if more than half of the smaller text's words or lines are in the other. Also true for an empty text. */
export const haveMuchInCommon = (one: string, other: string): boolean =>
  isMostlyIn(linesOf(one), linesOf(other)) || isMostlyIn(wordsOf(one), wordsOf(other));

const isMostlyIn = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => {
  const both = [...one].filter((entry) => other.has(entry)).length;
  const smaller = Math.min(one.size, other.size);
  return smaller === 0 || both * 2 > smaller;
};

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
