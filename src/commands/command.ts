/** Types shared by all commands: the handler, the notes a decider sees, and its decision. Plain data. */
import type { EventHead, EventKind, FieldsOf, FileChange, KnownVersion, Stamp } from '../events/event.js';
import type { LostOfNote } from '../events/note/lost-values.js';
import type { BlobId, JournalName, Note, NoteId } from '../events/note/note.js';
import type { NoteFile } from '../events/note/note-file.js';
import type { Masked } from '../events/note/redact.js';
import type { Refusal } from './refusals.js';

/** Everything about one command; each command has its own file. */
export type Handler<Asked> = {
  /** Ids of the notes whose files are read before deciding. */
  readonly touches: (command: Asked, lookup: Looking) => readonly NoteId[];
  readonly decide: Decide<Asked>;
  /** The note to show in the answer if the command was already recorded, as this event. */
  readonly noteOf: (command: Asked, event: HeldEvent) => NoteId | undefined;
};

/** An event that is already in a journal. */
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

/** One commit per journal; a journal without one was empty then. */
export type CommitOfJournal = Readonly<Partial<Record<JournalName, string>>>;

export type Place = Pick<KnownVersion, 'journal' | 'path'>;

/** A note as it is in the journal now, with any further files that carry its id. */
export type KnownNote = {
  readonly file: NoteFile;
  readonly place: KnownVersion;
  readonly copies: readonly KnownCopy[];
};

/** `file` is undefined if it can't be parsed. */
export type KnownCopy = KnownVersion & { readonly file?: NoteFile | undefined };
/** A portable file as the remote has it; `file` is undefined if it can't be parsed. */
export type PublishedFile = {
  readonly path: string;
  readonly blob: BlobId;
  readonly bytes: Buffer;
  /** The note id that the file states. */
  readonly id: NoteId | undefined;
  readonly file: NoteFile | undefined;
};

/** A machine-local note's file in memory/ that no journal has; `base` is the version it was made from, if known. */
export type UnadoptedText = {
  readonly path: string;
  readonly blob: BlobId;
  readonly file: NoteFile;
  readonly base: NoteFile | undefined;
};

/** A note's file at some point of the history. */
export type PastNote = { readonly file: NoteFile; readonly place: KnownVersion; readonly bytes: Buffer };
/** For a note that is gone here because another machine made it machine-local; both values are claims of a commit. */
export type KeptElsewhere = { readonly machine: string; readonly at: string };
export type LostNote = PastNote & { readonly keptElsewhere?: KeptElsewhere | undefined };

/** The effect of one event on one note; `before` or `after` is undefined if the note did not exist then. */
export type NoteEffect = {
  readonly id: NoteId;
  readonly before: PastNote | undefined;
  readonly after: PastNote | undefined;
  /** The note's portable file, on a side where it had a local one too; `before` and `after` are local there. */
  readonly beside?: { readonly before: PastNote | undefined; readonly after: PastNote | undefined } | undefined;
  /** The note's newest event, if one has changed it since; looked up only for the first few notes of many. */
  readonly changedBy: { readonly id: string; readonly kind: string } | undefined;
  /** Set for a note that is gone here. */
  readonly keptElsewhere?: KeptElsewhere | undefined;
};

export type EventEffects = {
  readonly notes: readonly NoteEffect[];
  /** Paths whose file was not a readable note before or after the event. */
  readonly unreadable: readonly string[];
};

/** The notes that a command touches, read beforehand, so that deciding is pure. */
export type KnownNotes = {
  find(id: NoteId): KnownNote | undefined;
  /**
   * The note whose file is at a path, whatever the file's name; undefined also if the note has an identical file
   * elsewhere that is not `taken`.
   */
  holderOf(place: Place, taken?: (other: Place) => boolean): NoteId | undefined;
  /** True if neither the journal nor a person has a file there. */
  isFree(place: Place): boolean;
  /** True if a journal ever had the note; one that `find` does not return was forgotten then. */
  wasThere(id: NoteId): boolean;
  /** The machine that made a note machine-local, and when, if it is gone here for that reason. */
  keptElsewhere(id: NoteId): KeptElsewhere | undefined;
  /** True for a note that the synced journal must not name: it is machine-local, or was until it was forgotten. */
  isPrivate(id: NoteId): boolean;
  /** True for a note that was last machine-local here and not moved since: only a move publishes later files of it. */
  needsMove(id: NoteId): boolean;
  /**
   * The remote's portable files of a note, and those of other notes whose place its file took here; read only for a
   * note that is in both journals.
   */
  publishedFiles(id: NoteId): readonly PublishedFile[];
  /** The note's files that adopting left in memory/; read only to move a note to local/ that is or was there. */
  leftTexts(id: NoteId): readonly UnadoptedText[];
  /**
   * The last file of a forgotten note, or the last machine-local file of one that became portable without a move. Read
   * only for `restore` and `restore-at`.
   */
  lost(id: NoteId): LostNote | undefined;
  /** The note as it was at a point of the history; read only for `restore-at`. */
  noteAt(id: NoteId, commits: CommitOfJournal): PastNote | undefined;
  /** The changes made by an event; read only for `undo`. */
  effectsOf(eventId: string): EventEffects;
  /** Ids of the notes that it supersedes. */
  supersedes(id: NoteId): readonly NoteId[];
  /** The note that was imported under this source key. */
  withSourceKey(sourceKey: string): NoteId | undefined;
  /** Notes with this title that were written after this row of the index, including those of the same batch. */
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
export type DecidedKind = Exclude<EventKind, 'hand.adopted' | 'machines.merged' | 'conflict.recorded' | 'notes.purged'>;

export type Decision =
  | {
      readonly kind: 'record';
      readonly event: DecidedEvent;
      readonly changes: readonly FileChange[];
      /** A journal that records the event although none of its files change. */
      readonly told?: JournalName | undefined;
      /** Files in memory/, in no journal, whose text the event includes, by path: removed once it is recorded. */
      readonly takesIn?: ReadonlyMap<string, BlobId> | undefined;
      /** The note to show in the answer. */
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

/** A single value of a note's further file that was not kept, with the journal whose event records it. */
export type LostInFold = LostOfNote & { readonly journal: JournalName };

export type ImportCounts = {
  readonly imported: number;
  readonly updated: number;
  readonly skipped: number;
  /** How many of the imported notes are machine-local; absent if none are. */
  readonly machineLocal?: number;
};

export const refuse = (refusal: Refusal): Decision => ({ kind: 'refuse', refusal });
export const quiet = (noteId: NoteId | undefined, warnings: readonly string[] = []): Decision => ({
  kind: 'quiet',
  noteId,
  warnings,
});

/**
 * Removes the note's further files in its journal, which the next event folds in. A file in the other journal comes
 * from another machine: it stays until a person says where the note belongs.
 */
export const removeCopies = (note: KnownNote, written: readonly FileChange[] = []): readonly FileChange[] =>
  removeAllCopies(note, written).filter(({ journal }) => journal === note.place.journal);

/** Removes all further files of the note, in either journal. */
export const removeAllCopies = (note: KnownNote, written: readonly FileChange[] = []): readonly FileChange[] =>
  note.copies
    .filter((copy) => !written.some(({ journal, path }) => journal === copy.journal && path === copy.path))
    .map(({ journal, path }) => ({ journal, path, bytes: undefined }));
