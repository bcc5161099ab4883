/** Joins two heads of the journal in one merge commit, which is made beside the branch. */
import type { Store } from '../commands/worktree/write-store.js';
import type { JournalEvent } from '../events/event.js';
import { buildCommits } from '../events/git/branch.js';
import { mergeBases } from '../events/git/commit-range.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { diffTrees } from '../events/git/note-tree.js';
import { readUnpublished, type UnpublishedCommit } from '../events/git/remote/unpublished.js';
import { toLoggedEvent } from '../events/logged-event.js';
import { changesTo, contentsToMerge, type MergedTree, mergeTrees, type TreeSide } from '../events/merge/merge-trees.js';
import { formatLost } from '../events/note/lost-values.js';
import type { BlobId, NoteId } from '../events/note/note.js';
import { idOfPath, isNotePath } from '../events/note/paths.js';
import { formatTime, parseTime } from '../events/time.js';
import { formatMessage } from '../events/trailers.js';
import { timeOfUlid } from '../events/ulid-form.js';

export type MergedHeads = {
  /** The merge commit. */
  readonly commit: string;
  readonly merged: readonly NoteId[];
  readonly conflicted: readonly NoteId[];
};

type Heads = { readonly ours: string; readonly theirs: string };

/** The branch stays where it is. Throws GitError. */
export const mergeHeads = async (store: Store, { ours, theirs }: Heads): Promise<MergedHeads> => {
  const journal = store.journals.portable;
  store.step('sync:merge');
  const bases = await basesOf(journal, ours, theirs);
  const base = await joinBases(journal, bases, store.machine, deepest);
  const [commits, theirCommits] = await Promise.all([
    readUnpublished(journal.folders, ours, theirs),
    readUnpublished(journal.folders, theirs, ours),
  ]);
  const mine: TreeSide = { changes: await diffTrees(journal.folders, base, ours), times: timesIn(commits) };
  const other: TreeSide = { changes: await diffTrees(journal.folders, base, theirs), times: timesIn(theirCommits) };
  const merged = await mergeSides(journal, mine, other);
  const atMs = store.nowMs();
  const event: JournalEvent = {
    id: store.newId(atMs),
    kind: 'machines.merged',
    at: formatTime(atMs),
    machine: store.machine,
    subject: describe(commits.length, theirCommits.length, merged),
    notes: [...new Set([...merged.merged, ...merged.returned, ...merged.conflicts.map(({ sibling }) => sibling)])],
    base: bases.length === 0 ? undefined : bases,
    ours,
    theirs,
    returned: merged.returned.length === 0 ? undefined : merged.returned,
    lost: merged.lost.length === 0 ? undefined : merged.lost.map(formatLost),
  };
  const commit = { message: formatMessage(event), machine: store.machine, epochMs: atMs, joins: theirs };
  const [made = ''] = await buildCommits(journal.folders, [{ ...commit, changes: changesTo(mine, merged) }], ours);
  store.step('sync:merged');
  const conflicted = [...new Set(merged.conflicts.map(({ noteId }) => noteId))];
  return { commit: made, merged: merged.merged, conflicted };
};

/** Merges two trees, with the contents that it takes read from git. */
export const mergeSides = async (journal: GitJournal, a: TreeSide, b: TreeSide): Promise<MergedTree> => {
  const bytes = new Map<BlobId, Buffer>();
  const asked = new Set<BlobId>();
  for (;;) {
    // A content that is too large for a note is merged without looking into it.
    const wanted = contentsToMerge(a, b, bytes).filter((blob) => !asked.has(blob));
    if (wanted.length === 0) return mergeTrees(a, b, bytes);
    for (const blob of wanted) asked.add(blob);
    for (const [blob, content] of await journal.blobs(wanted)) bytes.set(blob, content);
  }
};

/** In hash order, so that every machine merges several bases alike. */
const basesOf = async ({ folders }: GitJournal, ours: string, theirs: string): Promise<readonly string[]> =>
  (await mergeBases(folders, ours, theirs)).toSorted().slice(0, mostBases);

/** Machines that merge at once leave two; more than a few at a time come of no honest use. */
const mostBases = 4;
const deepest = 4;

/** Several bases are merged first, into a commit that nothing names. Undefined is the empty tree. */
const joinBases = async (
  journal: GitJournal,
  bases: readonly string[],
  machine: string,
  depth: number,
): Promise<string | undefined> => {
  let [joined] = bases;
  for (const next of bases.slice(1)) {
    if (joined === undefined || depth === 0) break;
    const below = await joinBases(journal, await basesOf(journal, joined, next), machine, depth - 1);
    const sideOf = async (commit: string, other: string): Promise<TreeSide> => ({
      changes: await diffTrees(journal.folders, below, commit),
      times: timesIn(await readUnpublished(journal.folders, commit, other)),
    });
    const mine = await sideOf(joined, next);
    const changes = changesTo(mine, await mergeSides(journal, mine, await sideOf(next, joined)));
    const commit = { message: 'a base of two heads', machine, epochMs: 0, joins: next, changes };
    [joined] = await buildCommits(journal.folders, [commit], joined);
  }
  return joined;
};

/** When each note was last changed by somebody; merging it is no change of its own. */
const timesIn = (commits: readonly UnpublishedCommit[]): ReadonlyMap<NoteId, number> => {
  const times = new Map<NoteId, number>();
  for (const commit of commits) {
    const { event, foreign } = toLoggedEvent(commit, []);
    if (event.kind === 'machines.merged') continue;
    const atMs = foreign ? commit.epochMs : timeOf(event);
    const paths = commit.changes.flatMap(({ path }) => (isNotePath(path) ? [idOfPath(path)] : []));
    for (const id of new Set([...event.notes, ...paths])) times.set(id, Math.max(times.get(id) ?? 0, atMs));
  }
  return times;
};

/** An event's id has the milliseconds of its time, unless that is the time of a file. */
const timeOf = ({ id, at }: JournalEvent): number => {
  const [idMs, atMs] = [timeOfUlid(id), parseTime(at) ?? 0];
  return Math.floor(idMs / 1000) * 1000 === atMs ? idMs : atMs;
};

const describe = (ours: number, theirs: number, { merged, conflicts, returned }: MergedTree): string =>
  [
    `${counted(ours, 'event')} from here with ${theirs} from the remote`,
    ...(merged.length === 0 ? [] : [`${counted(merged.length, 'note')} merged`]),
    ...(conflicts.length === 0 ? [] : [`${counted(conflicts.length, 'text')} kept beside`]),
    ...(returned.length === 0 ? [] : [`${counted(returned.length, 'note')} came back`]),
  ].join(', ');

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
