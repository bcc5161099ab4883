/** Schemas of events and their changes, shared by every surface; docs/events.md explains the keys. */
import * as z from 'zod';
import { Change } from './note-schema.js';
import { journalFolder, list, shape, text, whole } from './shape-schema.js';

export const Event = shape({
  id: text(),
  /** The shortest suffix of the id that is unique among events. */
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
  /** Values that lost in a merge, each `<note id> <key> <JSON value>`. */
  lost: list(text()).optional(),
});
export type EventJson = z.infer<typeof Event>;

export const Events = shape({ events: list(Event), total: whole() });
/** With `--patch`, each event carries the lines it changed. */
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
});

export type NoteChange = z.infer<typeof noteChange>;

export const Diff = shape({ from: text(), to: text(), notes: list(noteChange), text: text().optional() });
export type DiffJson = z.infer<typeof Diff>;

export const Activity = shape({
  by: z.enum(['day', 'project', 'kind', 'machine']),
  /** First day counted. */
  from: text(),
  project: text().nullable(),
  rows: list(shape({ key: text().nullable(), events: whole(), notes: whole() })),
  events: whole(),
  notes: whole(),
  /** Day of the newest event (of `project`, if set), even if it is before `from`; null when there is none. */
  last_day: text().nullable(),
});
export type ActivityAnswer = z.infer<typeof Activity>;

const tracedNote = shape({
  id: text(),
  short_id: text(),
  /** Null when the note is gone. */
  title: text().nullable(),
  rank: whole(),
  /** Comparable within one entry; null when the notes are not ordered by score. */
  score: z.number().nullable(),
  /** Only its id and title were shown, not its text. */
  named: z.boolean(),
  /** `opened`, `changed` and `cited`: later in the same session. */
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
  /** Number of searches, prompts and session starts. */
  asked: whole(),
  /** Distinct notes, not counting those that were only named. */
  given: whole(),
  opened: whole(),
});
export type TraceSession = z.infer<typeof traceSession>;

/** The list of sessions, the entries of one session, or the result of `--clear`. */
export const Traced = z.union([
  shape({ sessions: list(traceSession) }),
  shape({ session: text().nullable(), entries: list(traceEntry) }),
  shape({ cleared: z.literal(true) }),
]);
