/** One door to all deciders. Pure. */
import type { Stamp } from '../events/event.js';
import { decideCapture } from './capture-session.js';
import type { Command, Decision, KnownNotes } from './command.js';
import { decideConfirm } from './confirm.js';
import { decideEdit } from './edit.js';
import { keepFoldedTexts } from './folded-texts.js';
import { decideForget, decideRestore } from './forget.js';
import { decideImport } from './import-notes.js';
import { decideMove } from './move.js';
import { decideResolve } from './resolve-conflict.js';
import { decideRestoreAt } from './restore-at.js';
import { decideProposal } from './settle-proposal.js';
import { decideSupersede } from './supersede.js';
import { decideTag } from './tag.js';
import { decideUndo } from './undo.js';
import { decideWrite } from './write.js';

export const decide = (command: Command, notes: KnownNotes, stamp: Stamp): Decision =>
  keepFoldedTexts(decideAlone(command, notes, stamp), notes, stamp);

const decideAlone = (command: Command, notes: KnownNotes, stamp: Stamp): Decision => {
  switch (command.kind) {
    case 'write':
      return decideWrite(command, notes, stamp);
    case 'edit':
      return decideEdit(command, notes, stamp);
    case 'supersede':
      return decideSupersede(command, notes, stamp);
    case 'forget':
      return decideForget(command, notes, stamp);
    case 'restore':
      return decideRestore(command, notes, stamp);
    case 'restore-at':
      return decideRestoreAt(command, notes, stamp);
    case 'undo':
      return decideUndo(command, notes, stamp);
    case 'tag':
      return decideTag(command, notes, stamp);
    case 'move':
      return decideMove(command, notes, stamp);
    case 'import':
      return decideImport(command, notes, stamp);
    case 'capture':
      return decideCapture(command, notes, stamp);
    case 'confirm':
      return decideConfirm(command, notes, stamp);
    case 'settle-proposal':
      return decideProposal(command, notes, stamp);
    case 'resolve-conflict':
      return decideResolve(command, notes, stamp);
  }
};
