/** Every file of a journal beside what was checked out and what the head has: which of them have to be looked at. */

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
import type { Candidate, LeftFile } from './hand-edits.js';
import type { BaseOf } from './laid-out.js';
import type { Store } from './write-store.js';

export type Gathered = {
  readonly candidates: readonly Candidate[];
  /** Files that surely are what was last checked out, so that they need not be read. */
  readonly unchanged: ReadonlyMap<string, FoundFile>;
  readonly left: readonly LeftFile[];
};

/** Stands for the content of a file that need not be read. */
const noBytes = Buffer.alloc(0);

/**
 * Costs an lstat a file, and one git call unless the head's tree was compared with these same rows before. With `cleanUp`,
 * which is asked for under the write lock alone, it is noted that they are the same.
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
  // Git is at it while the files are walked; how it fares is heard below.
  reading?.catch(() => undefined);
  const isSeen = seen !== undefined && rows.entries === stamps?.entries;
  const files = isSeen ? seen : await compareFiles(folder, rows, cleanUp);
  const laidOut = Buffer.from(rows.tree);
  const tree = isKnown ? laidOut : ((await reading) ?? noBytes);
  if (files.isAsCheckedOut && tree.equals(laidOut)) {
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
      // A file that we checked out goes now that another path hides it; a person's file stays as it is.
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
    // An unchanged file whose head moved on is reconciled by its base, so its bytes are never looked at.
    if (files.isUnchanged(place)) unchanged.set(path, { kind: 'file', bytes: noBytes, row: rows.rowAt(place) });
    // The rows were read before the files, and another process may have put this file in between.
    const checkedOut = files.isUnchanged(place) ? rows.blobs[place] : store.state.checkedOut(journal.name, path)?.blob;
    const base =
      checkedOut !== undefined
        ? // What is as we left it was laid out by no one else, and its bytes are not at hand.
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

/** Where nothing can be written git is asked again the next time. */
const noteSameTree = (state: State, name: JournalName, head: string): void => {
  try {
    state.setSameTree(name, head);
  } catch (error) {
    if (!isDenied(error)) throw error;
  }
};

type ComparedHead = {
  /** By place of a row: 1 where the head has that version. */
  readonly isSame: Uint8Array;
  /** Paths with a row that says otherwise than the head. */
  readonly unlikeRows: readonly string[];
  /** Versions of all other notes of the head. */
  readonly others: ReadonlyMap<string, BlobId>;
  readonly carried: readonly CarriedPath[];
  readonly mayHaveTwins: boolean;
};

/** Where all paths are of the usual form none is the twin of another, and only entries that differ from a row are parsed. */
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

/** Entries of the head that nobody checks out; one that is in the working tree too is named once. */
const leftInHead = (carried: readonly CarriedPath[], { ignored }: ComparedFiles): readonly LeftFile[] => {
  const named = new Set(ignored.map(({ path }) => path));
  return carried.filter(({ path }) => !named.has(path));
};
