/** The answer of a purge: what would be or was erased, and what was searched afterwards. */

import type { PurgePlan, PurgeReceipt } from '../answers/store-schema.js';
import { type JournalName, journalFolder } from '../events/note/note.js';
import type { RewrittenHistory } from './rewrite.js';
import type { Scan } from './scan.js';

export type { PurgePlan, PurgeReceipt };
export type CheckedPlace = PurgeReceipt['checked'][number];

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
