/** Guards reads of repository files that may have become pipes: git opens them itself and would wait forever. */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../faults.js';

const readByGit = [
  ...['HEAD', 'config', 'index', 'packed-refs', 'shallow', 'commondir', 'FETCH_HEAD', 'refs/heads/main'],
  ...['info/attributes', 'info/exclude', 'info/grafts', 'logs/HEAD', 'logs/refs/heads/main'],
  ...['objects/info/alternates', 'objects/info/commit-graph', 'objects/pack/multi-pack-index'],
];

/**
 * Called before each git child; takes one fiftieth of its time. Throws Fault 'journal-damaged' for a pipe, socket or
 * device.
 */
export const refusePipes = (gitDir: string): void => {
  for (const name of readByGit) {
    const file = join(gitDir, name);
    if (isEndless(file))
      throw new Fault('journal-damaged', `${file} is not a regular file`, 'move it away, then run: anamnesis doctor');
  }
};

/** True for a pipe, socket or device; git itself reports a folder. */
const isEndless = (file: string): boolean => {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat !== undefined && !stat.isFile() && !stat.isDirectory();
  } catch {
    return false;
  }
};

/** Reads a file; returns '' for a pipe or device instead of blocking on it. */
export const readAtOnce = (file: string, encoding: 'utf8' | 'latin1'): string => {
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(handle);
    return stat.isFile() || stat.isDirectory() ? readFileSync(handle, encoding) : '';
  } finally {
    closeSync(handle);
  }
};
