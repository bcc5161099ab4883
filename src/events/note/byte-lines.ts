/** Lines of a file before it is text: how many there are, and which one is no UTF-8. Pure. */
import { isUtf8 } from 'node:buffer';

export const countLines = (bytes: Buffer): number => {
  let lines = 1;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1;
  return lines;
};

/** 1-based line of the first invalid byte; the last line where all bytes are valid. */
export const lineOfInvalidByte = (bytes: Buffer): number => {
  let start = 0;
  for (let line = 1; ; line += 1) {
    const end = bytes.indexOf(10, start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
};
