/** Counts lines in a file's raw bytes and finds invalid UTF-8. Pure. */
import { isUtf8 } from 'node:buffer';

export const countLines = (bytes: Buffer): number => {
  let lines = 1;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1;
  return lines;
};

/** Returns the 1-based line of the first byte that is not valid UTF-8, or the last line if all are valid. */
export const lineOfInvalidByte = (bytes: Buffer): number => {
  let start = 0;
  for (let line = 1; ; line += 1) {
    const end = bytes.indexOf(10, start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
};
