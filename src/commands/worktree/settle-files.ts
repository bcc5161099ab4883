/** Carries out what the table says for each examined file: checks versions out, and records a person's changes. */
import type { KnownEvent } from '../../events/event.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { diffTrees } from '../../events/git/note-tree.js';
import type { ImportedChange } from '../../events/journal.js';
import { formatLost } from '../../events/note/lost-values.js';
import { isNotePath } from '../../events/note/paths.js';
import { formatTime } from '../../events/time.js';
import { readLostLocal } from '../../state/lost-journal.js';
import { appendEvents } from './append.js';
import { checkOutFiles } from './check-out-files.js';
import { findForeignSecrets } from './foreign-commits.js';
import { buildHandEvent, type HandEvent } from './hand-edits.js';
import { planRemovals } from './lost-notes.js';
import { findUnmerged, refuseUnmerged } from './persons-git.js';
import { withoutPrivate } from './private-files.js';
import { type JournalHeads, nothingReconciled, type ReconcileOptions, type Round } from './reconciled.js';
import { type BaseSource, type SortedFiles, sortFiles } from './sort-files.js';
import { eachOnce, findElsewhere, type Survey, surveyPaths } from './survey.js';
import type { Store } from './write-store.js';

export const settleFiles = async (
  store: Store,
  journal: GitJournal,
  heads: JournalHeads,
  survey: Survey,
  source: BaseSource,
  look: ReconcileOptions['look'],
  options: ReconcileOptions,
): Promise<Round> => {
  const { name } = journal;
  const sorted = await sortAll(store, journal, heads, survey, source, look);
  const [unmerged] = await findUnmerged(journal, sorted.edits);
  if (unmerged !== undefined) refuseUnmerged(journal, unmerged);
  const isLocalLost = name === 'portable' && readLostLocal(store.state) !== undefined;
  const found = await withoutPrivate(journal, (question) => question(store.lookup), sorted, isLocalLost);
  const asked = options.look === 'all' ? 'all' : [...options.look, ...(heads.undone?.paths ?? [])];
  const total = store.lookup.countFiles(name);
  const removals = planRemovals(name, store.lookup, found, options.deletions, { asked, total });
  const back = removals.restored.map((path) => ({ path, head: store.lookup.blobAt(name, path), base: undefined }));
  const laid = await checkOutFiles(store, journal, [...found.put, ...back]);
  const edits = [...found.edits, ...(await findForeignSecrets(store, journal, source, sorted.edits))];
  const left = eachOnce([...survey.left, ...found.left, ...laid.left]);
  const waiting = { left, heldDeletions: removals.held, putBack: removals.restored };
  const rows = { put: [...found.advance, ...found.bases, ...laid.put], removed: [...found.gone, ...laid.removed] };
  const others = await otherFiles(journal, heads);
  if (edits.length + removals.recorded.length + others.length === 0) {
    const isDone = laid.contested.length === 0;
    store.step('checkpoint');
    store.state.advance(name, isDone ? heads.head : undefined, rows.put, rows.removed);
    return { ...nothingReconciled, ...waiting, again: isDone ? undefined : laid.contested };
  }
  const eventId = store.newId(store.nowMs());
  const hand = await buildHandEvent(store, journal, edits, removals.recorded, eventId);
  const commit = {
    event: toEvent(hand, eventId, store.machine, heads),
    epochMs: hand.atMs,
    changes: hand.changes,
    joins: heads.undone?.joins,
    others,
  };
  const takenIn = new Map(edits.map(({ path, blob }) => [path, blob]));
  const appended = await appendEvents(store, name, [commit], { head: heads.head, takenIn, ...rows });
  if (appended === 'moved') return { ...nothingReconciled, ...waiting, again: [] };
  // No command may be decided on files and an index that lack the event.
  if (appended.unfinished !== undefined) throw appended.unfinished;
  const contested = [...appended.contested, ...laid.contested];
  const again = contested.length === 0 ? undefined : contested;
  return { ...waiting, event: commit.event, merged: hand.merged, masked: hand.masked, again };
};

/** A note whose file is gone from an examined path may be elsewhere, where nothing has looked yet. */
const sortAll = async (
  store: Store,
  journal: GitJournal,
  heads: JournalHeads,
  survey: Survey,
  source: BaseSource,
  look: ReconcileOptions['look'],
): Promise<SortedFiles> => {
  const sorted = await sortFiles(journal, survey.candidates, source);
  if (look === 'all') return sorted;
  const more = (await findElsewhere(store, journal, sorted.removed)).filter(
    (path) => !survey.candidates.some((candidate) => candidate.path === path),
  );
  if (more.length === 0) return sorted;
  return sortAll(store, journal, heads, await surveyPaths(store, journal, heads, [...look, ...more]), source, [
    ...look,
    ...more,
  ]);
};

const toEvent = (hand: HandEvent, id: string, machine: string, { undone }: JournalHeads): KnownEvent => {
  const isOnlyMove = hand.changes.length === 0;
  const moved = isOnlyMove ? movedByOther : `${movedByOther}: ${hand.subject}`;
  return {
    id,
    at: formatTime(hand.atMs),
    machine,
    notes: hand.notes,
    kind: 'hand.adopted',
    subject: undone === undefined ? hand.subject : moved,
    adopted: hand.adopted.length === 0 ? undefined : hand.adopted,
    lost: hand.lost.length === 0 ? undefined : hand.lost.map(formatLost),
  };
};
const movedByOther = 'main was moved by another program';

/** Files that aren't notes stay as the person's git left them. */
const otherFiles = async (
  { folders }: GitJournal,
  { head, undone }: JournalHeads,
): Promise<readonly ImportedChange[]> =>
  head === undefined || undone?.joins === undefined
    ? []
    : (await diffTrees(folders, head, undone.joins)).flatMap(
        ({ path, after: blob, afterMode: mode }): ImportedChange[] =>
          isNotePath(path) ? [] : blob === undefined ? [{ path, bytes: undefined }] : [{ path, blob, mode }],
      );
