/** The parts that the write path works with; composed elsewhere, so that commands know no projection. */

import type { KnownVersion } from '../../events/event.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import type { Difference, PathChange } from '../../events/journal.js';
import type { LeftFile } from '../../events/move-trailer.js';
import type { BlobId, JournalName, NoteId } from '../../events/note/note.js';
import type { NoteProblem } from '../../events/note/note-file.js';
import { idOfPath } from '../../events/note/paths.js';
import type { CheckedOutFile } from '../../events/worktree/working-tree.js';
import type { WriteLock } from '../../state/lock.js';
import type { State } from '../../state/state.js';
import type { HeldEvent, KeptElsewhere } from '../command.js';

/** An event that changed a note, and the commit that holds it. */
export type EventOfNote = {
  readonly journal: JournalName;
  readonly commit: string;
  readonly kind: string;
  readonly subject: string;
  readonly commandId?: string | undefined;
};

export type LocalEvent = {
  /** How the id of the same command's event in the other journal ends. */
  readonly half: string;
  /** The file in `memory` from which it moved the note. */
  readonly left: LeftFile | undefined;
  /** `memory` has an event whose id ends like that. */
  readonly hasOtherHalf: boolean;
};

/** The places of notes, as the index tells them. */
export type NotePlaces = {
  /** The files of a note, the one that counts first. */
  filesOf(id: NoteId): readonly KnownVersion[];
  /** The id that the file at a path itself states, whatever its name. */
  idAt(journal: JournalName, path: string): NoteId | undefined;
  /** The version at a path, also of a file that is not a readable note. */
  blobAt(journal: JournalName, path: string): BlobId | undefined;
  /**
   * The note was in `local` last, and no command of this machine has made it portable since: true also where a file of it
   * lies in `memory` again, whoever brought or edited that. Events of `memory` in `except` don't count.
   */
  wasLocalLast(id: NoteId, except?: ReadonlySet<string>): boolean;
  /** Its events in `local`, all of this machine. */
  localEvents(id: NoteId): readonly LocalEvent[];
  /** True for an event that `local` has, all of which are of this machine. */
  isLocalEvent(id: string): boolean;
  /**
   * Paths in `memory` that a move to `local` left behind when it was killed, as the events of `local` tell, which are all
   * of this machine. The other way round see `second-commit.ts`.
   */
  unfinishedMoves(): readonly string[];
};

/** The note whose file lies at a path, by its name only where the index has no note there: two may have changed places. */
export const noteAt = (places: Pick<NotePlaces, 'idAt'>, journal: JournalName, path: string): NoteId =>
  places.idAt(journal, path) ?? idOfPath(path);

/** The write path's questions to the index, which is caught up to the head before any is asked. */
export type NoteLookup = NotePlaces & {
  /** For whoever does not hold the write lock: catches up first, and answers also where the store can only be read. */
  askPlaces<Answer>(question: (places: NotePlaces) => Answer): Promise<Answer>;
  /** Brings the index to the journal's head, building it anew where that is needed. */
  catchUp(journal: GitJournal): Promise<void>;
  /**
   * The difference that the index needs when the journal moves from one head to another, forward when the one is known to
   * be an ancestor of the other, and else known to be none; undefined when it is too much.
   */
  difference(
    journal: GitJournal,
    from: string | undefined,
    to: string,
    isForward: boolean,
  ): Promise<Difference | undefined>;
  /** Applies what was just committed; an index that can't take it is caught up instead. */
  record(difference: Difference): Promise<void>;
  /** Of the note's file at a path; epoch seconds. */
  updatedAt(journal: JournalName, path: string): number | undefined;
  supersedes(id: NoteId): readonly NoteId[];
  withSourceKey(sourceKey: string): NoteId | undefined;
  /** Notes with this title in rows of the index above that one. */
  newlyTitled(title: string, row: number): readonly NoteId[];
  sourceKeyOf(id: NoteId): string | undefined;
  wasThere(id: NoteId): boolean;
  /** Of a note without a file here. */
  keptElsewhere(id: NoteId): KeptElsewhere | undefined;
  editedSinceImport(id: NoteId): boolean;
  /** Newest first. */
  eventsOfNote(id: NoteId): readonly EventOfNote[];
  wasPurged(id: NoteId): boolean;
  hasEvent(id: string): boolean;
  /** Events of both journals that say they are this machine's command; the first hundred, for it is anybody's word. */
  claimsOfCommand(commandId: string, machine: string): readonly HeldEvent[];
  countFiles(journal: JournalName): number;
  /** Files of the journal's head that can't be read as notes, and why. */
  unreadable(journal: JournalName): readonly NoteProblem[];
};

export type Store = {
  readonly journals: Readonly<Record<JournalName, GitJournal>>;
  readonly state: State;
  readonly lock: WriteLock;
  readonly lookup: NoteLookup;
  /** True when the file is surely still what the row says; costs one lstat. */
  readonly isAsCheckedOut: (journal: JournalName, row: CheckedOutFile) => boolean;
  readonly machine: string;
  readonly nowMs: () => number;
  readonly newId: (epochMs: number) => string;
  /** One line to the log file of the store. */
  readonly log: (line: string) => void;
  /** Called before each step of the write path that leaves a trace; tests stop the process there. */
  readonly step: (name: string) => void;
};

/** Files as they changed from one commit to the next, as the index is told of them. */
export const toPathChange = (path: string, before: BlobId | undefined, after: BlobId | undefined): PathChange => ({
  path,
  before,
  after,
  afterMode: after === undefined ? '000000' : '100644',
});

/** Runs something under the write lock. */
export type Exclusively = <Answer>(run: () => Promise<Answer>) => Promise<Answer>;
