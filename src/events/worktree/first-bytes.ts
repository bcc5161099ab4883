/** The beginning of a file that may be anything by now. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { readOnlyFlags } from './working-tree.js';

/** At most so many; none of a pipe or a device, and undefined where nothing can be read or a link is in the place. */
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
