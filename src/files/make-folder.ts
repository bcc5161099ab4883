/** Makes a folder and those above it. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../events/error-code.js';

/** Does without `recursive`: below a folder that accepts no others, such as /proc, Node 20 retries for ever. */
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
