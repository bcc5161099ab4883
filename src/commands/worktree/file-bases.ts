/**
 * Finds the versions that a person's files were made from. Commands check out what they record, and so does the
 * person's git: someone who commits and keeps editing is editing their own commit.
 */
import type { FileChange } from '../../events/event.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { GitError } from '../../events/git/git-process.js';
import type { LoggedEvent } from '../../events/logged-event.js';
import type { BlobId, JournalName } from '../../events/note/note.js';
import { type HeadMove, readHeadMoves } from '../../events/worktree/head-moves.js';
import { type CheckedOutFile, readNoteFile, stampOf, unseenRow } from '../../events/worktree/working-tree.js';
import { type AdoptedVersions, readAdoptedVersions } from './adopted-versions.js';
import { currentBlob } from './base-of-file.js';
import type { Candidate } from './hand-edits.js';
import { type Followed, followMoves } from './persons-commits.js';
import { readUnseenLeft, type Unseen } from './unseen-versions.js';
import type { Store } from './write-store.js';

/** The version last checked out at a path, or committed from it; `fallback` if a person's git did neither. */
export type BaseOf = (path: string, fallback: BlobId | undefined) => BlobId | undefined;

export type FileBases = {
  readonly baseOf: BaseOf;
  /** Versions and removals that a person's commit reverted by accident. */
  readonly putBack: readonly FileChange[];
  /**
   * Returns the candidates, and those where an edit must be merged with a version that the person's commit replaced.
   */
  readonly judge: (candidates: readonly Candidate[]) => readonly Candidate[];
  /** For files that were left: the versions they have yet to be merged with. */
  readonly unseenOf: (left: readonly string[]) => ReadonlyMap<string, Unseen>;
};

/** `events` are those from `checkout` to `head`. */
export const readFileBases = async (
  store: Store,
  journal: GitJournal,
  head: string | undefined,
  checkout: string | undefined,
  events: readonly LoggedEvent[],
): Promise<FileBases> => {
  const adopted = new Set(events.flatMap(({ event }) => event.adopted ?? []));
  const isMoved = head !== undefined && checkout !== undefined && checkout !== head;
  const ours = new Set(events.filter(({ foreign }) => !foreign).map(({ commit }) => commit));
  const moves = isMoved ? readHeadMoves(journal.folders.gitDir, checkout, head, ours) : [];
  const known = readUnseenLeft(store, journal);
  const takenIn = readAdoptedVersions(store, journal, events);
  const followed =
    checkout === undefined || moves.length === 0
      ? nothingFollowed(known)
      : await follow(store, journal, checkout, moves, known, takenIn);
  const { bases, movedSince } = followed;
  // A version stops waiting once an event of ours has changed its file.
  const isWaiting = ([path, { after }]: readonly [string, Unseen]): boolean =>
    !known.has(path) || store.lookup.blobAt(journal.name, path) === after;
  const waiting = new Map([...followed.unseen].filter(isWaiting));
  const seen = waiting.size === 0 ? nothingSeen : await (await import('./made-from.js')).findSeen(journal, waiting);
  const unseen = new Map([...waiting].filter(([path]) => !seen.has(path)));
  const met = new Map([...unseen].filter(([path, one]) => meets(journal, path, one)));
  return {
    baseOf: (path, fallback) => {
      // The edit at this path was already merged by an event that was killed before its result was checked out.
      const found = adopted.size === 0 ? undefined : currentBlob(journal, path);
      if (found !== undefined && adopted.has(`${found} ${path}`)) return found;
      if (seen.has(path)) return seen.get(path);
      if (takenIn.has(path) && !movedSince.has(path)) return takenIn.get(path);
      return bases.has(path) ? bases.get(path) : fallback;
    },
    putBack:
      head === undefined
        ? []
        : await readPutBack(journal, head, new Map([...unseen].filter(([path]) => !met.has(path)))),
    judge: (candidates) => {
      if (unseen.size === 0) return candidates;
      const others = candidates
        .filter(({ path }) => !met.has(path))
        .map((one) => standAgain(store, journal, one, unseen.get(one.path)));
      return [...others, ...[...met].map(([path, { base, version }]) => ({ path, base, head: version }))];
    },
    unseenOf: (left) => {
      const paths = new Set(left);
      return new Map([...met].filter(([path]) => paths.has(path)));
    },
  };
};

/** Rows of files that wait: they are compared again after git's log of HEAD no longer mentions them. */
export const keptBases = (
  store: Store,
  name: JournalName,
  waiting: readonly string[],
  baseOf: BaseOf,
): readonly CheckedOutFile[] =>
  waiting.flatMap((path) => {
    const row = store.state.checkedOut(name, path);
    const blob = baseOf(path, row?.blob);
    return blob === undefined || blob === row?.blob ? [] : [unseenRow(path, blob)];
  });

/** After a reset undid the commit and left the file as it was, the file still waits for the version. */
const standAgain = (store: Store, journal: GitJournal, candidate: Candidate, one: Unseen | undefined): Candidate => {
  if (one?.version === undefined || one.version !== candidate.head) return candidate;
  const row = store.state.checkedOut(journal.name, candidate.path);
  const file = readNoteFile(journal.folder, candidate.path, row?.blob);
  const isUntouched = row !== undefined && file.kind === 'file' && stampOf(file.row) === stampOf(row);
  return isUntouched ? { ...candidate, base: one.base } : candidate;
};

const nothingSeen: ReadonlyMap<string, BlobId | undefined> = new Map();

const nothingFollowed = (unseen: ReadonlyMap<string, Unseen>): Followed => ({
  bases: new Map(),
  movedSince: new Set(),
  unseen,
});

/** Commits that git's log still lists may have been removed: without them the moves can't be followed. */
const follow = async (
  store: Store,
  journal: GitJournal,
  checkout: string,
  moves: readonly HeadMove[],
  known: ReadonlyMap<string, Unseen>,
  takenIn: AdoptedVersions,
): Promise<Followed> => {
  try {
    return await followMoves(store, journal, checkout, moves, known, takenIn);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    store.log(`git's log of HEAD in ${journal.folder} could not be followed: ${error.message}`);
    return nothingFollowed(known);
  }
};

/** True if the file has changes of its own, to be merged with the unseen version. */
const meets = (journal: GitJournal, path: string, { base, version }: Unseen): boolean => {
  const file = currentBlob(journal, path);
  return file !== undefined && file !== base && file !== version;
};

const readPutBack = async (
  journal: GitJournal,
  head: string,
  unseen: ReadonlyMap<string, Unseen>,
): Promise<readonly FileChange[]> => {
  if (unseen.size === 0) return [];
  // A note that another path hides is still there, so the whole tree is read.
  const inHead = new Map((await journal.tree(head)).map(({ path, blob }) => [path, blob]));
  const versions = [...unseen.values()].flatMap(({ version }) => (version === undefined ? [] : [version]));
  const blobs = await journal.blobs(versions);
  return [...unseen].flatMap(([path, { version }]): readonly FileChange[] => {
    if (inHead.get(path) === version) return [];
    if (version === undefined) return [{ journal: journal.name, path, bytes: undefined }];
    const bytes = blobs.get(version);
    return bytes === undefined ? [] : [{ journal: journal.name, path, bytes }];
  });
};
