/** Splits a byte stream into lines, which may be longer than a chunk and more than fit in memory. */

/** `line` counts from 1; `bytes` exclude the line feed and are undefined when there are too many of them. */
export type Line = { readonly line: number; readonly bytes: Buffer | undefined };

/** Yields the lines that are not blank. Keeps at most `maxBytes` of one: the rest of a longer one is read and dropped. */
export async function* splitLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  let line = 1;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size > maxBytes) parts = [];
    else parts.push(part);
  };
  const take = (): Line | undefined => {
    const bytes = size > maxBytes ? undefined : Buffer.concat(parts);
    const taken = bytes === undefined || !isBlank(bytes) ? { line, bytes } : undefined;
    parts = [];
    size = 0;
    line += 1;
    return taken;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, end));
      const taken = take();
      if (taken !== undefined) yield taken;
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  const last = take();
  if (last !== undefined) yield last;
}

const lineFeed = 10;

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === 32 || (byte >= 9 && byte <= 13));
