/** The table of all commands: which notes each touches, what it decides, which note its answer shows. Pure. */
import type { Stamp } from '../events/event.js';
import type { NoteId } from '../events/note/note.js';
import { type CaptureSession, captureHandler } from './capture-session.js';
import type { Decision, Handler, HeldEvent, KnownNotes, Looking } from './command.js';
import { type ConfirmNote, confirmHandler } from './confirm.js';
import { type EditNote, editHandler } from './edit.js';
import { type ForgetNote, forgetHandler } from './forget.js';
import { type ImportNotes, importHandler } from './import-notes.js';
import { type MoveNote, moveHandler } from './move.js';
import { conflictHandler, type ResolveConflict } from './resolve-conflict.js';
import { type RestoreNote, restoreHandler } from './restore.js';
import { type RestoreNoteAt, restoreAtHandler } from './restore-at.js';
import { proposalHandler, type SettleProposal } from './settle-proposal.js';
import { type SupersedeNotes, supersedeHandler } from './supersede.js';
import { type TagNote, tagHandler } from './tag.js';
import { type UndoEvent, undoHandler } from './undo.js';
import { type WriteNote, writeHandler } from './write.js';

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

type CommandByKind = { readonly [Asked in Command as Asked['kind']]: Asked };
type Kind = keyof CommandByKind;

const handlers: { readonly [Asked in Kind]: Handler<CommandByKind[Asked]> } = {
  write: writeHandler,
  edit: editHandler,
  supersede: supersedeHandler,
  forget: forgetHandler,
  restore: restoreHandler,
  'restore-at': restoreAtHandler,
  undo: undoHandler,
  tag: tagHandler,
  move: moveHandler,
  import: importHandler,
  capture: captureHandler,
  confirm: confirmHandler,
  'settle-proposal': proposalHandler,
  'resolve-conflict': conflictHandler,
};

/** A command of one of these kinds; generic, so that the compiler pairs each with its own handler. */
type CommandOf<Asked extends Kind> = {
  readonly [Each in Asked]: CommandByKind[Each] & { readonly kind: Each };
}[Asked];

export const touches = <Asked extends Kind>(command: CommandOf<Asked>, lookup: Looking): readonly NoteId[] =>
  handlers[command.kind].touches(command, lookup);

export const decide = <Asked extends Kind>(command: CommandOf<Asked>, notes: KnownNotes, stamp: Stamp): Decision =>
  handlers[command.kind].decide(command, notes, stamp);

export const noteOf = <Asked extends Kind>(command: CommandOf<Asked>, event: HeldEvent): NoteId | undefined =>
  handlers[command.kind].noteOf(command, event);
