/** Removes test folders that another process may still be using. */
import { rmSync } from 'node:fs';

/**
 * Removes a folder that a background worker, such as one that a hook started, may still write to. `maxRetries` is not
 * enough: Node 20 lists a folder once, and then tries in vain to remove a folder that is no longer empty.
 */
export const removeFolder = (folder: string): void => {
  for (let tries = 1; ; tries += 1) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (tries === maxTries) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
};

const maxTries = 100;
const pauseMs = 100;
