/** Finds what reconciling would find in a journal's working tree, and changes nothing but the record of unchanged files. */
import { isDenied } from '../../events/environment-faults.js';
import type { JournalName } from '../../events/note/note.js';
import type { CheckedOutFile } from '../../events/worktree/working-tree.js';
import { readLostLocal } from '../../state/lost-journal.js';
import { readBaseSource } from './foreign-commits.js';
import type { ReplacedNote } from './lost-notes.js';
import { findUnmerged, judgeBranch } from './persons-git.js';
import type { LeftFile, SortedFiles } from './sort-files.js';
import { eachOnce, knownCheckout, type Survey, surveyTree } from './survey.js';
import { type NotePlaces, noteAt, type Store } from './write-store.js';

export type TreeFindings = {
  /** Paths whose text an event would record. */
  readonly edited: readonly string[];
  /** Files that took the places of other notes; they are also in `edited` unless they are held. */
  readonly replaced: readonly ReplacedNote[];
  /** Paths of notes that a person removed. */
  readonly deleted: readonly string[];
  /** There are too many removed and replaced files to record without confirmation. */
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
  const places = await readPlaces(store, name, whole);
  const isLocalLost = name === 'portable' && readLostLocal(store.state) !== undefined;
  const found = await withoutPrivate(journal, store.lookup.askPlaces, whole, isLocalLost);
  const total = store.state.allStamps(name).size;
  const { edits, held, replaced } = planRemovals(name, places, found, 'hold', { asked: [], total });
  const lost = new Set(held);
  return {
    edited: [...edits, ...replaced].map(({ path }) => path),
    replaced,
    deleted: found.removed.filter((path) => lost.has(path)),
    areHeld: areTooManyDeletions(held.length, total),
    left: eachOnce([...survey.left, ...found.left]),
  };
};

const unmergedReason = 'it holds the marks of a merge that git could not finish: resolve them, then git add the file';

type KnownPlaces = Pick<NotePlaces, 'filesOf' | 'idAt'>;

const readPlaces = (store: Store, name: JournalName, { edits, removed }: SortedFiles): Promise<KnownPlaces> =>
  store.lookup.askPlaces((all) => {
    const paths = [...edits.map(({ path }) => path), ...removed];
    const idAt = new Map(paths.map((path) => [path, all.idAt(name, path)]));
    const ids = new Set([...edits.map(({ id }) => id), ...paths.map((path) => noteAt(all, name, path))]);
    const files = new Map([...ids].map((id) => [id, all.filesOf(id)]));
    return {
      filesOf: (id) => files.get(id) ?? [],
      idAt: (_, path) => idAt.get(path),
    };
  });

const nothingFound: TreeFindings = { edited: [], replaced: [], deleted: [], areHeld: false, left: [] };
