/** Rebases writes made while a move of the branch was planned onto its target, if the two don't touch. */
import { buildCommits } from '../events/git/branch.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { diffTrees } from '../events/git/note-tree.js';
import { readLine, type UnpublishedCommit } from '../events/git/remote/unpublished.js';
import type { Difference, NewCommit, PathChange } from '../events/journal.js';
import { notesAt, toLoggedEvent } from '../events/logged-event.js';
import { idOfPath, isNotePath } from '../events/note/paths.js';
import { mayCollide } from './reappend/path-collisions.js';

/** A move of the branch to `target`, with the difference for the index; undefined if that is too large for it. */
export type Move = {
  readonly from: string | undefined;
  readonly target: string;
  readonly difference: Difference | undefined;
  /** All incoming paths, read when late writes are first compared with them; later rounds reuse them. */
  readonly came?: readonly PathChange[] | undefined;
};

/** Once a round rebases no more events than this, what is left is rebased under the write lock. */
const fewRebased = 10;
const maxRounds = 10;

/** Rebases what others write, without the write lock, until what is left takes almost no time under it. */
export const rebaseBeside = async (journal: GitJournal, planned: Move): Promise<Move> => {
  let move = planned;
  for (let round = 0; round < maxRounds; round += 1) {
    const head = journal.head();
    const events = move.difference?.events.length ?? 0;
    const rebased = head === move.from ? undefined : await rebaseLateWrites(journal, move, head);
    if (rebased === undefined) break;
    move = rebased;
    if ((rebased.difference?.events.length ?? 0) - events <= fewRebased) break;
  }
  return move;
};

/**
 * Rebases what was written up to `head`, the present head. Returns undefined if a new plan is needed: the same note on
 * both sides, a person's commit, a path outside the notes, a folder where a file came. Makes two git calls, and the
 * first time a third one unless its answer is cached.
 */
export const rebaseLateWrites = async (
  { name, folders }: GitJournal,
  { from, target, difference, came: known }: Move,
  head: string | undefined,
): Promise<Move | undefined> => {
  if (from === undefined || head === undefined || difference === undefined) return undefined;
  const commits = await readLine(folders, from, head);
  if (commits === undefined || !standAlone(commits, difference)) return undefined;
  const came = known ?? (await diffTrees(folders, from, target));
  if (
    mayCollide(
      commits.flatMap(({ changes }) => changes),
      came,
    )
  )
    return undefined;
  const ids = await buildCommits(folders, commits.map(toNewCommit), target);
  const before = commits.map((commit) => toLoggedEvent(commit, notesAt(commit.changes)));
  const after = before.map((event, at) => ({
    ...event,
    commit: ids[at] ?? '',
    parents: [at === 0 ? target : (ids[at - 1] ?? '')],
  }));
  const rebased: Difference = {
    ...difference,
    journal: name,
    from: head,
    to: ids.at(-1) ?? target,
    events: [...difference.events, ...after],
    dropped: [...(difference.dropped ?? []), ...before],
  };
  return { from: head, target: rebased.to, difference: rebased, came };
};

const standAlone = (commits: readonly UnpublishedCommit[], difference: Difference): boolean => {
  const touched = new Set(difference.changes.map(({ path }) => idOfPath(path)));
  const known = new Set(difference.events.map(({ event }) => event.id));
  return commits.every((commit) => {
    const { event, foreign } = toLoggedEvent(commit, notesAt(commit.changes));
    if (foreign || known.has(event.id)) return false;
    return commit.changes.every(({ path }) => isNotePath(path) && !touched.has(idOfPath(path)));
  });
};

/** Copies the commit as it is, with trailers that a newer version may have written. */
const toNewCommit = (commit: UnpublishedCommit): NewCommit => ({
  message: `${commit.message.trimEnd()}\n`,
  machine: toLoggedEvent(commit, []).event.machine,
  epochMs: commit.epochMs,
  changes: commit.changes.map(({ path, after, afterMode }) =>
    after === undefined ? { path, bytes: undefined } : { path, blob: after, mode: afterMode },
  ),
});
