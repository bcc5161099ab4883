/** Finds what is left of a text that was cut to a length, in front of a `…`: subjects, titles, captured prompts. Pure. */

/** Where something was found, as UTF-16 units; `end` is behind it. */
export type Span = { readonly start: number; readonly end: number };

/** A text with fewer characters stands in too many others. */
export const leastLiteral = 4;

/** So much of a text before a `…` is taken for the text itself. */
const leastCut = 6;

export type CutFinder = (text: string) => readonly Span[];

type Line = { readonly line: string; readonly least: number };

const lineOf = (text: string): Line => {
  const line = text.replace(/\s+/gu, ' ');
  return { line, least: Math.max(leastLiteral, Math.min(leastCut, line.length - 1)) };
};

/** Whether this is so much of the beginning of one of the texts that it is looked for before a `…`. */
export const cutTester = (texts: readonly string[]): ((cut: string) => boolean) => {
  const lines = texts.map(lineOf);
  return (cut) =>
    lines.some(({ line, least }) => cut.length >= least && cut.length < line.length && line.startsWith(cut));
};

/** Each text is followed through what it is looked for in once, however often a `…` stands there. */
export const cutFinder = (texts: readonly string[]): CutFinder => {
  const lines = texts.map(lineOf);
  /** Made when first needed: most texts hold no `…`. */
  const bordersByLine = new Map<string, Int32Array>();
  return (text) => {
    if (!text.includes('…')) return [];
    const longest = new Map<number, number>();
    for (const { line, least } of lines) {
      if (line.length <= least || !text.includes(line.slice(0, least))) continue;
      const borders = bordersByLine.get(line) ?? bordersOf(line);
      bordersByLine.set(line, borders);
      // How much of the line's beginning ends here, as Knuth, Morris and Pratt keep count of it.
      let length = 0;
      for (let at = 0; at < text.length; at += 1) {
        const sign = text[at];
        if (sign === '…' && length >= least) longest.set(at, Math.max(length, longest.get(at) ?? 0));
        while (length > 0 && sign !== line[length]) length = borders[length - 1] ?? 0;
        if (sign === line[length]) length += 1;
        // All of it is no cut; its own beginning at its end may be one.
        if (length === line.length) length = borders[length - 1] ?? 0;
      }
    }
    return Array.from(longest, ([end, length]) => ({ start: end - length, end }));
  };
};

/** For each beginning of the line the length of the longest shorter one that it ends in. */
const bordersOf = (line: string): Int32Array => {
  const borders = new Int32Array(line.length);
  for (let at = 1, length = 0; at < line.length; at += 1) {
    while (length > 0 && line[at] !== line[length]) length = borders[length - 1] ?? 0;
    if (line[at] === line[length]) length += 1;
    borders[at] = length;
  }
  return borders;
};
