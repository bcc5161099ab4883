/** Makes folders, also temporary ones for results that are moved into place when complete. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../events/faults.js';
import { randomHex } from '../events/hash.js';

/** Doesn't use `recursive`: below a folder that accepts no entries, such as /proc, Node 20 would retry forever. */
export const makeFolder = (path: string): void => {
  if (makeOne(path)) return;
  makeFolder(dirname(path));
  if (!makeOne(path)) mkdirSync(path);
};

/** Returns false when the parent is missing. Another process may create the same folder meanwhile. */
const makeOne = (path: string): boolean => {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && dirname(path) !== path) return false;
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return true;
};

/** Makes `<start><machine>-<pid>-<random>` for this user; the caller removes it. Removes those left for a day. */
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
