/** Compares every file of a journal with its checkout and the head, to find which to examine. */

import { isDenied } from '../../events/environment-faults.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { parseTreeLines } from '../../events/git/git-log.js';
import { type CarriedPath, carriedAmong, describeTwin, notesAmong } from '../../events/git/note-tree.js';
import { splitFields } from '../../events/git/path-bytes.js';
import { compareLines, readTree } from '../../events/git/tree-lines.js';
import type { BlobId, JournalName } from '../../events/note/note.js';
import { findTwins, isNotePath, isUsualPath } from '../../events/note/paths.js';
import { type CheckedOutFiles, type ComparedFiles, compareFiles } from '../../events/worktree/checked-out-files.js';
import type { FoundFile } from '../../events/worktree/working-tree.js';
import type { State } from '../../state/state.js';
import { currentBlob, guessBase } from './base-of-file.js';
import type { BaseOf } from './file-bases.js';
import type { Candidate, LeftFile } from './hand-edits.js';
import type { Store } from './write-store.js';

export type Gathered = {
  readonly candidates: readonly Candidate[];
  /** Files that are certainly as last checked out, so that they need not be read. */
  readonly unchanged: ReadonlyMap<string, FoundFile>;
  readonly left: readonly LeftFile[];
};

/** Stands for the content of a file that need not be read. */
const noBytes = Buffer.alloc(0);

/**
 * Costs an lstat per file, and one git call unless the head's tree was already compared with these same rows.
 * `cleanUp`, which requires the write lock, also records that they match.
 */
export const gatherWhole = async (
  store: Store,
  journal: GitJournal,
  head: string | undefined,
  checkout: string | undefined,
  baseOf: BaseOf,
  cleanUp: boolean,
): Promise<Gathered> => {
  const { state } = store;
  const { name, folder } = journal;
  const stamps = head !== undefined && state.sameTree(name) === head ? state.allStamps(name) : undefined;
  const seen = stamps && (await compareFiles(folder, stamps, cleanUp));
  if (seen?.isAsCheckedOut === true && stamps?.sameTree === head) return nothingGathered(seen.ignored);
  const rows = state.allCheckedOut(name);
  const isKnown = rows.sameTree === head;
  const reading = head === undefined || isKnown ? undefined : readTree(journal.folders, head);
  // Git reads while the files are walked; its errors surface where it is awaited.
  reading?.catch(() => undefined);
  const isSeen = seen !== undefined && rows.entries === stamps?.entries;
  const files = isSeen ? seen : await compareFiles(folder, rows, cleanUp);
  const checkedOut = Buffer.from(rows.tree);
  const tree = isKnown ? checkedOut : ((await reading) ?? noBytes);
  if (files.isAsCheckedOut && tree.equals(checkedOut)) {
    if (cleanUp && head !== undefined) noteSameTree(state, name, head);
    return nothingGathered(files.ignored);
  }
  const inHead = compareHead(splitFields(tree), rows, files.changed);
  // A path that isn't (or is no longer) a note's is neither checked out nor removed.
  const missing = files.missing.filter(isNotePath);
  const paths = new Set([...files.changed, ...missing, ...inHead.unlikeRows, ...inHead.others.keys()]);
  const left = [...files.ignored, ...leftInHead(inHead.carried, files)];
  if (inHead.mayHaveTwins) {
    const all = new Set([...files.changed, ...rows.paths.filter(isNotePath), ...inHead.others.keys()]);
    for (const [path, first] of findTwins([...all].sort())) {
      // A file that we checked out is removed if another path hides it now; a person's file stays as it is.
      const place = rows.placeOf(path);
      if (place !== -1 && currentBlob(journal, path) === rows.blobs[place]) continue;
      paths.delete(path);
      if (!left.some((file) => file.path === path)) left.push({ path, reason: describeTwin(first) });
    }
  }
  const candidates: Candidate[] = [];
  const unchanged = new Map<string, FoundFile>();
  for (const path of [...paths].sort()) {
    const place = rows.placeOf(path);
    const blob = inHead.isSame[place] === 1 ? rows.blobs[place] : inHead.others.get(path);
    // An unchanged file whose head moved on is reconciled by its base, so its bytes are never read.
    if (files.isUnchanged(place)) unchanged.set(path, { kind: 'file', bytes: noBytes, row: rows.rowAt(place) });
    // The rows were read before the files, and another process may have written this file in between.
    const checkedOut = files.isUnchanged(place) ? rows.blobs[place] : store.state.checkedOut(journal.name, path)?.blob;
    const base =
      checkedOut !== undefined
        ? // An unchanged file is as we checked it out, and its bytes are not at hand.
          files.isUnchanged(place)
          ? checkedOut
          : baseOf(path, checkedOut)
        : checkout === undefined
          ? await guessBase(journal, head, path, blob)
          : baseOf(path, undefined);
    candidates.push({ path, base, head: blob });
  }
  return { candidates, unchanged, left };
};

const nothingGathered = (left: readonly LeftFile[]): Gathered => ({ candidates: [], unchanged: new Map(), left });

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

/** Entries of the head that are never checked out; one that is in the working tree too is reported once. */
const leftInHead = (carried: readonly CarriedPath[], { ignored }: ComparedFiles): readonly LeftFile[] => {
  const named = new Set(ignored.map(({ path }) => path));
  return carried.filter(({ path }) => !named.has(path));
};
