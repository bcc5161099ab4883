/** The options and the result of reconciling. Pure. */
import type { KnownEvent } from '../../events/event.js';
import type { MaskCount } from '../../events/note/redact.js';
import type { Deletions } from './lost-notes.js';
import type { FollowedBranch } from './persons-git.js';
import type { LeftFile } from './sort-files.js';

export type ReconcileOptions = {
  /** Paths to examine besides those that changed since the record; 'all' walks the whole tree. */
  readonly look: readonly string[] | 'all';
  readonly deletions: Deletions;
};

export type ReconcileResult = {
  readonly event: KnownEvent | undefined;
  /** Edited files that what was recorded since was merged into. */
  readonly merged: readonly string[];
  readonly masked: readonly MaskCount[];
  readonly left: readonly LeftFile[];
  /** Paths whose notes are gone and that wait for `adopt --deletions` or `adopt --put-back`. */
  readonly heldDeletions: readonly string[];
  /** Such files that were put back. */
  readonly putBack: readonly string[];
};

export const nothingReconciled: ReconcileResult = {
  event: undefined,
  merged: [],
  masked: [],
  left: [],
  heldDeletions: [],
  putBack: [],
};

/** One round's result; `again` lists files that changed meanwhile, to be examined in another round. */
export type Round = ReconcileResult & { readonly again: readonly string[] | undefined };

export type JournalHeads = {
  readonly head: string | undefined;
  /** The commit of the record; undefined if the whole record is lost. */
  readonly checkout: string | undefined;
  readonly undone: FollowedBranch['undone'];
};

/** Set once the store has no id in both journals and nothing that a version before 0.4 left to do. */
export const idsSplitFact = 'ids-split';
