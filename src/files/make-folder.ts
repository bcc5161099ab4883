/** Makes a folder and its missing parents. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../events/faults.js';

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
