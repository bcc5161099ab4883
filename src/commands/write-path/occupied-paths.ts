/** Refuses decisions that would overwrite another note's only file, or an unreadable file that a person committed. */
import type { FileChange } from '../../events/event.js';
import { journalFolder, journalNames, type NoteId } from '../../events/note/note.js';
import { describeInFile, parseNoteFile } from '../../events/note/note-file.js';
import { idOfPath } from '../../events/note/paths.js';
import { type Decision, type KnownNotes, type Place, refuse } from '../command.js';
import type { Command } from '../handlers.js';
import { placeTaken, type Refusal, unreadableThere } from '../refusals.js';
import type { NoteLookup } from '../worktree/write-store.js';

type Notes = Pick<KnownNotes, 'holderOf' | 'isFree' | 'effectsOf'>;

/**
 * Applies to every command, because a person may name any note's file after another note. An import of thousands is
 * refused as a whole.
 */
export const refuseOverwrites = (
  lookup: Pick<NoteLookup, 'unreadable'>,
  command: Command,
  decision: Decision,
  notes: Notes,
): Decision => {
  if (decision.kind !== 'record') return decision;
  const refusal = findHeld(command, decision, notes) ?? findUnreadable(lookup, command, decision, notes);
  return refusal === undefined ? decision : refuse(refusal);
};

type Recorded = Extract<Decision, { kind: 'record' }>;

const findHeld = (command: Command, { event, changes }: Recorded, notes: Notes): Refusal | undefined => {
  const changed = new Set(changes.map(keyOf));
  const written = new Map<string, FileChange>();
  for (const change of changes) {
    if (change.bytes === undefined) continue;
    const other = written.get(keyOf(change));
    written.set(keyOf(change), change);
    const holder =
      notes.holderOf(change, (copy) => changed.has(keyOf(copy))) ?? (other === undefined ? undefined : idIn(other));
    if (holder === undefined || holder === idIn(change)) continue;
    // Undo has checked this itself, and names the notes it removes as well as those it restores.
    const goes =
      event.kind === 'event.undone'
        ? event.notes.includes(holder)
        : changes.some((one) => one.bytes !== undefined && keyOf(one) !== keyOf(change) && idIn(one) === holder);
    if (!goes || other !== undefined)
      return placeTaken(idIn(change), holder, change, notes, command.kind === 'undo' ? command.event.id : undefined);
  }
  return undefined;
};

/** Restoring to a point, or undoing the event that left the file unreadable, repairs such a file and is allowed. */
const findUnreadable = (
  lookup: Pick<NoteLookup, 'unreadable'>,
  command: Command,
  { changes }: Recorded,
  notes: Notes,
): Refusal | undefined => {
  const putRight = command.kind === 'undo' ? notes.effectsOf(command.event.id).unreadable : [];
  const isMeant = (path: string): boolean =>
    command.kind === 'restore-at' ? idOfPath(path) === command.id : putRight.includes(path);
  for (const journal of journalNames) {
    const written = new Set(
      changes.flatMap((one) => (one.journal === journal && one.bytes !== undefined ? [one.path] : [])),
    );
    if (written.size === 0) continue;
    for (const problem of lookup.unreadable(journal)) {
      const { path } = problem;
      // A command of the same batch may have put a note there.
      if (!written.has(path) || isMeant(path) || notes.holderOf({ journal, path }) !== undefined) continue;
      return unreadableThere(`${journalFolder[journal]}/${path}`, describeInFile(problem));
    }
  }
  return undefined;
};

const keyOf = ({ journal, path }: Place): string => `${journal}/${path}`;

const idIn = ({ journal, path, bytes }: FileChange): NoteId => {
  const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, journal, path);
  return parsed?.ok === true ? parsed.file.note.id : idOfPath(path);
};
