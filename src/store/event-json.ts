/** An event as every surface prints it; documented in docs/events.md and stable. */

import type { EventJson } from '../answers/history-schema.js';
import { journalFolder } from '../events/note/note.js';
import type { ListedEvent } from '../projections/history/query.js';

export type { EventJson };

/** Undefined keys don't appear in JSON. */
export const eventJson = (event: ListedEvent, shortIds: ReadonlyMap<string, string>): EventJson => ({
  id: event.id,
  short_id: shortIds.get(event.id) ?? event.id,
  kind: event.kind,
  at: event.at,
  machine: event.machine,
  subject: event.subject,
  note_count: event.noteCount,
  journal: journalFolder[event.journal],
  commit: event.commit,
  by: event.by,
  reason: event.reason,
  agent: event.agent,
  session: event.session,
  user: event.user,
  project: event.project,
  undoes: event.undoes,
  lost: event.lost,
});
