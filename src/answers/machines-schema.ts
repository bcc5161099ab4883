/** Schemas of sync results, machines and conflicts, shared by every surface. */
import * as z from 'zod';
import { list, shape, text, whole } from './shape-schema.js';

/** Counts are events, except `merged` and `conflicted`, which count notes, and `indexed`, which counts files. */
export const Synced = shape({
  /** `failed`: for a reason that doesn't pass by itself. `busy`: another process syncs. `waiting`: after an outage. */
  outcome: z.enum(['synced', 'local-only', 'offline', 'auth', 'refused', 'failed', 'busy', 'waiting']),
  pushed: whole(),
  pulled: whole(),
  conflicted: whole(),
  merged: whole(),
  head: text().nullable(),
  indexed: whole(),
  /** Notes of ours that a purge elsewhere replaced, when a rewritten remote was accepted. */
  purged: list(text()),
  /** Ref that keeps this machine's head from before that. */
  rescued: text().optional(),
  /** Notes that were forgotten on one side but edited on the other, and that this exchange brought back. */
  returned: list(shape({ id: text(), short_id: text(), title: text() })),
  detail: text(),
  trouble: shape({ code: text(), message: text(), next: text() }).nullable(),
});

export type SyncAnswer = z.infer<typeof Synced>;

export const SyncStatus = shape({
  initialized: z.boolean(),
  /** Without credentials. */
  remote: text().nullable(),
  head: text().nullable(),
  /** Changes made by hand are not recorded yet. */
  dirty: z.boolean(),
  /** Time of the last successful exchange, as notes write times. */
  last_sync: text().nullable(),
  /** Events that the remote did not have when it was last asked. */
  unpublished: whole(),
  trouble: shape({ code: text(), message: text(), next: text(), since: text(), failures: whole() }).nullable(),
  detail: text(),
});

export type SyncStatus = z.infer<typeof SyncStatus>;

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
export type RemoteJson = z.infer<typeof Remote>;
export const RemoteSet = shape({ remote: text(), kind: text() });
export const RemoteRemoved = shape({ removed: z.boolean() });

export const Machine = shape({
  machine: text(),
  this_machine: z.boolean(),
  /** Live notes that carry its name. */
  notes: whole(),
  events: whole(),
  last_event: shape({ id: text(), kind: text(), at: text(), subject: text() }).nullable(),
  /** When it last pushed or pulled, by its own clock; for this machine, its last successful sync. */
  last_sync: text().nullable(),
  /** Commits on our main that it lacked at that time, even if it is also ahead of us; null when unknown. */
  behind: whole().nullable(),
});
export type FleetMachine = z.infer<typeof Machine>;

export const Fleet = shape({ machines: list(Machine), total: whole() });

export const ConflictCopy = shape({
  /** `id` to `created_at` describe the copy. */
  id: text(),
  short_id: text(),
  title: text(),
  project: text(),
  /** Where the copy's text was written. */
  machine: text(),
  created_at: text(),
  /** `title` is null when the note is gone. */
  conflicts_with: shape({
    id: text(),
    short_id: text(),
    title: text().nullable(),
    /** Where the note's text was written; null when the history does not tell. */
    machine: text().nullable(),
  }),
  /** Unified diff from the note to the copy, titles first if they differ; the whole copy when the note is gone. */
  diff: list(text()),
  /** Number of lines left out of `diff`. */
  more_lines: whole(),
});
export type Conflict = z.infer<typeof ConflictCopy>;

export const Conflicts = shape({ conflicts: list(ConflictCopy), total: whole() });
export type Conflicts = z.infer<typeof Conflicts>;

const LostValue = shape({
  note: text(),
  short_id: text(),
  /** Null if the note is gone. */
  title: text().nullable(),
  key: text(),
  value: z.json(),
  event: text(),
  at: text(),
  machine: text(),
});
export type LostValue = z.infer<typeof LostValue>;
export const LostValues = shape({ lost: list(LostValue), total: whole() });
