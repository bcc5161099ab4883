/** Events: each is one commit of a journal. Plain data, no I/O. */
import type { BlobId, JournalName, NoteId } from './note/note.js';

/** The kinds that this version records, and their fields (`?` optional). A new one must be handled by each reader. */
export const fieldsByKind = {
  'note.written': [],
  'note.edited': [],
  'note.superseded': ['by'],
  'note.forgotten': ['reason?'],
  'note.restored': ['reason?'],
  'note.tagged': [],
  'note.moved': ['move?'],
  'note.confirmed': ['reason?'],
  'session.captured': [],
  'notes.imported': [],
  'notes.purged': ['reason?'],
  // Notes of local/ that got ids of their own, after memory/ had theirs too.
  'notes.migrated': [],
  'proposal.made': [],
  // The reason is the verdict; it stays in the local journal when a machine-local note is involved.
  'proposal.settled': ['by?', 'reason?'],
  'event.undone': ['undoes', 'move?'],
  'hand.adopted': ['adopted?'],
  'machines.merged': ['base?', 'ours', 'theirs', 'returned?'],
  // No longer made: versions before merge commits recorded what lost in an event of its own.
  'conflict.recorded': ['reason'],
  'conflict.resolved': ['reason'],
} as const satisfies Readonly<Record<string, readonly (keyof KindFields | `${keyof KindFields}?`)[]>>;

export type EventKind = keyof typeof fieldsByKind;

export const isEventKind = (kind: string): kind is EventKind => Object.hasOwn(fieldsByKind, kind);
export const eventKinds: readonly EventKind[] = Object.keys(fieldsByKind).filter(isEventKind);

/** The fields that only events of some kinds have. */
export type KindFields = {
  /** Id of the note that took over. */
  readonly by: NoteId;
  readonly reason: string;
  /** `memory <blob> <path>`: where a note that changed its journal came from. */
  readonly move: string;
  /** `<blob> <path>` of hand edits that this event merged. */
  readonly adopted: readonly string[];
  readonly undoes: string;
  /** Commits: those that both sides grew from, this machine's head, and the remote's. */
  readonly base: readonly string[];
  readonly ours: string;
  readonly theirs: string;
  /** Notes that one side removed and that are back because the other side edited them. */
  readonly returned: readonly NoteId[];
};

/** The fields of every event. */
export type EventHead = {
  /** ULID; stays the same when the event's commit is appended again on another head. */
  readonly id: string;
  /** UTC, `2026-06-24T18:33:07+00:00`. For display: machines disagree about time. */
  readonly at: string;
  readonly machine: string;
  readonly subject: string;
  readonly notes: readonly NoteId[];
  readonly user?: string | undefined;
  readonly project?: string | undefined;
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  readonly commandId?: string | undefined;
  /** `<note id> <key> <JSON value>` of each value that another machine, a hand edit or another file overwrote. */
  readonly lost?: readonly string[] | undefined;
};

/** Stands for a machine without a valid name. */
export const unknownMachine = 'unknown';

type Named<Kind extends EventKind> = (typeof fieldsByKind)[Kind][number];
type Needed<Kind extends EventKind> = Extract<keyof KindFields, Named<Kind>>;
/** Exactly the fields of the kind; the others are always undefined. */
export type FieldsOf<Kind extends EventKind> = Pick<KindFields, Needed<Kind>> & {
  readonly [Field in Exclude<keyof KindFields, Needed<Kind>>]?:
    | (`${Field}?` extends Named<Kind> ? KindFields[Field] : never)
    | undefined;
};

/** An event of this kind, as this version records it. */
export type EventOf<Kind extends EventKind> = EventHead & {
  readonly kind: Kind;
  readonly unknown?: undefined;
} & FieldsOf<Kind>;
export type KnownEvent = { [Kind in EventKind]: EventOf<Kind> }[EventKind];

/** An event as a commit claims it, with any kind and any fields. */
export type ClaimedEvent = EventHead & { readonly kind: string } & {
  readonly [Field in keyof KindFields]?: KindFields[Field] | undefined;
};

/** Of an unknown kind, or with unexpected fields: by a newer version, a tool or a person. It is kept and shown. */
export type UnknownEvent = ClaimedEvent & { readonly unknown: true };

export type JournalEvent = KnownEvent | UnknownEvent;

/** Turns a claim into an event, marked as unknown when its fields don't fit its kind. */
export const toJournalEvent = (claim: ClaimedEvent): JournalEvent =>
  hasFieldsOfKind(claim) ? claim : { ...claim, unknown: true };

const hasFieldsOfKind = (claim: ClaimedEvent): claim is KnownEvent => {
  const { kind, by, reason, move, adopted, undoes, base, ours, theirs, returned } = claim;
  if (!isEventKind(kind)) return false;
  const named: ReadonlySet<string> = new Set(fieldsByKind[kind]);
  const fields = { by, reason, move, adopted, undoes, base, ours, theirs, returned } satisfies Record<
    keyof KindFields,
    unknown
  >;
  return Object.entries(fields).every(([field, value]) =>
    value === undefined ? !named.has(field) : named.has(field) || named.has(`${field}?`),
  );
};

export type RecordedEvent = JournalEvent & PlaceInJournal;

export type PlaceInJournal = {
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

/** The ids, the time and the origin of a command, passed in so that decide needs no clock and no randomness. */
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

/** A version of a note that was read before deciding. */
export type KnownVersion = { readonly journal: JournalName; readonly path: string; readonly blob: BlobId };

/** Replaces a subject or a reason that told of a purged note; the subject of every event about that note alone. */
export const purgedSubject = '(purged)';
