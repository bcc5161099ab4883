/** Types shared by all commands: the handler, the notes a decider sees, and its decision. Plain data. */
import type { EventHead, EventKind, FieldsOf, FileChange, KnownVersion, Stamp } from '../events/event.js';
import type { JournalName, Note, NoteId } from '../events/note/note.js';
import type { NoteFile } from '../events/note/note-file.js';
import type { MaskCount } from '../events/note/redact.js';
import type { Refusal } from './refusals.js';

export type Handler<Asked> = {
  /** Ids of the notes whose files are read before deciding. */
  readonly touches: (command: Asked, lookup: Looking) => readonly NoteId[];
  readonly decide: Decide<Asked>;
  /** The note to show in the answer if the command was already recorded, as this event. */
  readonly noteOf: (command: Asked, event: HeldEvent) => NoteId | undefined;
};

export type HeldEvent = {
  readonly journal: JournalName;
  readonly commit: string;
  readonly id: string;
  readonly kind: string;
  readonly at: string;
  readonly by?: NoteId | undefined;
  readonly notes: readonly NoteId[];
};

export type Looking = SourceLookup &
  Pick<KnownNotes, 'newlyTitled'> & {
    /** The files of a note; the first is the one that counts. */
    filesOf(id: NoteId): readonly KnownVersion[];
  };

export type Decide<Asked> = (command: Asked, notes: KnownNotes, stamp: Stamp) => Decision;

/** One commit per journal; a journal without one was empty then. */
export type CommitOfJournal = Readonly<Partial<Record<JournalName, string>>>;

/** A note as it is in the journal now, with any further files there that have its id. */
export type KnownNote = {
  readonly file: NoteFile;
  readonly place: KnownVersion;
  readonly copies: readonly KnownVersion[];
};

export type PastNote = { readonly file: NoteFile; readonly place: KnownVersion; readonly bytes: Buffer };

/** The effect of one event on one note; `before` or `after` is undefined if the note did not exist then. */
export type NoteEffect = {
  readonly id: NoteId;
  readonly before: PastNote | undefined;
  readonly after: PastNote | undefined;
  /** The note's newest event, if it is a later one. */
  readonly changedBy: { readonly id: string; readonly kind: string } | undefined;
};

export type EventEffects = {
  /** True for an event with two parents: it joins what machines did, and has no single inverse. */
  readonly joins?: boolean;
  readonly notes: readonly NoteEffect[];
  /** Paths whose file was not a readable note before or after the event. */
  readonly unreadable: readonly string[];
};

/** The notes that a command touches, read beforehand, so that deciding is pure. */
export type KnownNotes = {
  find(id: NoteId): KnownNote | undefined;
  /** True if a journal ever had the note; one that `find` does not return was forgotten then. */
  wasThere(id: NoteId): boolean;
  /** The last file of a forgotten note; read only for `restore` and `restore-at`. */
  lost(id: NoteId): PastNote | undefined;
  /** The note as it was at a point of the history; read only for `restore-at`. */
  noteAt(id: NoteId, commits: CommitOfJournal): PastNote | undefined;
  /** The changes made by an event; read only for `undo`. */
  effectsOf(eventId: string): EventEffects;
  supersedes(id: NoteId): readonly NoteId[];
  withSourceKey(sourceKey: string): NoteId | undefined;
  /** Notes with this title that were written after this row of the index. */
  newlyTitled(title: string, row: number): readonly NoteId[];
  /** The current source key of a live note; it changes when the source file is moved. */
  sourceKeyOf(id: NoteId): string | undefined;
  /** True if the note was edited after its last import or capture. */
  editedSinceImport(id: NoteId): boolean;
  /** True if the note is gone because its import was undone; then it was not forgotten. */
  importWasUndone(id: NoteId): boolean;
  /** The note as the last import wrote it; undefined after a purge. Read only for notes that an import would change. */
  lastImported(id: NoteId): Note | undefined;
};

/** Maps a foreign note to its note here. */
export type SourceLookup = Pick<KnownNotes, 'withSourceKey' | 'sourceKeyOf'>;

/** An event as a decider returns it; the author and the time are added when it is recorded. */
export type DecidedEvent = {
  [Kind in DecidedKind]: { readonly kind: Kind } & Pick<EventHead, 'subject' | 'notes' | 'project'> & FieldsOf<Kind>;
}[DecidedKind];
/** Hand edits, syncs and purges record their events without a decider. */
export type DecidedKind = Exclude<
  EventKind,
  'hand.adopted' | 'machines.merged' | 'conflict.recorded' | 'notes.purged' | 'notes.migrated'
>;

export type Decision =
  | {
      readonly kind: 'record';
      readonly event: DecidedEvent;
      readonly changes: readonly FileChange[];
      readonly noteId: NoteId | undefined;
      readonly masked: readonly MaskCount[];
      readonly warnings: readonly string[];
      readonly counts?: ImportCounts | undefined;
    }
  | {
      readonly kind: 'quiet';
      readonly noteId: NoteId | undefined;
      readonly warnings: readonly string[];
      readonly counts?: ImportCounts | undefined;
    }
  | { readonly kind: 'refuse'; readonly refusal: Refusal };

export type ImportCounts = {
  readonly imported: number;
  readonly updated: number;
  readonly skipped: number;
  /** How many of the imported notes are machine-local; absent if none are. */
  readonly machineLocal?: number;
};

export const refuse = (refusal: Refusal): Decision => ({ kind: 'refuse', refusal });
type Recorded = Extract<Decision, { kind: 'record' }>;
type RecordedExtras = Partial<Pick<Recorded, 'masked' | 'warnings' | 'counts'>>;

export const record = (
  event: DecidedEvent,
  changes: readonly FileChange[],
  noteId: NoteId | undefined,
  { masked = [], warnings = [], counts }: RecordedExtras = {},
): Decision => ({
  kind: 'record',
  event,
  changes,
  noteId,
  masked,
  warnings,
  ...(counts === undefined ? {} : { counts }),
});

export const quiet = (noteId: NoteId | undefined, warnings: readonly string[] = []): Decision => ({
  kind: 'quiet',
  noteId,
  warnings,
});

/** Removes all files of the note. */
export const removeNote = ({ place, copies }: KnownNote): readonly FileChange[] =>
  [place, ...copies].map(({ journal, path }) => ({ journal, path, bytes: undefined }));
