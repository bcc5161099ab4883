/** Reads the beginning of a path that may no longer be a regular file. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { readOnlyFlags } from './working-tree.js';

/** Returns at most `most` bytes; none for a pipe or device, undefined when it can't be read or is a link. */
export const firstBytes = (path: string, most: number): Buffer | undefined => {
  let handle: number | undefined;
  try {
    handle = openSync(path, readOnlyFlags);
    const bytes = Buffer.allocUnsafe(Math.min(most, fstatSync(handle).size));
    return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, 0));
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
};
