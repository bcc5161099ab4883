/** The events of a journal: a commit's trailers count only where they name every note that it changes. */
import { type LoggedEvent, notesAt, toLoggedEvent } from '../../logged-event.js';
import { listRange } from '../commit-range.js';
import { isMerge, logFormat, parseLog, parseLogSteps } from '../git-log.js';
import { everyChange, GitError, type GitFolders, runGit } from '../git-process.js';
import { toLoggedEvents } from './doubtful-commits.js';
import { type ChangedNotes, readNotesIn, readNotesOf } from './foreign-commits.js';
import { type LookedAt, readLookedAt, writeLookedAt } from './looked-at.js';

const log = ['log', '-z', '--topo-order', '--reverse', logFormat];

/** The events that `to` has and `from` doesn't, oldest first, parents before children. */
export const readEventsSince = async (
  folders: GitFolders,
  from: string,
  to: string,
  isForward: boolean,
): Promise<readonly LoggedEvent[]> => {
  const list = async (range: readonly string[]) => {
    const args = [...log, '--raw', '-c', '--no-abbrev', ...everyChange, ...range, '--'];
    return parseLogSteps(await runGit(folders, args)).map(({ commit, changes }) => ({
      ...commit,
      changed: notesAt(changes),
    }));
  };
  const commits = await listRange(folders, from, to, list, isForward);
  return toLoggedEvents(
    folders,
    commits.map(({ changed, ...commit }) => ({ commit, changed })),
  );
};

/**
 * All events up to a commit, oldest first. What commits change takes git ten times as long to tell as what they say, so
 * that is asked, beside the rest, only of those that were never looked at; the others are the same for ever.
 */
export const readAllEvents = async (folders: GitFolders, to: string): Promise<readonly LoggedEvent[]> => {
  const known = readLookedAt(folders.gitDir);
  const [output, changed] = await Promise.all([
    runGit(folders, [...log, to, '--']),
    readNotesSince(folders, to, known),
  ]);
  const commits = parseLog(output);
  const events = commits.map((commit) => toLoggedEvent(commit, changed.get(commit.hash) ?? []));
  const isOpen = ({ commit, foreign, parents }: LoggedEvent): boolean =>
    foreign || (changed.has(commit) ? isMerge({ parents }) : known?.unnamed.has(commit) === true);
  const open = events.flatMap((event, at) => {
    const commit = commits[at];
    return commit !== undefined && isOpen(event) ? [commit] : [];
  });
  const rest = await readNotesOf(
    folders,
    open.flatMap(({ hash }) => (changed.has(hash) ? [] : [hash])),
  );
  const found = await toLoggedEvents(
    folders,
    open.map((commit) => ({ commit, changed: changed.get(commit.hash) ?? rest.get(commit.hash) ?? [] })),
    new Map(open.flatMap(({ hash }) => (changed.has(hash) ? [] : [[hash, known?.merges.get(hash) ?? []]]))),
  );
  const foundByCommit = new Map(found.map((event) => [event.commit, event]));
  const logged = events.map((event) => foundByCommit.get(event.commit) ?? event);
  if (changed.size >= manyCommits && isWhole(logged)) {
    const unnamed = found.flatMap((event) => (event.unnamed.length > 0 ? [event.commit] : []));
    const merges = found
      .filter((one) => one.foreign && isMerge(one))
      .map(({ commit, event }) => [commit, event.notes] as const);
    writeLookedAt(folders.gitDir, { head: to, unnamed: new Set(unnamed), merges: new Map(merges) });
  }
  return logged;
};

/** Fewer are looked at each time. */
const manyCommits = 200;

const readNotesSince = async (folders: GitFolders, to: string, known: LookedAt | undefined): Promise<ChangedNotes> => {
  if (known === undefined) return readNotesIn(folders, to, []);
  try {
    return await readNotesIn(folders, to, [known.head]);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    // A purge, or whoever rewrote the history, took that commit away.
    return readNotesIn(folders, to, []);
  }
};

/** A shallow clone that is completed later gets commits that nobody looked at. */
const isWhole = (events: readonly LoggedEvent[]): boolean => {
  const commits = new Set(events.map(({ commit }) => commit));
  return events.every(({ parents }) => parents.every((parent) => commits.has(parent)));
};
