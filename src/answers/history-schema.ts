/** Events, and what they changed, as every surface answers them; docs/events.md says what the keys mean. */
import * as z from 'zod';
import { Change } from './note-schema.js';
import { journalFolder, list, shape, text, whole } from './shape-schema.js';

export const Event = shape({
  id: text(),
  /** The end of the id, as far as it takes to be the only one of the events. */
  short_id: text(),
  kind: text(),
  at: text(),
  machine: text(),
  subject: text(),
  note_count: whole(),
  journal: journalFolder(),
  commit: text(),
  by: text().optional(),
  reason: text().optional(),
  agent: text().optional(),
  session: text().optional(),
  user: text().optional(),
  project: text().optional(),
  undoes: text().optional(),
  /** `<note id> <key> <JSON value>` of values that lost in a merge. */
  lost: list(text()).optional(),
});
export type EventJson = z.infer<typeof Event>;

export const Events = shape({ events: list(Event), total: whole() });
/** With `--patch`, each with the lines that it changed; of a clash, with those of the conflict copy against the note. */
export const PatchedEvents = shape({
  events: list(
    Event.unwrap()
      .extend({ patch: list(text()).optional() })
      .readonly(),
  ),
  total: whole(),
});
export const EventsOfNote = shape({ events: list(Event) });

export const Undone = Change.unwrap().extend({ undone: Event }).readonly();

const noteChange = shape({
  id: text(),
  short_id: text(),
  journal: journalFolder(),
  change: z.enum(['added', 'changed', 'removed']),
  title: text(),
  before: text().nullable(),
  after: text().nullable(),
  /** Of a note that is removed while its file stays: the note that the file is now. */
  replaced_by: text().optional(),
});

export const Diff = shape({ from: text(), to: text(), notes: list(noteChange), text: text().optional() });
/** Of one note; `from` is null where it is the point before its last event. */
export const DiffOfNote = shape({ note: text(), from: text().nullable(), to: text(), patch: list(text()) });

export const Activity = shape({
  by: z.enum(['day', 'project', 'kind', 'machine']),
  /** First day that counts. */
  from: text(),
  project: text().nullable(),
  rows: list(shape({ key: text().nullable(), events: whole(), notes: whole() })),
  events: whole(),
  notes: whole(),
  /** Day of the newest event of that project, whether it counts or not; null where there is none. */
  last_day: text().nullable(),
});
export type ActivityAnswer = z.infer<typeof Activity>;

const tracedNote = shape({
  id: text(),
  short_id: text(),
  /** Null where the note is gone. */
  title: text().nullable(),
  rank: whole(),
  /** Comparable within one entry; null where notes come in an order of their own. */
  score: z.number().nullable(),
  /** Its id and title were told, and no text. */
  named: z.boolean(),
  /** Afterwards, in the same session. */
  opened: z.boolean(),
  changed: z.boolean(),
  cited: z.boolean(),
});
export type TracedNote = z.infer<typeof tracedNote>;

const traceEntry = shape({
  at: text(),
  by: z.enum(['search', 'recall', 'inject', 'open']),
  agent: text().nullable(),
  project: text().nullable(),
  query: text().nullable(),
  mode: text().nullable(),
  total: whole().nullable(),
  notes: list(tracedNote),
});
export type TraceEntry = z.infer<typeof traceEntry>;

const traceSession = shape({
  session: text().nullable(),
  first_at: text(),
  last_at: text(),
  agent: text().nullable(),
  project: text().nullable(),
  /** Searches, prompts and starts. */
  asked: whole(),
  /** Notes, each once; without those that were only named. */
  given: whole(),
  opened: whole(),
});
export type TraceSession = z.infer<typeof traceSession>;

/** Without a session, of one, and after `--clear`. */
export const Traced = z.union([
  shape({ sessions: list(traceSession) }),
  shape({ session: text().nullable(), entries: list(traceEntry) }),
  shape({ cleared: z.literal(true) }),
]);
