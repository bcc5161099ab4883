/** Finds which paths of a journal to examine. */
import { isDenied } from '../../events/environment-faults.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { parseTreeLines, splitFields } from '../../events/git/git-log.js';
import {
  type CarriedPath,
  carriedAmong,
  compareLines,
  describeTwin,
  notesAmong,
  readTree,
} from '../../events/git/note-tree.js';
import type { BlobId, JournalName } from '../../events/note/note.js';
import { findTwins, idOfPath, isNotePath, isUsualPath } from '../../events/note/paths.js';
import { type CheckedOutFiles, compareFiles } from '../../events/worktree/checked-out-files.js';
import { readNoteFile } from '../../events/worktree/working-tree.js';
import type { State } from '../../state/state.js';
import type { Candidate, LeftFile } from './sort-files.js';
import type { Store } from './write-store.js';

export type Survey = { readonly candidates: readonly Candidate[]; readonly left: readonly LeftFile[] };

/** Lists each file with its first reason: a link is met in the list of all files and in the search for its note. */
export const eachOnce = (left: readonly LeftFile[]): readonly LeftFile[] => {
  const byPath = new Map<string, LeftFile>();
  for (const file of left) if (!byPath.has(file.path)) byPath.set(file.path, file);
  return [...byPath.values()];
};

/** The commit last checked out; undefined if the journal, restored from an older copy, lacks it. */
export const knownCheckout = async (
  state: State,
  journal: GitJournal,
  head: string | undefined,
): Promise<string | undefined> => {
  const checkout = state.checkout(journal.name);
  if (checkout === undefined || checkout === head || head === undefined) return checkout;
  return (await journal.resolve(checkout)) === undefined ? undefined : checkout;
};

/** The paths that moved between record and head, and those in `look`. */
export const surveyPaths = async (
  store: Store,
  journal: GitJournal,
  { head, checkout }: { readonly head: string | undefined; readonly checkout: string | undefined },
  look: readonly string[],
): Promise<Survey> => {
  const moved = head === undefined || checkout === undefined ? [] : await journal.diff(checkout, head);
  const heads = new Map(moved.map(({ path, after }) => [path, after]));
  for (const path of look) if (!heads.has(path)) heads.set(path, store.lookup.blobAt(journal.name, path));
  const candidates = [...heads].map(([path, blob]) => toCandidate(store, journal.name, path, blob));
  return { candidates, left: [] };
};

const toCandidate = ({ state }: Store, name: JournalName, path: string, head: BlobId | undefined): Candidate => ({
  path,
  head,
  row: state.checkedOut(name, path),
});

/** Changed files of the notes that are missing from these paths. */
export const findElsewhere = async (
  { state }: Store,
  { name, folder }: GitJournal,
  missing: readonly string[],
): Promise<readonly string[]> => {
  if (missing.length === 0) return [];
  const wanted = new Set(missing.map(idOfPath));
  const { changed } = await compareFiles(folder, state.allStamps(name), false);
  return changed.filter((path) => !missing.includes(path) && wanted.has(idOfPath(path)));
};

/** Compares all files with rows and head: an lstat each, at most one git call. `cleanUp` needs the write lock. */
export const surveyTree = async (
  store: Store,
  journal: GitJournal,
  head: string | undefined,
  cleanUp: boolean,
): Promise<Survey> => {
  const { state } = store;
  const { name, folder } = journal;
  const stamps = head !== undefined && state.sameTree(name) === head ? state.allStamps(name) : undefined;
  const seen = stamps && (await compareFiles(folder, stamps, cleanUp));
  if (seen?.isAsCheckedOut === true && stamps?.sameTree === head) return { candidates: [], left: seen.ignored };
  const rows = state.allCheckedOut(name);
  const isKnown = rows.sameTree === head;
  const reading = head === undefined || isKnown ? undefined : readTree(journal.folders, head);
  // Git reads while the files are walked; its errors surface where it is awaited.
  reading?.catch(() => undefined);
  const isSeen = seen !== undefined && rows.entries === stamps?.entries;
  const files = isSeen ? seen : await compareFiles(folder, rows, cleanUp);
  const checkedOut = Buffer.from(rows.tree);
  const tree = isKnown ? checkedOut : ((await reading) ?? Buffer.alloc(0));
  const isSameTree = tree.equals(checkedOut);
  if (isSameTree && !isKnown && head !== undefined) noteSameTree(state, name, head);
  if (files.isAsCheckedOut && isSameTree) return { candidates: [], left: files.ignored };
  const inHead = compareHead(splitFields(tree), rows, files.changed);
  // A path that isn't (or is no longer) a note's is neither checked out nor removed.
  const missing = files.missing.filter(isNotePath);
  const paths = new Set([...files.changed, ...missing, ...inHead.unlikeRows, ...inHead.others.keys()]);
  // An entry of the head that is never checked out may be in the working tree too, and is reported once.
  const named = new Set(files.ignored.map(({ path }) => path));
  const left = [...files.ignored, ...inHead.carried.filter(({ path }) => !named.has(path))];
  if (inHead.mayHaveTwins) {
    const all = new Set([...files.changed, ...rows.paths.filter(isNotePath), ...inHead.others.keys()]);
    for (const [path, first] of findTwins([...all].sort())) {
      // A file that we checked out is removed if another path hides it now; a person's file stays as it is.
      const place = rows.placeOf(path);
      if (place !== -1 && isStill(folder, path, rows.blobs[place])) continue;
      paths.delete(path);
      if (!left.some((file) => file.path === path)) left.push({ path, reason: describeTwin(first) });
    }
  }
  const candidates = [...paths].sort().map((path): Candidate => {
    const place = rows.placeOf(path);
    const blob = inHead.isSame[place] === 1 ? rows.blobs[place] : inHead.others.get(path);
    if (files.isUnchanged(place)) return { path, head: blob, row: rows.rowAt(place), isUntouched: true };
    // The rows were read before the files, and another process may have written this file in between.
    return toCandidate(store, name, path, blob);
  });
  return { candidates, left };
};

const isStill = (folder: string, path: string, blob: BlobId | undefined): boolean => {
  const file = readNoteFile(folder, path, blob);
  return file.kind === 'file' && file.row.blob === blob;
};

/** If nothing can be written, git is asked again next time. */
const noteSameTree = (state: State, name: JournalName, head: string): void => {
  try {
    state.setSameTree(name, head);
  } catch (error) {
    if (!isDenied(error)) throw error;
  }
};

type ComparedHead = {
  /** By position of a row: 1 if the head has that version. */
  readonly isSame: Uint8Array;
  /** Paths whose row differs from the head. */
  readonly unlikeRows: readonly string[];
  /** Versions of all other notes of the head. */
  readonly others: ReadonlyMap<string, BlobId>;
  readonly carried: readonly CarriedPath[];
  readonly mayHaveTwins: boolean;
};

/** If all paths have the usual form, none is another's twin, and only entries that differ from a row are parsed. */
const compareHead = (lines: readonly string[], rows: CheckedOutFiles, changed: readonly string[]): ComparedHead => {
  const compared = compareLines(lines, rows, isNotePath);
  const mayHaveTwins =
    !rows.paths.every(isUsualPath) ||
    !changed.every(isUsualPath) ||
    compared.others.some(({ path }) => isNotePath(path) && !isUsualPath(path));
  const entries = mayHaveTwins ? parseTreeLines(lines) : compared.others;
  const isSame = mayHaveTwins ? new Uint8Array(rows.size) : compared.isSame;
  const others = new Map<string, BlobId>();
  for (const { path, blob } of notesAmong(entries)) {
    const place = rows.placeOf(path);
    if (rows.blobs[place] === blob) isSame[place] = 1;
    else others.set(path, blob);
  }
  const unlikeRows = rows.paths.filter((path, place) => isSame[place] !== 1 && isNotePath(path));
  return { isSame, unlikeRows, others, carried: carriedAmong(entries), mayHaveTwins };
};
