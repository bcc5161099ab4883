/** Moves a note to another project or to the other journal. Pure. */
import type { FileChange } from '../events/event.js';
import { formatMove } from '../events/move-trailer.js';
import { type JournalName, journalOf, type NoteId, type Scope, shownTitle } from '../events/note/note.js';
import { formatNoteFile, isEditable, type NoteFile, setNoteFields } from '../events/note/note-file.js';
import { isNoteLink, linksOf } from '../events/note/note-links.js';
import { pathOfNote } from '../events/note/paths.js';
import { sayPortable, saysMachineLocal } from '../events/note/stated-scope.js';
import { formatTime } from '../events/time.js';
import {
  type Decide,
  type Handler,
  type KnownCopy,
  type KnownNotes,
  quiet,
  refuse,
  removeAllCopies,
  removeCopies,
} from './command.js';
import { checkLimits } from './limits.js';
import { addUp, redactFields } from './redact-fields.js';
import { notEditable, noteForgotten, noteUnknown, nothingToDo } from './refusals.js';
import { mergeUnadopted } from './write-path/merge-unadopted.js';

/**
 * Warns that a journal's history still holds a text that left it; purging it would remove it from both journals.
 * `isWithheld` is true for a text that a person committed in memory/ although it was machine-local: a sync doesn't push
 * it.
 */
export const textStays = (journal: JournalName, isWithheld = false): string => {
  const stays = `the history of the ${journal} journal still holds the text`;
  if (journal === 'local') return stays;
  return isWithheld
    ? `${stays}: the next sync leaves out what was committed of it as machine-local, and publishes the rest`
    : `${stays}, and a sync publishes that history`;
};

export type MoveNote = {
  readonly kind: 'move';
  readonly id: NoteId;
  readonly project?: string | undefined;
  readonly scope?: Scope | undefined;
};

/**
 * The only command that makes a machine-local note portable. Quiet if the note is already there and nowhere else,
 * unless a person put its file there or wrote into it that it is machine-local: such a file is not published until this
 * event says so. A move to local/ also takes in the note's files that adopting left in memory/.
 */
const decideMove: Decide<MoveNote> = ({ id, project: named, scope }, notes, stamp) => {
  // A project often derives from a remote's address, which may contain a secret.
  const {
    fields: { project },
    masked,
  } = redactFields({ project: named });
  const known = notes.find(id);
  if (known === undefined) return refuse(notes.wasThere(id) ? noteForgotten(id) : noteUnknown(id));
  if (project === undefined && scope === undefined) {
    return refuse(nothingToDo('the move names no destination', 'give --project or --scope'));
  }
  const refusal = checkLimits({ project });
  if (refusal !== undefined) return refuse(refusal);
  const { note } = known.file;
  const wanted = { project: project ?? note.project, scope: scope ?? note.scope };
  // The note may also be in the other journal, where another machine edited it: naming a scope settles that.
  const stray = scope === undefined ? [] : known.copies.filter((copy) => copy.journal !== journalOf(scope));
  const isThere = wanted.project === note.project && wanted.scope === note.scope;
  const brought =
    scope === 'portable' && known.place.journal === 'portable' ? [known.file, ...filesOf(known.copies)] : [];
  const needsMove = brought.length > 0 && notes.needsMove(id);
  const publishes = needsMove || brought.some(saysMachineLocal);
  const left = scope === 'machine-local' ? notes.leftTexts(id) : [];
  if (isThere && stray.length === 0 && !publishes && left.length === 0) return quiet(id);
  if (!isEditable(known.file)) return refuse(notEditable(id, known.place.path));
  const moved = setNoteFields(known.file, { ...wanted, updatedAt: formatTime(stamp.atMs) });
  const taken = mergeUnadopted(moved, left, stamp);
  const after = scope === 'portable' ? sayPortable(taken.file) : taken.file;
  const from = known.place;
  const journal = journalOf(wanted.scope);
  const moves = journal !== from.journal;
  const isWithheld = saysMachineLocal(known.file) || notes.needsMove(id);
  const path = moves ? pathOfNote(note.type, id) : from.path;
  const written: readonly FileChange[] = [{ journal, path, bytes: formatNoteFile(after) }];
  const leave: readonly FileChange[] = moves ? [{ journal: from.journal, path: from.path, bytes: undefined }] : [];
  return {
    kind: 'record',
    event: {
      kind: 'note.moved',
      subject: shownTitle(note),
      notes: [id, ...taken.beside.map((copy) => copy.id)],
      project: wanted.project,
      move: moves || publishes ? formatMove(from) : undefined,
    },
    changes: [
      ...written,
      ...taken.beside.map(({ change }) => change),
      ...leave,
      ...(scope === undefined ? removeCopies : removeAllCopies)(known, written),
    ],
    takesIn: left.length === 0 ? undefined : new Map(left.map(({ path: at, blob }) => [at, blob])),
    // The local journal records this machine's decision: in the portable one, anyone may claim to have made it.
    told: needsMove ? 'local' : undefined,
    noteId: id,
    masked: addUp([...masked, ...taken.masked]),
    lost: taken.lost,
    warnings: [
      ...taken.warnings,
      ...(moves ? [textStays(from.journal, isWithheld)] : []),
      ...(moves || publishes ? linkedWarnings(after, notes) : []),
    ],
  };
};

const filesOf = (copies: readonly KnownCopy[]): readonly NoteFile[] => copies.flatMap(({ file }) => file ?? []);

/**
 * Warns only about links, which are part of the text: proposals about private notes are dropped, and superseded ones
 * are reported, whenever a portable file is written.
 */
export const linkedWarnings = (file: NoteFile, notes: KnownNotes): readonly string[] => {
  if (file.note.scope !== 'portable') return [];
  const linked = linksOf(file)
    .filter(isNoteLink)
    .map((text) => text.slice(text.lastIndexOf(' ') + 1));
  const names = [...new Set(linked)].filter((id) => notes.isPrivate(id) && !file.note.supersedes.includes(id));
  if (names.length === 0) return [];
  return [`it links to ${names.join(', ')}, which stays machine-local: only its id is synced`];
};

export const moveHandler: Handler<MoveNote> = {
  touches: ({ id }) => [id],
  decide: decideMove,
  noteOf: ({ id }) => id,
};
