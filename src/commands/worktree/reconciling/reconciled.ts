/** The options and the result of reconciling. Pure. */
import type { KnownEvent } from '../../../events/event.js';
import type { LoggedEvent } from '../../../events/logged-event.js';
import type { Masked } from '../../../events/note/redact.js';
import type { FileBases } from '../file-bases.js';
import type { LeftFile } from '../hand-edits.js';
import type { Published } from '../private-files.js';
import type { ReplacedNote } from '../removed/removed-notes.js';
import type { Gathered } from '../whole-tree.js';

export type ReconcileOptions = {
  /** Paths to examine besides those that changed since the checkpoint; 'all' walks the whole tree. */
  readonly look: readonly string[] | 'all';
  /**
   * How to treat many files that a person removed. Of a few, only those in `look` are recorded without confirmation.
   */
  readonly deletions: 'hold' | 'record' | 'put-back';
  /** Paths at which a command publishes notes: a person's files there are adopted first. */
  readonly published?: readonly Published[] | undefined;
  /** Files whose notes the command moves out of this journal: a person's edits move along instead of being adopted. */
  readonly leaving?: readonly string[] | undefined;
};

export type Reconciled = {
  readonly event: KnownEvent | undefined;
  /** Edited files that were saved from an older version: what was recorded since was merged into them. */
  readonly merged: readonly string[];
  readonly masked: readonly Masked[];
  readonly left: readonly LeftFile[];
  /** Paths whose notes are gone and that wait for `adopt --deletions` or `adopt --put-back`. */
  readonly heldDeletions: readonly string[];
  /** Those of them that still exist, as the files of other notes. */
  readonly heldReplaced: readonly ReplacedNote[];
  /** Such files that were put back. */
  readonly putBack: readonly string[];
};

export const nothingReconciled: Reconciled = {
  event: undefined,
  merged: [],
  masked: [],
  left: [],
  heldDeletions: [],
  heldReplaced: [],
  putBack: [],
};

export type Once = Reconciled & { readonly again: boolean; readonly contested: readonly string[] };

/** The state that a round of reconciling found; `whole` is set if all files were examined. */
export type JournalState = {
  readonly head: string | undefined;
  readonly checkout: string | undefined;
  /** The events from `checkout` to `head`. */
  readonly events: readonly LoggedEvent[];
  readonly fileBases: FileBases;
  readonly whole: Gathered | undefined;
};
