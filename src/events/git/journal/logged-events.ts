/** Reads a journal's events: a commit's trailers count only if they name every note that it changes. */
import { type LoggedCommit, type LoggedEvent, toLoggedEvent } from '../../logged-event.js';
import type { NoteId } from '../../note/note.js';
import { listRange } from '../commit-range.js';
import { isMerge, logFormat, openStepReader } from '../git-log.js';
import { everyChange, GitError, type GitFolders } from '../git-process.js';
import { streamFields } from '../stream-fields.js';
import { toLoggedEvents } from './doubtful-commits.js';
import { type ExaminedCommits, readExaminedCommits, writeExaminedCommits } from './examined-commits.js';
import { type ChangedNotes, readNotesIn, readNotesOf } from './foreign-commits.js';
import { openIdsOfNotes } from './ids-of-notes.js';

const log = ['log', '-z', '--topo-order', '--reverse', logFormat];

/** Returns the events that `to` has and `from` lacks, oldest first, parents before children. */
export const readEventsSince = async (
  folders: GitFolders,
  from: string,
  to: string,
  isForward: boolean,
): Promise<readonly LoggedEvent[]> => {
  const list = async (range: readonly string[]) => {
    const args = [...log, '--raw', '-c', '--no-abbrev', ...everyChange, ...range, '--'];
    const commits: (LoggedCommit & { readonly notes: Set<NoteId> })[] = [];
    const idOf = openIdsOfNotes();
    const take = openStepReader(
      (commit) => commits.push({ ...commit, notes: new Set() }),
      (_, path) => {
        const id = idOf(path);
        if (id !== undefined) commits.at(-1)?.notes.add(id);
      },
    );
    // Streamed: a few commits of a large tree may change millions of files.
    await streamFields(folders, args, take);
    return commits.map(({ notes, ...commit }) => ({ ...commit, changed: [...notes] }));
  };
  const commits = await listRange(folders, from, to, list, isForward);
  return toLoggedEvents(
    folders,
    commits.map(({ changed, ...commit }) => ({ commit, changed })),
  );
};

/**
 * Returns all events up to a commit, oldest first. git needs ten times as long to list what commits change as to list
 * their messages, so changes are read, in parallel, only for commits that weren't examined before; the results for the
 * others never change.
 */
export const readAllEvents = async (folders: GitFolders, to: string): Promise<readonly LoggedEvent[]> => {
  const known = readExaminedCommits(folders.gitDir);
  const commits: LoggedCommit[] = [];
  const take = openStepReader(
    (commit) => commits.push(commit),
    () => undefined,
  );
  const [changed] = await Promise.all([
    readNotesSince(folders, to, known),
    streamFields(folders, [...log, to, '--'], take),
  ]);
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
    writeExaminedCommits(folders.gitDir, { head: to, unnamed: new Set(unnamed), merges: new Map(merges) });
  }
  return logged;
};

/** Fewer new commits than this are examined again each time instead of being recorded. */
const manyCommits = 200;

const readNotesSince = async (
  folders: GitFolders,
  to: string,
  known: ExaminedCommits | undefined,
): Promise<ChangedNotes> => {
  if (known === undefined) return readNotesIn(folders, to, []);
  try {
    return await readNotesIn(folders, to, [known.head]);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    // A purge or another rewrite of the history removed that commit.
    return readNotesIn(folders, to, []);
  }
};

/** False for a shallow clone: once completed, it has commits that were never examined. */
const isWhole = (events: readonly LoggedEvent[]): boolean => {
  const commits = new Set(events.map(({ commit }) => commit));
  return events.every(({ parents }) => parents.every((parent) => commits.has(parent)));
};
