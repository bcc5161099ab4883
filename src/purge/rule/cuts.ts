/** Finds the beginning of a truncated text before a `…`, as in subjects, titles and captured prompts. Pure. */

/** A range in UTF-16 units; `end` is exclusive. */
export type Span = { readonly start: number; readonly end: number };

/** A text with fewer characters occurs in too many others. */
export const leastLiteral = 4;

/** This many units of a text before a `…` suffice to recognize it. */
const leastCut = 6;

export type CutFinder = (text: string) => readonly Span[];

type Line = { readonly line: string; readonly least: number };

const lineOf = (text: string): Line => {
  const line = text.replace(/\s+/gu, ' ');
  return { line, least: Math.max(leastLiteral, Math.min(leastCut, line.length - 1)) };
};

/** Returns a test for beginnings of one of the texts that are long enough to be recognized before a `…`. */
export const cutTester = (texts: readonly string[]): ((cut: string) => boolean) => {
  const lines = texts.map(lineOf);
  return (cut) =>
    lines.some(({ line, least }) => cut.length >= least && cut.length < line.length && line.startsWith(cut));
};

/** Searches in one pass for each of the texts, however many `…` there are. */
export const cutFinder = (texts: readonly string[]): CutFinder => {
  const lines = texts.map(lineOf);
  /** Built when first needed: most searched texts contain no `…`. */
  const bordersByLine = new Map<string, Int32Array>();
  return (text) => {
    if (!text.includes('…')) return [];
    const longest = new Map<number, number>();
    for (const { line, least } of lines) {
      if (line.length <= least || !text.includes(line.slice(0, least))) continue;
      const borders = bordersByLine.get(line) ?? bordersOf(line);
      bordersByLine.set(line, borders);
      // Length of the line's longest prefix that ends here (Knuth-Morris-Pratt).
      let length = 0;
      for (let at = 0; at < text.length; at += 1) {
        const char = text[at];
        if (char === '…' && length >= least) longest.set(at, Math.max(length, longest.get(at) ?? 0));
        while (length > 0 && char !== line[length]) length = borders[length - 1] ?? 0;
        if (char === line[length]) length += 1;
        // The whole line is not truncated, but it may end in a prefix of itself.
        if (length === line.length) length = borders[length - 1] ?? 0;
      }
    }
    return Array.from(longest, ([end, length]) => ({ start: end - length, end }));
  };
};

/** Returns, for each prefix of the line, the length of its longest proper prefix that is also its suffix. */
const bordersOf = (line: string): Int32Array => {
  const borders = new Int32Array(line.length);
  for (let at = 1, length = 0; at < line.length; at += 1) {
    while (length > 0 && line[at] !== line[length]) length = borders[length - 1] ?? 0;
    if (line[at] === line[length]) length += 1;
    borders[at] = length;
  }
  return borders;
};
