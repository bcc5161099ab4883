/** Reads a journal's events: what a commit's trailers say, or of a commit without them, what it changes. */

import type { JournalEvent } from '../../event.js';
import type { PathChange, Steps } from '../../journal.js';
import { type LoggedCommit, type LoggedEvent, notesAt, toLoggedEvent } from '../../logged-event.js';
import type { NoteId } from '../../note/note.js';
import { idOfPath, isNotePath, standApart } from '../../note/paths.js';
import { foreignEvent, parseMessage } from '../../trailers.js';
import { streamFields } from '../blob-stream.js';
import { listRange } from '../commit-range.js';
import { isFileMode, logFormat, openStepReader, parseLog, parseLogSteps } from '../git-log.js';
import { everyChange, type GitFolders, runGit } from '../git-process.js';

const log = ['log', '-z', '--topo-order', '--reverse', logFormat];

/** Oldest first, parents before children. Listing changes takes git ten times as long: only for foreign commits. */
export const readEvents = async (
  folders: GitFolders,
  from: string | undefined,
  to: string,
  isForward: boolean,
): Promise<readonly LoggedEvent[]> => {
  const commits = await listRange(folders, from, to, (range) => listCommits(folders, range), isForward);
  const foreign = commits.filter(({ message }) => parseMessage(message) === undefined);
  const notes = await readNotesOf(
    folders,
    foreign.map(({ hash }) => hash),
  );
  return commits.map((commit) => toLoggedEvent(commit, notes.get(commit.hash) ?? []));
};

const listCommits = async (folders: GitFolders, range: readonly string[]): Promise<readonly LoggedCommit[]> => {
  const commits: LoggedCommit[] = [];
  const take = openStepReader(
    (commit) => commits.push(commit),
    () => undefined,
  );
  await streamFields(folders, [...log, ...range, '--'], take);
  return commits;
};

/** Returns these commits as foreign events, by commit. Two git calls, or none without commits. */
export const readAsForeign = async (
  folders: GitFolders,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, JournalEvent>> => {
  if (hashes.length === 0) return new Map();
  const args = ['log', '-z', logFormat, '--no-walk=unsorted', '--stdin'];
  const commits = parseLog(await runGit(folders, args, linesOf(hashes)));
  const notes = await readNotesOf(folders, hashes);
  return new Map(
    commits.map((commit) => [commit.hash, foreignEvent({ ...commit, notes: notes.get(commit.hash) ?? [] })]),
  );
};

/**
 * Returns the ids of the notes that each of these commits changes, from their paths; for a merge, of those files that
 * differ from all sides. One git call, or none without commits.
 */
export const readNotesOf = async (
  folders: GitFolders,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, readonly NoteId[]>> => {
  const notes = new Map<string, Set<NoteId>>();
  if (hashes.length === 0) return new Map();
  let current = new Set<NoteId>();
  const take = openStepReader(
    ({ hash }) => {
      current = new Set();
      notes.set(hash, current);
    },
    (_, path) => {
      if (isNotePath(path)) current.add(idOfPath(path));
    },
  );
  const args = ['log', '-z', logFormat, '--root', '--raw', '-c', '--no-abbrev', ...everyChange];
  // Streamed: a few commits of a large tree may change millions of files.
  await streamFields(folders, [...args, '--no-walk=unsorted', '--stdin'], take, linesOf(hashes));
  return new Map([...notes].map(([hash, ids]) => [hash, [...ids]]));
};

const linesOf = (hashes: readonly string[]): readonly string[] => [hashes.map((hash) => `${hash}\n`).join('')];

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
  const range = [limit, logFormat, to, `^${from}`, '--'];
  const output = await runGit(folders, ['log', '-z', '--topo-order', '--reverse', ...shape, ...range]);
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
  const changed = [...byPath.values()];
  if (!standApart(changed)) return undefined;
  return {
    changes: changed.filter(({ before, after }) => before !== after),
    events,
  };
};
