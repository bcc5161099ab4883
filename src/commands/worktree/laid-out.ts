/**
 * What a person's files were made from. A command lays out what it records, and so does the person's git: whoever commits
 * and goes on editing edits their commit.
 */
import type { FileChange } from '../../events/event.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import type { LoggedEvent } from '../../events/logged-event.js';
import type { BlobId } from '../../events/note/note.js';
import { readPersonsMoves } from '../../events/worktree/persons-moves.js';
import { currentBlob } from './base-of-file.js';
import { findStaleReverts } from './stale-reverts.js';
import type { Store } from './write-store.js';

/** Version last laid out at a path; `checkedOut` is the one that we did. */
export type BaseOf = (path: string, checkedOut: BlobId | undefined) => BlobId | undefined;

export type LaidOut = {
  readonly baseOf: BaseOf;
  /** What a person's commit took back without meaning to. */
  readonly putBack: readonly FileChange[];
};

/** `events` are those from `checkout` to `head`. */
export const readLaidOut = async (
  store: Store,
  journal: GitJournal,
  head: string | undefined,
  checkout: string | undefined,
  events: readonly LoggedEvent[],
): Promise<LaidOut> => {
  const adopted = new Set(events.flatMap(({ event }) => event.adopted ?? []));
  const isMoved = head !== undefined && checkout !== undefined && checkout !== head;
  const moves = isMoved ? readPersonsMoves(journal.folders.gitDir) : [];
  const putBack = isMoved ? await findStaleReverts(store, journal, head, checkout, events, new Set(moves)) : [];
  const inRange = new Set([...events.map(({ commit }) => commit), head]);
  const last = moves.find((commit) => inRange.has(commit));
  const changes = checkout === undefined || last === undefined ? [] : await journal.diff(checkout, last);
  const byGit = new Map(changes.map((change) => [change.path, change]));
  for (const { path } of putBack) byGit.delete(path);
  return {
    baseOf: (path, checkedOut) => {
      // The edit at this path was merged already by an event that did not get as far as laying its result out.
      const found = adopted.size === 0 ? undefined : currentBlob(journal, path);
      if (found !== undefined && adopted.has(`${found} ${path}`)) return found;
      const change = byGit.get(path);
      // Another version than git began with: we laid one out since.
      return change !== undefined && change.before === checkedOut ? change.after : checkedOut;
    },
    putBack,
  };
};
