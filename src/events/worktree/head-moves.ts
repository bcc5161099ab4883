/** Reads moves of HEAD from this repository's own reflog, which contains nothing from a remote. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../error-code.js';

/** One move of HEAD by a person's git. */
export type HeadMove = {
  readonly from: string;
  readonly to: string;
  /** A commit reads the files; all other moves, such as a merge or a reset, check files out. */
  readonly isCommit: boolean;
  /** A reset: git's log doesn't say whether it checked files out. */
  readonly mayKeepFiles: boolean;
  /** A command of ours recorded something later, and had handled the move before. */
  readonly isDealtWith: boolean;
};

/**
 * Returns moves of HEAD between commits by git's own commands, oldest first. Left out are moves that change no file:
 * what this program appends, what is pushed into the repository and what `update-ref` sets. Empty when git keeps no
 * such log or it doesn't contain `since`. `ours` are commits with our events that `until` reaches: one that a reset
 * removed from the branch has handled nothing. Reads the last 256 KiB, some 1,500 moves.
 */
export const readHeadMoves = (
  gitDir: string,
  since: string,
  until: string,
  ours: ReadonlySet<string> = new Set(),
): readonly HeadMove[] => {
  const entries = readEnd(join(gitDir, 'logs', 'HEAD'))
    .split('\n')
    .flatMap((line) => {
      const [, from = '', to = '', message = ''] = entryForm.exec(line) ?? [];
      return from === '' ? [] : [{ from, to, message }];
    });
  // HEAD may have returned to a commit: ignore the moves in between.
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
/** How git's own commands begin their entries: `commit (amend): …`, `checkout: moving from side to main`. */
const byCommands = /^(?:commit|revert|cherry-pick|merge|pull|rebase|reset|checkout|am)\b/;
/** git's entry for what `git fast-import` appends. */
const byUs = 'fast-import';
const maxBytes = 256 * 1024;

const readEnd = (file: string): string => {
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    const { size } = fstatSync(handle);
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    const read = readSync(handle, bytes, 0, bytes.length, size - bytes.length);
    // A truncated first line doesn't match.
    return bytes.subarray(0, read).toString('utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
};
