/** Lines of a byte stream, which may be longer than a chunk and far more than fit in memory. */

/** `line` counts from 1; `bytes` are without the line feed, and undefined when there are too many of them. */
export type Line = { readonly line: number; readonly bytes: Buffer | undefined };

/**
 * Of those that are not blank. Holds at most `maxBytes` of one line: the rest of a longer one is read and dropped. Blank lines
 * are passed over here: 400 kB of gzip hold 400 million of them, which would take minutes if each was handed over.
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
  const taken = (): Line => ({ line, bytes: size > maxBytes ? undefined : Buffer.concat(parts) });
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
      yield taken();
      next(1);
      start = end + 1;
    }
  }
  if (!isBlank) yield taken();
}

const lineFeed = 10;

/** Blank lines from there, where the first line behind them starts, and whether that has nothing else up to the end. */
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
