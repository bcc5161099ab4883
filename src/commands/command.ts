/** The types that all commands share: the handler, the notes that deciding sees, and its answer. Plain data. */
import type { EventHead, EventKind, FieldsOf, FileChange, KnownVersion, Stamp } from '../events/event.js';
import type { LostOfNote } from '../events/note/lost-values.js';
import type { BlobId, JournalName, Note, NoteId } from '../events/note/note.js';
import type { NoteFile } from '../events/note/note-file.js';
import type { Masked } from '../events/note/redact.js';
import type { Refusal } from './refusals.js';

/** All about one command; a file of its own holds it. */
export type Handler<Asked> = {
  /** Ids of the notes whose files are read before deciding. */
  readonly touches: (command: Asked, lookup: Looking) => readonly NoteId[];
  readonly decide: Decide<Asked>;
  /** The note that the answer shows when the command was recorded before, as this event. */
  readonly noteOf: (command: Asked, event: HeldEvent) => NoteId | undefined;
};

/** An event that the journals hold already. */
export type HeldEvent = {
  readonly journal: JournalName;
  readonly commit: string;
  readonly id: string;
  readonly kind: string;
  readonly at: string;
  readonly by?: NoteId | undefined;
  readonly notes: readonly NoteId[];
};

export type Looking = SourceLookup & Pick<KnownNotes, 'newlyTitled'>;

export type Decide<Asked> = (command: Asked, notes: KnownNotes, stamp: Stamp) => Decision;

/** Commits by journal; one without had nothing then. */
export type CommitOfJournal = Readonly<Partial<Record<JournalName, string>>>;

export type Place = Pick<KnownVersion, 'journal' | 'path'>;

/** A note as it is in the journal now, with further files that carry the same id. */
export type KnownNote = {
  readonly file: NoteFile;
  readonly place: KnownVersion;
  readonly copies: readonly KnownCopy[];
};

/** Without `file` where it can't be read. */
export type KnownCopy = KnownVersion & { readonly file?: NoteFile | undefined };
/** A portable file as the remote has it; without `file` where it can't be read. */
export type PublishedFile = {
  readonly path: string;
  readonly blob: BlobId;
  readonly bytes: Buffer;
  /** The note that it says it is. */
  readonly id: NoteId | undefined;
  readonly file: NoteFile | undefined;
};

/** A file of a machine-local note that lies in memory/ and is in no journal; `base` is what it was made from, if that is known. */
export type LeftText = {
  readonly path: string;
  readonly blob: BlobId;
  readonly file: NoteFile;
  readonly base: NoteFile | undefined;
};

/** A note's file as history has it. */
export type PastNote = { readonly file: NoteFile; readonly place: KnownVersion; readonly bytes: Buffer };
/** Another machine made a note machine-local that is gone here; both are the claims of a commit. */
export type KeptElsewhere = { readonly machine: string; readonly at: string };
export type LostNote = PastNote & { readonly keptElsewhere?: KeptElsewhere | undefined };

/** The effect of one event on one note: before and after it, undefined where the note was not there. */
export type NoteEffect = {
  readonly id: NoteId;
  readonly before: PastNote | undefined;
  readonly after: PastNote | undefined;
  /** The portable file of the note, on a side where it was machine-local too; `before` and `after` are local there. */
  readonly beside?: { readonly before: PastNote | undefined; readonly after: PastNote | undefined } | undefined;
  /** The newest event of the note where another one changed it since; looked up for the first of many only. */
  readonly changedBy: { readonly id: string; readonly kind: string } | undefined;
  /** Of a note that is gone here. */
  readonly keptElsewhere?: KeptElsewhere | undefined;
};

export type EventEffects = {
  readonly notes: readonly NoteEffect[];
  /** Paths whose file was no readable note before the event or after it. */
  readonly unreadable: readonly string[];
};

/** The values of a note that an import doesn't take back, because they were set here since it first brought the note. */
export type SetHere = {
  readonly values: ReadonlySet<'project' | 'importance'>;
  readonly tags: ListSetHere;
  readonly keywords: ListSetHere;
};
export type ListSetHere = { readonly added: readonly string[]; readonly removed: readonly string[] };

/** The notes that a command touches, read beforehand, so that deciding is pure. */
export type KnownNotes = {
  find(id: NoteId): KnownNote | undefined;
  /**
   * The note whose file lies at a path, whatever that is called; undefined also where it has the same text elsewhere, in a
   * file that is not `taken`.
   */
  holderOf(place: Place, taken?: (other: Place) => boolean): NoteId | undefined;
  /** True where no file lies, of the journal or of a person. */
  isFree(place: Place): boolean;
  /** True when the journal ever held the note; one that is not found was forgotten then. */
  wasThere(id: NoteId): boolean;
  /** Where a note is kept that another machine made machine-local, and that is gone here. */
  keptElsewhere(id: NoteId): KeptElsewhere | undefined;
  /** True of a note that the synced journal must not name: it is machine-local, or was that until it was forgotten. */
  isPrivate(id: NoteId): boolean;
  /** True of a note that was machine-local here until it was forgotten: only a move publishes a file of it that came since. */
  needsMove(id: NoteId): boolean;
  /**
   * The portable files of a note that the remote has, and those of notes in whose place the note's file was put here; read
   * only of one that stands in both journals.
   */
  publishedFiles(id: NoteId): readonly PublishedFile[];
  /** Its texts that adopting leaves in memory/; read only for a move to the machine-local notes, of one that is or was among them. */
  leftTexts(id: NoteId): readonly LeftText[];
  /**
   * The last file of a forgotten note; of one that was machine-local here and is portable by another word than a move, its
   * last machine-local file. Read only for `restore`.
   */
  lost(id: NoteId): LostNote | undefined;
  /** The note as it was at a point of the history; read only for `restore-at`. */
  noteAt(id: NoteId, commits: CommitOfJournal): PastNote | undefined;
  /** The changes of an event; read only for `undo`. */
  effectsOf(eventId: string): EventEffects;
  /** Ids that the note names as superseded. */
  supersedes(id: NoteId): readonly NoteId[];
  /** Note that was imported under this foreign id. */
  withSourceKey(sourceKey: string): NoteId | undefined;
  /** Notes with this title that were written since the index had this many rows, in the same batch too. */
  newlyTitled(title: string, row: number): readonly NoteId[];
  /** The foreign id that a live note has now: a file that was moved has given its note another one. */
  sourceKeyOf(id: NoteId): string | undefined;
  /** True when any edit came after the last import that brought the note or the capture that wrote it. */
  editedSinceImport(id: NoteId): boolean;
  /** The note as imports brought it, newest first; not from before a purge. Read only for `import`, of notes that changed since. */
  broughtTexts(id: NoteId): readonly Note[];
  /** Read only for `import`, of notes that it would give other tags or another project. */
  setHere(id: NoteId): SetHere | undefined;
};

/** Tells which note a foreign one is. */
export type SourceLookup = Pick<KnownNotes, 'withSourceKey' | 'sourceKeyOf'>;

/** An event as a decider returns it; the asker and the time are added where it is recorded. */
export type DecidedEvent = {
  [Kind in DecidedKind]: { readonly kind: Kind } & Pick<EventHead, 'subject' | 'notes' | 'project'> & FieldsOf<Kind>;
}[DecidedKind];
/** No command decides what people, a sync and a purge did. */
export type DecidedKind = Exclude<EventKind, 'hand.adopted' | 'conflict.recorded' | 'notes.purged'>;

export type Decision =
  | {
      readonly kind: 'record';
      readonly event: DecidedEvent;
      readonly changes: readonly FileChange[];
      /** A journal that is told of the event though no file of it changes. */
      readonly told?: JournalName | undefined;
      /** Files of no journal in memory/, by path, whose text the event takes in: they go once it is recorded. */
      readonly takesIn?: ReadonlyMap<string, BlobId> | undefined;
      /** The note that the answer shows. */
      readonly noteId: NoteId | undefined;
      readonly masked: readonly Masked[];
      readonly warnings: readonly string[];
      readonly counts?: ImportCounts | undefined;
      readonly lost?: readonly LostInFold[] | undefined;
    }
  | {
      readonly kind: 'quiet';
      readonly noteId: NoteId | undefined;
      readonly warnings: readonly string[];
      readonly counts?: ImportCounts | undefined;
    }
  | { readonly kind: 'refuse'; readonly refusal: Refusal };

/** A single value of a further file of a note, with the journal whose event is to carry it. */
export type LostInFold = LostOfNote & { readonly journal: JournalName };

export type ImportCounts = {
  readonly imported: number;
  readonly updated: number;
  readonly skipped: number;
  /** Of those that are imported, if any: they stay on this machine. */
  readonly machineLocal?: number;
};

export const refuse = (refusal: Refusal): Decision => ({ kind: 'refuse', refusal });
export const quiet = (noteId: NoteId | undefined, warnings: readonly string[] = []): Decision => ({
  kind: 'quiet',
  noteId,
  warnings,
});

/**
 * Further files of the note in its journal, which the next event folds in by removing them. One in the other journal is
 * another machine's word on the note: it stays until a person says where the note belongs.
 */
export const removeCopies = (note: KnownNote, written: readonly FileChange[] = []): readonly FileChange[] =>
  removeAllCopies(note, written).filter(({ journal }) => journal === note.place.journal);

/** Further files of the note, wherever they are. */
export const removeAllCopies = (note: KnownNote, written: readonly FileChange[] = []): readonly FileChange[] =>
  note.copies
    .filter((copy) => !written.some(({ journal, path }) => journal === copy.journal && path === copy.path))
    .map(({ journal, path }) => ({ journal, path, bytes: undefined }));
