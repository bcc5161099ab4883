/** Reads a journal's events: what a commit's trailers say, or of a commit without them, what it changes. */
import { type LoggedCommit, type LoggedEvent, toLoggedEvent } from '../../logged-event.js';
import { parseMessage } from '../../trailers.js';
import { listRange } from '../commit-range.js';
import { logFormat, openStepReader } from '../git-log.js';
import type { GitFolders } from '../git-process.js';
import { streamFields } from '../stream-fields.js';
import { readNotesOf } from './foreign-commits.js';

const log = ['log', '-z', '--topo-order', '--reverse', logFormat];

/**
 * Returns the events that `to` has and `from` lacks, oldest first, parents before children. git needs ten times as long
 * to list what commits change as to list their messages, so that is read only for commits without trailers.
 */
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
