/** Lines of a byte stream, which may be longer than a chunk and far more than fit in memory. */

/** `line` counts from 1; `bytes` are without the line feed, and undefined when there are too many of them. */
export type Line = { readonly line: number; readonly bytes: Buffer | undefined };

/** Holds at most `maxBytes` of one line: the rest of a longer one is read and dropped. */
export async function* splitLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  let line = 1;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size > maxBytes) parts = [];
    else parts.push(part);
  };
  const take = (): Line => {
    const taken = { line, bytes: size > maxBytes ? undefined : Buffer.concat(parts) };
    parts = [];
    size = 0;
    line += 1;
    return taken;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (size > 0) yield take();
}
