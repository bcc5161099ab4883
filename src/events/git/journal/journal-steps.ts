/** Reads the few commits that a journal is ahead, with their changes, in one git call: the usual way to catch up. */

import type { PathChange, Steps } from '../../journal.js';
import { type LoggedEvent, notesAt, toLoggedEvent } from '../../logged-event.js';
import { isNotePath, standApart } from '../../note/paths.js';
import { isFileMode, logFormat, parseLogSteps } from '../git-log.js';
import { everyChange, type GitFolders, runGit } from '../git-process.js';
import { noteFoldersIn } from '../note-tree.js';

/**
 * Returns undefined when there are more than `most` commits, when they aren't linear from `from` (a merge, a rewritten
 * history), or when a path may hide another one: then the tree difference and the log must be read separately.
 */
export const readSteps = async (
  folders: GitFolders,
  from: string,
  to: string,
  most: number,
): Promise<Steps | undefined> => {
  const limit = `--max-count=${most + 1}`;
  const shape = ['--raw', '--no-abbrev', ...everyChange];
  const reading = runGit(folders, [
    'log',
    '-z',
    '--topo-order',
    '--reverse',
    ...shape,
    limit,
    logFormat,
    to,
    `^${from}`,
    '--',
  ]);
  const [output, places] = await Promise.all([reading, noteFoldersIn(folders, to)]);
  const steps = parseLogSteps(output);
  if (steps.length === 0 || steps.length > most) return undefined;
  let parent = from;
  const byPath = new Map<string, PathChange>();
  const events: LoggedEvent[] = [];
  for (const { commit, changes } of steps) {
    if (commit.parents.length !== 1 || commit.parents[0] !== parent) return undefined;
    parent = commit.hash;
    const notes = changes.filter(({ path }) => isNotePath(path));
    for (const change of notes) {
      const after = isFileMode(change.afterMode) ? change.after : undefined;
      const earlier = byPath.get(change.path);
      byPath.set(change.path, { ...change, after, before: earlier === undefined ? change.before : earlier.before });
    }
    events.push(toLoggedEvent(commit, notesAt(notes)));
  }
  if (!standApart([...byPath.keys()], places)) return undefined;
  return {
    changes: [...byPath.values()].filter(({ before, after }) => before !== after),
    events,
  };
};
