/** What can be asked of the journal, what deciding sees and what it answers. Plain data. */
import type { EventHead, EventKind, FieldsOf, FileChange, KnownVersion, Stamp } from '../events/event.js';
import type { LostOfNote } from '../events/note/lost-values.js';
import type { JournalName, NoteId, NoteType, Scope, Source } from '../events/note/note.js';
import type { NoteFile } from '../events/note/note-file.js';
import type { Masked } from '../events/note/redact.js';
import type { ForeignFile, ForeignNote } from './foreign-note.js';
import type { Refusal } from './refusals.js';

export type WriteNote = {
  readonly kind: 'write';
  readonly type: NoteType;
  readonly title: string;
  readonly body: string;
  readonly project: string;
  readonly scope: Scope;
  readonly tags: readonly string[];
  readonly keywords: readonly string[];
  readonly supersedes: readonly NoteId[];
  readonly importance?: number | undefined;
  readonly confidence?: number | undefined;
  readonly expiresAt?: string | undefined;
  readonly source?: Source | undefined;
  readonly workspace?: string | undefined;
  /** Model that the text is from. */
  readonly model?: string | undefined;
  /** Names the note for ever: written again under the same key, nothing is recorded. */
  readonly sourceKey?: string | undefined;
  /** Notes that it would supersede once a person has agreed. */
  readonly proposes?: readonly NoteId[] | undefined;
};

/** The note of one agent session; a later capture of the same session updates it. */
export type CaptureSession = {
  readonly kind: 'capture';
  readonly session: string;
  readonly title: string;
  readonly body: string;
  readonly project: string;
  readonly tags: readonly string[];
  readonly startedAtMs: number;
  readonly model?: string | undefined;
};

/** The note holds, said again: its confidence rises. */
export type ConfirmNote = { readonly kind: 'confirm'; readonly id: NoteId; readonly reason?: string | undefined };

/** What a person says of a proposed supersession; `forget` also takes the note away that made the proposal. */
export type SettleProposal = {
  readonly kind: 'settle-proposal';
  readonly id: NoteId;
  readonly older: NoteId;
  readonly verdict: 'accept' | 'keep-both' | 'forget';
};

/** What a person decides about a conflict copy and the note that it conflicts with. */
export type ResolveConflict = {
  readonly kind: 'resolve-conflict';
  readonly copy: NoteId;
  readonly original: NoteId;
  /** `ours` takes the copy's text, `theirs` keeps the note's, `both` puts one below the other, `edit` sets `body`. */
  readonly verdict: 'ours' | 'theirs' | 'both' | 'edit';
  /** Title that the copy's side had where titles were part of the conflict; goes with `ours`. */
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  /** Blob ids that the asker has read; others in the journal refuse the command. */
  readonly expected?: { readonly note?: string | undefined; readonly copy?: string | undefined } | undefined;
};

/** Fields to set; null takes an optional one away. */
export type NoteEdit = {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly project?: string | undefined;
  readonly type?: NoteType | undefined;
  readonly importance?: number | null | undefined;
  readonly confidence?: number | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly expiresAt?: string | null | undefined;
};

export type EditNote = {
  readonly kind: 'edit';
  readonly id: NoteId;
  readonly set: NoteEdit;
  /** Blob id that the asker has read; another one in the journal refuses the edit. */
  readonly expectedVersion?: string | undefined;
};

export type SupersedeNotes = { readonly kind: 'supersede'; readonly ids: readonly NoteId[]; readonly by: NoteId };
export type ForgetNote = { readonly kind: 'forget'; readonly id: NoteId; readonly reason?: string | undefined };
export type RestoreNote = { readonly kind: 'restore'; readonly id: NoteId };
/** Gives a note back the text that it had at a point of the history, also where it is there now. */
export type RestoreNoteAt = {
  readonly kind: 'restore-at';
  readonly id: NoteId;
  /** The point as it was asked for. */
  readonly point: string;
  /** The same as commits; a journal without one held nothing then. */
  readonly commits: CommitOfJournal;
};
export type CommitOfJournal = Readonly<Partial<Record<JournalName, string>>>;
/** Gives the notes that an event changed back what they said before it. */
export type UndoEvent = {
  readonly kind: 'undo';
  readonly event: {
    readonly id: string;
    readonly kind: string;
    readonly subject: string;
    readonly project?: string | undefined;
    /** As the event's own trailer says it. */
    readonly move?: string | undefined;
  };
  /** Its commits: two where it changed both journals. */
  readonly commits: readonly { readonly journal: JournalName; readonly commit: string }[];
  readonly notes: readonly NoteId[];
  /** The ones among them that an earlier undoing gave back already. */
  readonly done: readonly NoteId[];
};
export type TagNote = {
  readonly kind: 'tag';
  readonly id: NoteId;
  readonly add: readonly string[];
  readonly remove: readonly string[];
};
export type MoveNote = {
  readonly kind: 'move';
  readonly id: NoteId;
  readonly project?: string | undefined;
  readonly scope?: Scope | undefined;
};

export type ImportNotes = {
  readonly kind: 'import';
  /** Where they come from, as the event's subject says it. */
  readonly from: string;
  readonly notes: readonly ForeignNote[];
  readonly files: readonly ForeignFile[];
};

export type Command =
  | WriteNote
  | EditNote
  | SupersedeNotes
  | ForgetNote
  | RestoreNote
  | RestoreNoteAt
  | UndoEvent
  | TagNote
  | MoveNote
  | ImportNotes
  | CaptureSession
  | ConfirmNote
  | SettleProposal
  | ResolveConflict;

/** A note as it is in the journal now, with further files that carry the same id. */
export type KnownNote = {
  readonly file: NoteFile;
  readonly place: KnownVersion;
  readonly copies: readonly KnownCopy[];
};

/** Without `file` where it can't be read. */
export type KnownCopy = KnownVersion & { readonly file?: NoteFile | undefined };

/** A note's file as history has it. */
export type PastNote = { readonly file: NoteFile; readonly place: KnownVersion; readonly bytes: Buffer };
export type LostNote = PastNote;

/** What one event did to one note: before and after it, undefined where the note was not there. */
export type NoteEffect = {
  readonly id: NoteId;
  readonly before: PastNote | undefined;
  readonly after: PastNote | undefined;
  /** The portable file of the note, on a side where it was machine-local too; `before` and `after` are local there. */
  readonly beside?: { readonly before: PastNote | undefined; readonly after: PastNote | undefined } | undefined;
  /** The newest event of the note where another one changed it since; looked up for the first of many only. */
  readonly changedBy: { readonly id: string; readonly kind: string } | undefined;
};

export type EventEffects = {
  readonly notes: readonly NoteEffect[];
  /** Paths whose file was no readable note before the event or after it. */
  readonly unreadable: readonly string[];
};

/** The notes that a command touches, read beforehand, so that deciding is pure. */
export type KnownNotes = {
  find(id: NoteId): KnownNote | undefined;
  /** True when the journal ever held the note; one that is not found was forgotten then. */
  wasThere(id: NoteId): boolean;
  /** The last file of a forgotten note; read only for `restore`. */
  lost(id: NoteId): LostNote | undefined;
  /** The note as it was at a point of the history; read only for `restore-at`. */
  noteAt(id: NoteId, commits: CommitOfJournal): PastNote | undefined;
  /** What an event changed; read only for `undo`. */
  effectsOf(eventId: string): EventEffects;
  /** Ids that the note names as superseded. */
  supersedes(id: NoteId): readonly NoteId[];
  /** Note that was imported under this foreign id. */
  withSourceKey(sourceKey: string): NoteId | undefined;
  /** True when the note's text was changed since an import brought it or a capture wrote it. */
  editedSinceImport(id: NoteId): boolean;
};

/** What a decider says of an event; who asked and when is added where it is recorded. */
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

export type ImportCounts = { readonly imported: number; readonly updated: number; readonly skipped: number };

export type Decide<Asked> = (command: Asked, notes: KnownNotes, stamp: Stamp) => Decision;

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
