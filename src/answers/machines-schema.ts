/** The other machines: exchanges with them, their state, and conflicts, as every surface answers them. */
import * as z from 'zod';
import { list, shape, text, whole } from './shape-schema.js';

const secretPlace = shape({ note: text().nullable(), where: text() });
/** `published` where the remote has the note's portable file too. */
const inBothScopes = shape({ id: text(), title: text(), published: z.boolean() });

/** Counts are of events, but `merged` and `conflicted` of notes and `indexed` of files. */
export const Synced = shape({
  outcome: z.enum(['synced', 'local-only', 'offline', 'auth', 'refused', 'busy', 'waiting']),
  pushed: whole(),
  pulled: whole(),
  conflicted: whole(),
  merged: whole(),
  head: text().nullable(),
  indexed: whole(),
  purged: list(shape({ notes: list(text()), texts: whole(), local: list(text()) })),
  masked_in: list(secretPlace),
  withheld: list(text()),
  rescued: text().optional(),
  in_both: list(text()),
  returned: list(shape({ id: text(), short_id: text(), title: text() })),
  detail: text(),
  trouble: shape({ code: text(), message: text(), next: text() }).nullable(),
});

export const SyncStatus = shape({
  initialized: z.boolean(),
  remote: text().nullable(),
  head: text().nullable(),
  dirty: z.boolean(),
  last_sync: text().nullable(),
  unpublished: whole(),
  masked_in: list(secretPlace),
  trouble: shape({ code: text(), message: text(), next: text(), since: text(), failures: whole() }).nullable(),
  detail: text(),
});

export const Remote = shape({
  remote: text().nullable(),
  kind: text().nullable(),
  source: z.enum(['environment', 'config.json', 'origin']).nullable(),
  last: shape({ at: text(), head: text().nullable(), detail: text() }).nullable(),
  trouble: shape({
    code: text(),
    message: text(),
    next: text(),
    since: text(),
    at: text(),
    failures: whole(),
    nextAtMs: z.number(),
  }).nullable(),
});
export const RemoteSet = shape({ remote: text(), kind: text() });
export const RemoteRemoved = shape({ removed: z.boolean() });

export const Machine = shape({
  machine: text(),
  this_machine: z.boolean(),
  /** Live ones that carry its name. */
  notes: whole(),
  events: whole(),
  last_event: shape({ id: text(), kind: text(), at: text(), subject: text() }).nullable(),
  /** When it last brought or took anything, by its own clock; of this machine the last exchange that went well. */
  last_sync: text().nullable(),
  /** Commits of our main that it did not have then, also of a machine that is ahead of us; null where nothing is known. */
  behind: whole().nullable(),
});
export type FleetMachine = z.infer<typeof Machine>;

export const Fleet = shape({ machines: list(Machine), total: whole() });

/** A conflict copy beside the note that it conflicts with. */
export const ConflictCopy = shape({
  /** Of the copy. */
  id: text(),
  short_id: text(),
  title: text(),
  project: text(),
  /** Where the copy's text was written. */
  machine: text(),
  created_at: text(),
  /** `title` is null where the note is gone. */
  conflicts_with: shape({
    id: text(),
    short_id: text(),
    title: text().nullable(),
    /** Where the note's text was written, as far as the history tells. */
    machine: text().nullable(),
  }),
  /** Unified lines from the note to the copy, the title first where it differs; of a copy alone, all of it. */
  diff: list(text()),
  /** Lines that were left out of `diff`. */
  more_lines: whole(),
});
export type Conflict = z.infer<typeof ConflictCopy>;

export const Conflicts = shape({ conflicts: list(ConflictCopy), total: whole(), in_both: list(inBothScopes) });

export const LostValues = shape({
  lost: list(
    shape({
      note: text(),
      short_id: text(),
      title: text().nullable(),
      key: text(),
      value: z.json(),
      event: text(),
      at: text(),
      machine: text(),
    }),
  ),
  total: whole(),
});
