/** Reconciling as it is asked for, and what it answers. Pure. */
import type { KnownEvent } from '../../../events/event.js';
import type { LoggedEvent } from '../../../events/logged-event.js';
import type { Masked } from '../../../events/note/redact.js';
import type { ReplacedNote } from '../gone/gone-notes.js';
import type { LeftFile } from '../hand-edits.js';
import type { LaidOut } from '../laid-out.js';
import type { Published } from '../private-files.js';
import type { Gathered } from '../whole-tree.js';

export type ReconcileOptions = {
  /** Paths to look at besides what changed since the checkpoint; 'all' walks the whole tree. */
  readonly look: readonly string[] | 'all';
  /** The treatment of many files that a person removed. Of few, only those to `look` at are recorded without a word. */
  readonly deletions: 'hold' | 'record' | 'put-back';
  /** Paths at which a command publishes notes: a person's files there are taken in first. */
  readonly published?: readonly Published[] | undefined;
  /** Files whose notes the command takes out of this journal: what a person typed there goes along instead of staying behind. */
  readonly leaving?: readonly string[] | undefined;
};

export type Reconciled = {
  readonly event: KnownEvent | undefined;
  /** Edited files that were saved from an older version: what was recorded since was merged into them. */
  readonly merged: readonly string[];
  readonly masked: readonly Masked[];
  readonly left: readonly LeftFile[];
  /** Files whose notes are gone and that wait for a word: `adopt --deletions` or `adopt --put-back`. */
  readonly heldDeletions: readonly string[];
  /** Those of them that are there still, as the files of other notes. */
  readonly heldReplaced: readonly ReplacedNote[];
  /** Such files that were brought back. */
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

/** How the journal and its record of files stand to each other, and all files where they were looked at. */
export type Looked = {
  readonly head: string | undefined;
  readonly checkout: string | undefined;
  /** Those from `checkout` to `head`. */
  readonly events: readonly LoggedEvent[];
  readonly laidOut: LaidOut;
  readonly whole: Gathered | undefined;
};
