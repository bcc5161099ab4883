/** Splits a byte stream into lines, which may be longer than a chunk and more than fit in memory. */

/** `line` counts from 1; `bytes` exclude the line feed and are undefined when there are too many of them. */
export type Line = { readonly line: number; readonly bytes: Buffer | undefined };

/**
 * Yields the lines that are not blank. Keeps at most `maxBytes` of one line: the rest of a longer one is read and
 * dropped. Skips blank lines, because 400 kB of gzip can hold 400 million of them, which would take minutes to yield.
 */
export async function* splitLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  let line = 1;
  let isBlank = true;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size > maxBytes) parts = [];
    else parts.push(part);
  };
  const next = (lines: number): void => {
    parts = [];
    size = 0;
    line += lines;
    isBlank = true;
  };
  const currentLine = (): Line => ({ line, bytes: size > maxBytes ? undefined : Buffer.concat(parts) });
  for await (const chunk of chunks) {
    let start = 0;
    while (start < chunk.length) {
      if (isBlank) {
        const blank = measureBlank(chunk, start);
        if (blank.lines > 0) next(blank.lines);
        start = blank.start;
        isBlank = blank.isToEnd;
      }
      const end = isBlank ? -1 : chunk.indexOf(lineFeed, start);
      add(chunk.subarray(start, end === -1 ? undefined : end));
      if (end === -1) break;
      yield currentLine();
      next(1);
      start = end + 1;
    }
  }
  if (!isBlank) yield currentLine();
}

const lineFeed = 10;

/** Counts the blank lines from `from`; tells where the next line starts and whether the rest of the chunk is blank. */
const measureBlank = (
  chunk: Buffer,
  from: number,
): { readonly lines: number; readonly start: number; readonly isToEnd: boolean } => {
  let lines = 0;
  let start = from;
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at] ?? 0;
    if (byte === lineFeed) {
      lines += 1;
      start = at + 1;
    } else if (byte !== 32 && (byte < 9 || byte > 13)) return { lines, start, isToEnd: false };
  }
  return { lines, start, isToEnd: true };
};
