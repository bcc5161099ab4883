/** Reads the lines of a transcript in constant memory, whatever their length. */
import { type FileHandle, open } from 'node:fs/promises';
import { Shortening } from './shorten-strings.js';

export type Line = {
  /** Byte offset in the file. */
  readonly offset: number;
  /** Byte offset after its line feed, or the end of the file. */
  readonly end: number;
  readonly hasLineFeed: boolean;
  /** Without the line feed; a long line is shortened. Overwritten as soon as `visit` returns. */
  readonly bytes: Buffer;
};

/** A longer line is never held whole: its long strings are cut as it is read. */
const maxLineBytes = 256 * 1024;
const chunkBytes = 128 * 1024;

/** Lines from `from` up to the size at opening: a growing file would never end. Throws unless it's a regular file. */
export const readLines = async (file: string, from: number, visit: (line: Line) => void): Promise<void> => {
  const handle = await open(file, 'r');
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error(`${file} is not a regular file`);
    await readFrom(handle, from, stat.size, visit);
  } finally {
    await handle.close();
  }
};

const readFrom = async (handle: FileHandle, from: number, size: number, visit: (line: Line) => void): Promise<void> => {
  const buffer = Buffer.allocUnsafeSlow(maxLineBytes + chunkBytes);
  let shortening: Shortening | undefined;
  /** Where the current line begins in the file, and how many of its bytes wait in the buffer. */
  let offset = from;
  let waiting = 0;
  let shortenedBytes = 0;

  const shorten = (bytes: Buffer): void => {
    shortening ??= new Shortening();
    shortening.add(bytes);
    shortenedBytes += bytes.length;
  };
  const emit = (bytes: Buffer, hasLineFeed: boolean): void => {
    const end = offset + shortenedBytes + bytes.length + (hasLineFeed ? 1 : 0);
    if (shortenedBytes > 0 || bytes.length > maxLineBytes) shorten(bytes);
    const text = shortenedBytes > 0 ? shortening?.take() : bytes;
    visit({ offset, end, hasLineFeed, bytes: text ?? empty });
    offset = end;
    shortenedBytes = 0;
  };

  for (;;) {
    const position = offset + shortenedBytes + waiting;
    if (position >= size) break;
    const { bytesRead } = await handle.read(buffer, waiting, Math.min(chunkBytes, size - position), position);
    if (bytesRead === 0) break;
    const filled = buffer.subarray(0, waiting + bytesRead);
    let start = 0;
    for (let feed = filled.indexOf(10, waiting); feed !== -1; feed = filled.indexOf(10, start)) {
      emit(filled.subarray(start, feed), true);
      start = feed + 1;
    }
    waiting = filled.length - start;
    if (shortenedBytes > 0 || waiting > maxLineBytes) {
      shorten(filled.subarray(start));
      waiting = 0;
    } else if (start > 0) {
      buffer.copyWithin(0, start, filled.length);
    }
  }
  if (shortenedBytes + waiting > 0) emit(buffer.subarray(0, waiting), false);
};

const empty = Buffer.alloc(0);
