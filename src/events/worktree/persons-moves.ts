/** Who moved HEAD, as git itself wrote down in this repository: nothing of it comes from a remote. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../error-code.js';

/**
 * Commits to which somebody's git moved HEAD and its files, newest first: by a commit, a merge, a rebase, a reset. What this
 * program appends moves no file, nor does what is pushed into the repository or set by `update-ref`. Empty where git keeps no
 * such log. Reads the last 256 KiB, some 1,500 moves.
 */
export const readPersonsMoves = (gitDir: string): readonly string[] =>
  readEnd(join(gitDir, 'logs', 'HEAD'))
    .split('\n')
    .flatMap((line) => {
      const [, commit = '', message = ''] = move.exec(line) ?? [];
      return laysOut.test(message) ? [commit] : [];
    })
    .reverse();

const move = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) [^\t]*\t(.*)$/;
/** As git's own commands begin their entries: `commit (amend): …`, `checkout: moving from side to main`. */
const laysOut = /^(?:commit|revert|cherry-pick|merge|pull|rebase|reset|checkout|am)\b/;
const maxBytes = 256 * 1024;

const readEnd = (file: string): string => {
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    const { size } = fstatSync(handle);
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    const read = readSync(handle, bytes, 0, bytes.length, size - bytes.length);
    // A line that is cut off does not match.
    return bytes.subarray(0, read).toString('utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
};
