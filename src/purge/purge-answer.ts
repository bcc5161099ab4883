/** The answer of a purge: what would be or was erased, and what was searched afterwards. */

import { type JournalFolder, type JournalName, journalFolder, type NoteId } from '../events/note/note.js';
import type { RewrittenHistory } from './rewrite.js';
import type { Scan } from './scan.js';

export type JournalCount = {
  readonly journal: JournalFolder;
  readonly commits: number;
  /** Commits that get a new id: those that contain it, and all their descendants. */
  readonly changed: number;
  readonly messages: number;
};

export type PurgePlan = {
  readonly notes: readonly { readonly id: NoteId; readonly title: string; readonly versions: number }[];
  /** Notes that stay, but lose the text. */
  readonly changed_notes: readonly NoteId[];
  /** Occurrences in versions of files and in messages. */
  readonly places: number;
  readonly journals: readonly JournalCount[];
  /** Refs that are removed, because git or a sync recreates them or because they name no commit. */
  readonly dropped_refs: readonly string[];
  /** Files outside the history that contain it now. */
  readonly files: readonly string[];
};

export type PurgeReceipt = Omit<PurgePlan, 'files'> & {
  readonly status: 'purged' | 'unchanged';
  /** Id of the purge's event; null when no journal contained it. */
  readonly purge: string | null;
  readonly heads: readonly {
    readonly journal: JournalFolder;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  /** Files changed meanwhile and notes that say the same, which stay; staged entries that were dropped. */
  readonly warnings: readonly string[];
  readonly checked: readonly CheckedPlace[];
  readonly clean: boolean;
  readonly transcripts: readonly string[];
  /** Null where the store has no remote. */
  readonly remote: { readonly published: boolean; readonly detail: string } | null;
  readonly not_checked: readonly string[];
};

export const describeScan = (
  scan: Scan,
  counted: ReadonlyMap<JournalName, RewrittenHistory>,
): Omit<PurgePlan, 'files'> => ({
  notes: [...scan.notes].map(([id, { title, versions }]) => ({ id, title, versions })),
  changed_notes: [...new Set(scan.journals.flatMap(({ changed }) => [...changed]))].sort(),
  places: scan.places + [...counted.values()].reduce((sum, { places }) => sum + places, 0),
  journals: [...counted].map(([journal, { commits, changed, messages }]) => ({
    journal: journalFolder[journal],
    commits,
    changed,
    messages,
  })),
  dropped_refs: scan.journals.flatMap(({ refs }) =>
    refs.filter(({ commit }) => commit === undefined).map(({ name }) => name),
  ),
});

export type CheckedPlace = {
  readonly place: string;
  /** How it was searched. */
  readonly how: string;
  /** Number of objects or files searched. */
  readonly looked: number;
  /** Where it was still found; empty after a successful purge. */
  readonly found: readonly string[];
};
