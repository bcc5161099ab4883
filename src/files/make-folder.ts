/** Makes a folder and those above it. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../events/error-code.js';

/** Not `recursive`: where a parent is there but takes no folders, as /proc does, Node 20 tries again for ever. */
export const makeFolder = (path: string): void => {
  if (makeOne(path)) return;
  makeFolder(dirname(path));
  if (!makeOne(path)) mkdirSync(path);
};

/** False where the folder above is missing. Another process may make the same one. */
const makeOne = (path: string): boolean => {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && dirname(path) !== path) return false;
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return true;
};
