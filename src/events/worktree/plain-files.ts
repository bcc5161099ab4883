/** Files of a repository that may be anything by now: git opens them by itself, and never comes back from a pipe. */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../faults.js';

const readByGit = [
  ...['HEAD', 'config', 'index', 'packed-refs', 'shallow', 'commondir', 'FETCH_HEAD', 'refs/heads/main'],
  ...['info/attributes', 'info/exclude', 'info/grafts', 'logs/HEAD', 'logs/refs/heads/main'],
  ...['objects/info/alternates', 'objects/info/commit-graph', 'objects/pack/multi-pack-index'],
];

/** Before each git child, of whose time it takes the fiftieth part. Throws Fault 'journal-damaged'. */
export const refusePipes = (gitDir: string): void => {
  for (const name of readByGit) {
    const file = join(gitDir, name);
    if (isEndless(file))
      throw new Fault(
        'journal-damaged',
        `${file} is no file`,
        'move away what stands there, then run: anamnesis doctor',
      );
  }
};

/** A pipe, a socket or a device; what is wrong with a folder git says itself. */
const isEndless = (file: string): boolean => {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat !== undefined && !stat.isFile() && !stat.isDirectory();
  } catch {
    return false;
  }
};

/** Nothing of what is no file, instead of waiting for it. */
export const readAtOnce = (file: string, encoding: 'utf8' | 'latin1'): string => {
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(handle);
    return stat.isFile() || stat.isDirectory() ? readFileSync(handle, encoding) : '';
  } finally {
    closeSync(handle);
  }
};
