/** Joins two heads of the journal in one merge commit, which is made beside the branch. */
import { type Store, toPathChange } from '../commands/worktree/write-store.js';
import type { JournalEvent } from '../events/event.js';
import { buildCommits } from '../events/git/branch.js';
import { type HeadSide, mergeBases, readSide, type UnpublishedCommit } from '../events/git/commit-range.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { isFileMode } from '../events/git/git-log.js';
import { rememberDifference } from '../events/git/note-tree.js';
import type { Difference, ImportedChange, PathChange } from '../events/journal.js';
import { notesAt, toLoggedEvent } from '../events/logged-event.js';
import { changesTo, contentsToMerge, type MergedTree, mergeTrees, type TreeSide } from '../events/merge/merge-trees.js';
import type { Contents } from '../events/merge/tree-state.js';
import { blobIdOf } from '../events/note/blob-id.js';
import { formatAllLost } from '../events/note/lost-values.js';
import type { NoteId } from '../events/note/note.js';
import { idOfPath, isNotePath, standApart } from '../events/note/paths.js';
import { heldAtOnce } from '../events/read-in-batches.js';
import { formatTime, parseTime } from '../events/time.js';
import { formatMessage } from '../events/trailers.js';
import { timeOfUlid } from '../events/ulid-form.js';

export type MergedHeads = {
  readonly commit: string;
  /** What the index and the files need to go there from our head; undefined if it is too much or can't be told. */
  readonly difference: Difference | undefined;
  /** The commits that the remote lacks, the merge among them, and contents that were read for it. */
  readonly unpublished: readonly UnpublishedCommit[];
  readonly contents: Contents;
  readonly merged: readonly NoteId[];
  readonly conflicted: readonly NoteId[];
};

type Heads = { readonly ours: string; readonly theirs: string };

/** The branch stays where it is. Throws GitError. */
export const mergeHeads = async (store: Store, { ours, theirs }: Heads): Promise<MergedHeads> => {
  const journal = store.journals.portable;
  const { folders } = journal;
  store.step('sync:merge');
  const bases = await basesOf(journal, ours, theirs);
  const base = await joinBases(journal, bases, store.machine, deepest);
  const [mine, other] = [await readSide(folders, base, ours, theirs), await readSide(folders, base, theirs, ours)];
  const merged = await mergeSides(journal, withTimes(mine), withTimes(other));
  const atMs = store.nowMs();
  const event: JournalEvent = {
    id: store.newId(atMs),
    kind: 'machines.merged',
    at: formatTime(atMs),
    machine: store.machine,
    subject: describe(mine.commits.length, other.commits.length, merged),
    notes: [...new Set([...merged.merged, ...merged.returned, ...merged.conflicts.map(({ sibling }) => sibling)])],
    base: bases.length === 0 ? undefined : bases,
    ours,
    theirs,
    returned: merged.returned.length === 0 ? undefined : merged.returned,
    lost: formatAllLost(merged.lost),
  };
  const message = formatMessage(event);
  const written = changesTo(withTimes(mine), merged);
  const commit = { message, machine: store.machine, epochMs: atMs, joins: theirs, changes: written };
  const [made = ''] = await buildCommits(folders, [commit], ours);
  store.step('sync:merged');
  const joined: UnpublishedCommit = {
    ...{ hash: made, parents: [ours, theirs], epochMs: atMs, author: `anamnesis@${store.machine}`, message },
    changes: asPathChanges(written, mine, other, made),
  };
  await rememberDifference(folders, ours, made, joined.changes);
  const isMade = new Set(written.flatMap((change) => ('bytes' in change ? [change.path] : [])));
  return {
    commit: made,
    difference: await differenceOf(journal, { ours, theirs: other.commits, joined, contents: merged.contents }),
    unpublished: [...mine.commits, { ...joined, changes: joined.changes.filter(({ path }) => isMade.has(path)) }],
    contents: merged.contents,
    merged: merged.merged,
    conflicted: [...new Set(merged.conflicts.map(({ noteId }) => noteId))],
  };
};

/** How our head's tree becomes the merged one. */
const asPathChanges = (
  written: readonly ImportedChange[],
  mine: HeadSide,
  other: HeadSide,
  likeId: string,
): readonly PathChange[] => {
  const before = new Map([
    ...other.changes.map((change) => [change.path, change.before] as const),
    ...mine.changes.map((change) => [change.path, change.after] as const),
  ]);
  return written.map((change) => {
    const { path } = change;
    if ('blob' in change) return { path, before: before.get(path), after: change.blob, afterMode: change.mode };
    const after = change.bytes === undefined ? undefined : blobIdOf(change.bytes, likeId);
    return toPathChange(path, before.get(path), after);
  });
};

type Joining = {
  readonly ours: string;
  readonly theirs: readonly UnpublishedCommit[];
  readonly joined: UnpublishedCommit;
  readonly contents: Contents;
};

/** Most of it was read for the merge; git would need four calls to read it again. */
const differenceOf = async (
  journal: GitJournal,
  { ours, theirs, joined, contents }: Joining,
): Promise<Difference | undefined> => {
  const changes = joined.changes
    .filter(({ path }) => isNotePath(path))
    .map((change) => (isFileMode(change.afterMode) ? change : { ...change, after: undefined }));
  const wanted = changes.flatMap(({ after }) => after ?? []);
  const missing = wanted.filter((blob) => !contents.has(blob));
  if (missing.length > mostRead || !standApart(changes)) return undefined;
  const read = missing.length === 0 ? contents : await journal.blobs(missing, heldAtOnce);
  const bytes = new Map(
    wanted.flatMap((blob) => {
      const content = contents.get(blob) ?? read.get(blob);
      return content === undefined ? [] : [[blob, content] as const];
    }),
  );
  if (wanted.some((blob) => !bytes.has(blob))) return undefined;
  const events = [...theirs, joined].map((commit) => toLoggedEvent(commit, notesAt(commit.changes)));
  return { journal: journal.name, from: ours, to: joined.hash, changes, bytes, events };
};

/** Above this many files, the index is better replayed. */
const mostRead = 1000;

const withTimes = ({ commits, changes }: HeadSide): TreeSide => ({ changes, times: timesIn(commits) });

/** Merges two trees, with the contents that it takes read from git. */
export const mergeSides = async (journal: GitJournal, a: TreeSide, b: TreeSide): Promise<MergedTree> => {
  // A content that is too large for a note is merged without looking into it.
  return mergeTrees(a, b, await journal.blobs(contentsToMerge(a, b)));
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
    const sideOf = async (commit: string, other: string): Promise<TreeSide> =>
      withTimes(await readSide(journal.folders, below, commit, other));
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
