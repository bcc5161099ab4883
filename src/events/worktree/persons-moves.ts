/** Moves of HEAD, from the log that git itself keeps in this repository: nothing in it comes from a remote. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../error-code.js';

/** One move of HEAD by somebody's git. */
export type PersonsMove = {
  readonly from: string;
  readonly to: string;
  /** A commit takes from the files; all others, such as a merge or a reset, lay files out. */
  readonly isCommit: boolean;
  /** A reset, of which git's log does not say whether it laid files out. */
  readonly mayKeepFiles: boolean;
  /** A command of ours has recorded something since, and had dealt with the move before it did. */
  readonly isDealtWith: boolean;
};

/**
 * Moves of HEAD from one commit of ours to another by git's own commands, oldest first. What this program appends moves no
 * file by itself, nor does what is pushed into the repository or set by `update-ref`: such entries are left out. Empty where
 * git keeps no such log, or where it does not know `since`. `ours` are commits with events of ours that `until` reaches: what a
 * reset took off the branch has dealt with nothing. Reads the last 256 KiB, some 1,500 moves.
 */
export const readPersonsMoves = (
  gitDir: string,
  since: string,
  until: string,
  ours: ReadonlySet<string> = new Set(),
): readonly PersonsMove[] => {
  const entries = readEnd(join(gitDir, 'logs', 'HEAD'))
    .split('\n')
    .flatMap((line) => {
      const [, from = '', to = '', message = ''] = entryForm.exec(line) ?? [];
      return from === '' ? [] : [{ from, to, message }];
    });
  // HEAD may have come back to a commit: what lies in between is of no account.
  const last = entries.findLastIndex(({ to }) => to === since);
  const first = last === -1 ? entries.findIndex(({ from }) => from === since) : last + 1;
  if (first === -1) return [];
  const end = entries.findLastIndex(({ to }) => to === until) + 1;
  const later = entries.slice(first, end > first ? end : entries.length);
  const lastOfOurs = later.findLastIndex(({ to, message }) => message === byUs && ours.has(to));
  return later.flatMap(({ from, to, message }, at) =>
    from !== to && !/^0+$/.test(from) && byCommands.test(message)
      ? [
          {
            from,
            to,
            isCommit: message.startsWith('commit'),
            mayKeepFiles: message.startsWith('reset'),
            isDealtWith: at < lastOfOurs,
          },
        ]
      : [],
  );
};

const entryForm = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*\t(.*)$/;
/** As git's own commands begin their entries: `commit (amend): …`, `checkout: moving from side to main`. */
const byCommands = /^(?:commit|revert|cherry-pick|merge|pull|rebase|reset|checkout|am)\b/;
/** As git enters what `git fast-import` appends. */
const byUs = 'fast-import';
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
