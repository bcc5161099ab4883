/** What happened: one event is one commit of a journal. Plain data, no I/O. */
import type { BlobId, JournalName, NoteId } from './note/note.js';

export const eventKinds = [
  'note.written',
  'note.edited',
  'note.superseded',
  'note.forgotten',
  'note.restored',
  'note.tagged',
  'note.moved',
  'note.linked',
  'note.confirmed',
  'session.captured',
  'notes.reflected',
  'notes.merged',
  'notes.imported',
  'notes.pruned',
  'notes.purged',
  'notes.migrated',
  'proposal.made',
  'proposal.settled',
  'event.undone',
  'hand.adopted',
  'conflict.recorded',
  'conflict.resolved',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** True of an event that touches a note without being an edit of its text; a restored older text says of when it is. */
export const keepsText = ({ kind, reason }: { readonly kind: string; readonly reason?: string | undefined }): boolean =>
  keepingKinds.has(kind) && !(kind === 'note.restored' && reason !== undefined);

/** True of an event that brings a text from elsewhere, which may bring a newer one later. */
export const bringsText = (kind: string): boolean => bringingKinds.has(kind);

const keepingKinds: ReadonlySet<string> = new Set<EventKind>([
  'note.forgotten',
  'note.tagged',
  'note.superseded',
  'note.moved',
  'note.restored',
  'note.linked',
  'note.confirmed',
  'proposal.made',
  'proposal.settled',
]);
const bringingKinds: ReadonlySet<string> = new Set<EventKind>(['notes.imported', 'session.captured']);

/** What a journal says of an event. `kind` is any text: a kind that a newer version wrote is kept and shown. */
export type JournalEvent = {
  /** ULID; the identity of the event, also after its commit was appended again on another head. */
  readonly id: string;
  readonly kind: string;
  /** UTC, `2026-06-24T18:33:07+00:00`. For display: machines disagree about time. */
  readonly at: string;
  readonly machine: string;
  readonly subject: string;
  readonly notes: readonly NoteId[];
  /** Id of the note that took over, of a `note.superseded`. */
  readonly by?: NoteId | undefined;
  readonly reason?: string | undefined;
  readonly user?: string | undefined;
  readonly project?: string | undefined;
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  readonly commandId?: string | undefined;
  /** `memory <blob> <path>`: where a note that changed its journal came from. */
  readonly move?: string | undefined;
  /** `<note id> <key> <JSON value>` of single values that another machine's, a hand edit's or another file's took the place of. */
  readonly lost?: readonly string[] | undefined;
  /** `<blob> <path>` of hand edits that this event merged. */
  readonly adopted?: readonly string[] | undefined;
  /** Id of the event that an `event.undone` took back. */
  readonly undoes?: string | undefined;
};

/** An event where it stands in a journal. */
export type RecordedEvent = JournalEvent & {
  readonly journal: JournalName;
  readonly commit: string;
  /** 1 for a root commit, else one more than the deepest parent: the order of a journal, merges included. */
  readonly depth: number;
};

/** One file of a tree that an event adds, replaces or (without bytes) removes. */
export type FileChange = {
  readonly journal: JournalName;
  readonly path: string;
  readonly bytes: Buffer | undefined;
};

/** Who asked, when and for whom: what deciding needs from outside, so that it needs no clock and no randomness. */
export type Stamp = {
  readonly eventId: string;
  readonly commandId: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly machine: string;
  readonly user: string;
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
};

/** What was read of a note before deciding. */
export type KnownVersion = { readonly journal: JournalName; readonly path: string; readonly blob: BlobId };
