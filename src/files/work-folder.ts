/** Temporary folders for results that are built first and moved into place when complete. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { randomHex } from '../events/hash.js';

/**
 * Makes `<start><machine>-<pid>-<random>`, accessible to this user only; the caller removes it. First removes leftovers
 * of processes that were killed more than a day ago.
 */
export const makeWorkFolder = (parent: string, start: string, machine: string): string => {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(start))) {
    const path = join(parent, name);
    if (isAbandoned(path, name.slice(start.length))) rmSync(path, { recursive: true, force: true });
  }
  const folder = join(parent, `${start}${machine}-${process.pid}-${randomHex(6)}`);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
};

const abandonedMs = 24 * 3_600_000;

/** Any other name with that prefix belongs to someone else. */
const isAbandoned = (path: string, mark: string): boolean => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return /-[0-9a-f]{12}$/.test(mark) && stat !== undefined && Date.now() - stat.mtimeMs > abandonedMs;
};
