/** An event as every surface prints it; documented in docs/events.md and stable. */
import { type JournalFolder, journalFolder } from '../events/note/note.js';
import type { ListedEvent } from '../projections/history/query.js';

export type EventJson = {
  readonly id: string;
  readonly kind: string;
  readonly at: string;
  readonly machine: string;
  readonly subject: string;
  readonly note_count: number;
  readonly journal: JournalFolder;
  readonly commit: string;
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
  readonly user?: string | undefined;
  readonly project?: string | undefined;
  readonly undoes?: string | undefined;
  /** `<note id> <key> <JSON value>` of values that lost in a merge. */
  readonly lost?: readonly string[] | undefined;
};

/** Undefined keys don't show in JSON. */
export const eventJson = (event: ListedEvent): EventJson => ({
  id: event.id,
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
