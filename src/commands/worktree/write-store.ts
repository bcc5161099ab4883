/** The dependencies of the write path; composed elsewhere, so that commands know no projection. */

import type { KnownVersion } from '../../events/event.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import type { Difference, PathChange } from '../../events/journal.js';
import type { BlobId, JournalName, NoteId } from '../../events/note/note.js';
import type { NoteProblem } from '../../events/note/note-file.js';
import type { CheckedOutFile } from '../../events/worktree/working-tree.js';
import type { WriteLock } from '../../state/lock.js';
import type { State } from '../../state/state.js';
import type { HeldEvent } from '../command.js';

export type EventOfNote = {
  readonly journal: JournalName;
  readonly commit: string;
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly commandId?: string | undefined;
};

export type NotePlaces = {
  filesOf(id: NoteId): readonly KnownVersion[];
  /** The version at a path, also of a file that is not a readable note. */
  blobAt(journal: JournalName, path: string): BlobId | undefined;
  /** True if `local` ever had the note. */
  wasLocal(id: NoteId): boolean;
  /** True if any event touched the note, forgotten or not. */
  wasThere(id: NoteId): boolean;
};

/** The write path's queries to the index, which must be caught up to the head first. */
export type NoteLookup = NotePlaces & {
  /** For callers without the write lock: catches up first, and answers even if the store can only be read. */
  askPlaces<Answer>(question: (places: NotePlaces) => Answer): Promise<Answer>;
  /** Catches the index up to the journal's head, replaying it if needed. */
  catchUp(journal: GitJournal): Promise<void>;
  /** Undefined if too large. `isForward`: `from` is known to be an ancestor of `to`, else known not to be. */
  difference(
    journal: GitJournal,
    from: string | undefined,
    to: string,
    isForward: boolean,
  ): Promise<Difference | undefined>;
  /** Applies what was just committed; an index that can't apply it is caught up instead. */
  record(difference: Difference): Promise<void>;
  supersedes(id: NoteId): readonly NoteId[];
  withSourceKey(sourceKey: string): NoteId | undefined;
  /** Notes with this title in index rows above `row`. */
  newlyTitled(title: string, row: number): readonly NoteId[];
  sourceKeyOf(id: NoteId): string | undefined;
  /** Ids that notes of `local` share with `memory`; with `histories`, also with its history. */
  sharedIds(histories: boolean): readonly NoteId[];
  editedSinceImport(id: NoteId): boolean;
  /** True if the note's last event undid its import. */
  importWasUndone(id: NoteId): boolean;
  /** Returns them newest first. */
  eventsOfNote(id: NoteId): readonly EventOfNote[];
  wasPurged(id: NoteId): boolean;
  /** At most a hundred events of both journals; any commit can claim to be this machine's command. */
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
  /** True if the file certainly still matches the row; costs one lstat. */
  readonly isAsCheckedOut: (journal: JournalName, row: CheckedOutFile) => boolean;
  readonly machine: string;
  readonly nowMs: () => number;
  readonly newId: (epochMs: number) => string;
  readonly log: (line: string) => void;
  /** Called before each step of the write path that leaves a trace; tests stop the process there. */
  readonly step: (name: string) => void;
};

export const toPathChange = (path: string, before: BlobId | undefined, after: BlobId | undefined): PathChange => ({
  path,
  before,
  after,
  afterMode: after === undefined ? '000000' : '100644',
});

export type Exclusively = <Answer>(run: () => Promise<Answer>) => Promise<Answer>;
