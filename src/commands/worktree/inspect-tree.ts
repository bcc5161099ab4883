/** Finds what reconciling would find in a journal's working tree, and changes nothing but the record of unchanged files. */
import { isDenied } from '../../events/environment-faults.js';
import type { JournalName } from '../../events/note/note.js';
import type { CheckedOutFile } from '../../events/worktree/working-tree.js';
import { readLostLocal } from '../../state/lost-journal.js';
import { readBaseSource } from './foreign-commits.js';
import { findUnmerged, judgeBranch } from './persons-git.js';
import type { LeftFile, SortedFiles } from './sort-files.js';
import { eachOnce, knownCheckout, type Survey, surveyTree } from './survey.js';
import type { Store } from './write-store.js';

export type TreeFindings = {
  /** Paths whose text an event would record. */
  readonly edited: readonly string[];
  /** Paths of notes that a person removed. */
  readonly deleted: readonly string[];
  /** There are too many removed files to record without confirmation. */
  readonly areHeld: boolean;
  readonly left: readonly LeftFile[];
};

export const inspectTree = async (store: Store, name: JournalName): Promise<TreeFindings> => {
  const journal = store.journals[name];
  if (!journal.exists()) return nothingFound;
  const { head } = await judgeBranch(journal);
  const checkout = await knownCheckout(store.state, journal, head);
  const survey = await surveyTree(store, journal, head, false);
  if (survey.candidates.length === 0) return { ...nothingFound, left: survey.left };
  // Loads the YAML parser, which takes longer than examining a small store.
  const { sortFiles } = await import('./sort-files.js');
  const sorted = await sortFiles(journal, survey.candidates, await readBaseSource(journal, { head, checkout }));
  noteUnchanged(store, name, sorted.advance);
  const left = [...survey.left, ...sorted.left];
  // Querying the index writes files beside it, which inspecting an unchanged store must not do.
  if (sorted.edits.length + sorted.removed.length === 0) return { ...nothingFound, left: eachOnce(left) };
  return inspectEdits(store, name, survey, sorted);
};

/** What was hashed because its stat could not decide is recorded, as git's own refresh of its index does. */
const noteUnchanged = ({ state }: Store, name: JournalName, rows: readonly CheckedOutFile[]): void => {
  if (rows.length === 0) return;
  try {
    state.refreshStamps(name, rows);
  } catch (error) {
    // Next time they are hashed again.
    if (!isDenied(error)) throw error;
  }
};

const inspectEdits = async (
  store: Store,
  name: JournalName,
  survey: Survey,
  sorted: SortedFiles,
): Promise<TreeFindings> => {
  const journal = store.journals[name];
  const { leaveOut, withoutPrivate } = await import('./private-files.js');
  const { areTooManyDeletions, planRemovals } = await import('./lost-notes.js');
  const unmerged = await findUnmerged(journal, sorted.edits);
  const marked = sorted.edits.filter(({ path }) => unmerged.has(path));
  const whole = leaveOut(sorted, new Map(marked.map((edit) => [edit, unmergedReason])));
  const isLocalLost = name === 'portable' && readLostLocal(store.state) !== undefined;
  const found = await withoutPrivate(journal, store.lookup.askPlaces, whole, isLocalLost);
  const total = store.state.allStamps(name).size;
  const asked = { asked: [], total };
  const { held } = await store.lookup.askPlaces((places) => planRemovals(name, places, found, 'hold', asked));
  return {
    edited: found.edits.map(({ path }) => path),
    deleted: held,
    areHeld: areTooManyDeletions(held.length, total),
    left: eachOnce([...survey.left, ...found.left]),
  };
};

const unmergedReason = 'it holds the marks of a merge that git could not finish: resolve them, then git add the file';

const nothingFound: TreeFindings = { edited: [], deleted: [], areHeld: false, left: [] };
