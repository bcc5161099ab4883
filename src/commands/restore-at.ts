/** Bring the text back that a note had at a point of the history. Pure. */
import type { FileChange } from '../events/event.js';
import { mergeNotes } from '../events/note/merge.js';
import { type NoteId, scopeOf, shownTitle } from '../events/note/note.js';
import { formatNoteFile, isEditable, type NoteFile, setNoteFields } from '../events/note/note-file.js';
import { formatTime } from '../events/time.js';
import {
  type CommitOfJournal,
  type Decide,
  type Handler,
  type KnownNote,
  type LostNote,
  type PastNote,
  quiet,
  refuse,
  removeCopies,
} from './command.js';
import { notEditable, noteUnknown, type Refusal, supersedeCycle } from './refusals.js';
import { cleanFile, findCycle, findPlaceFor, isBeside, placeForType } from './revert.js';
import { noteKeptElsewhere } from './write-path/kept-elsewhere.js';

/** Gives a note back the text that it had at a point of the history, also where it is there now. */
export type RestoreNoteAt = {
  readonly kind: 'restore-at';
  readonly id: NoteId;
  /** The point as it was asked for. */
  readonly point: string;
  /** The same as commits; a journal without one held nothing then. */
  readonly commits: CommitOfJournal;
  /** Given, a note comes back that another machine made machine-local, or a text that was that then is published. */
  readonly scope?: 'portable' | undefined;
};

/**
 * Quiet when the note says the same now. Every field becomes what it was, but the note stays in its journal: what was
 * made local since must not come back into what is synced, and what was local then is published by `scope` only. Its updated_at is now, for the older text is a new word on
 * the matter; only a forgotten note whose last text is the one asked for keeps it, as with `restore`.
 */
const decideRestoreAt: Decide<RestoreNoteAt> = ({ id, point, commits, scope }, notes, stamp) => {
  const past = notes.noteAt(id, commits);
  const known = notes.find(id);
  if (past === undefined)
    return refuse(known !== undefined || notes.wasThere(id) ? notThereThen(id, point) : noteUnknown(id));
  const kept = known === undefined ? notes.lost(id)?.keptElsewhere : undefined;
  if (kept !== undefined && scope === undefined) return refuse(noteKeptElsewhere(id, kept));
  const at = formatTime(stamp.atMs);
  const lost = notes.lost(id);
  const beside = known !== undefined && past.place.journal === 'local' && isBeside(lost, known) ? lost : undefined;
  // Where the machine-local text is gone and another machine's is there, that stays as it is.
  const target = beside === undefined ? known : undefined;
  const older = target === undefined ? revive(past, lost, at) : turnBack(target, past, at);
  if (older === undefined) return quiet(id);
  const from = target?.place ?? lost?.place ?? past.place;
  if (past.place.journal === 'local' && from.journal === 'portable' && scope === undefined)
    return refuse(textWasLocal(id, point));
  if (target !== undefined && !isEditable(target.file)) return refuse(notEditable(id, target.place.path));
  const { file, bytes, masked } = cleanFile(older);
  const { supersedes } = file.note;
  const there = target?.file.note.supersedes ?? [];
  const cyclic = findCycle(
    notes,
    id,
    supersedes.filter((one) => !there.includes(one)),
  );
  if (cyclic !== undefined) return refuse(supersedeCycle(cyclic, id));
  const found = findPlaceFor(id, file.note.type, placeForType(from, file.note.type, id), notes);
  if (!found.ok) return refuse(found.refusal);
  const { place } = found;
  const isMoved = target !== undefined && place.path !== from.path;
  const leave: readonly FileChange[] = isMoved ? [{ journal: from.journal, path: from.path, bytes: undefined }] : [];
  const written: readonly FileChange[] = [{ ...place, bytes }];
  return {
    kind: 'record',
    event: {
      kind: 'note.restored',
      subject: shownTitle(file.note),
      notes: [id],
      reason: `as of ${point}`,
      project: file.note.project,
    },
    changes: [...written, ...leave, ...(target === undefined ? [] : removeCopies(target, written))],
    noteId: id,
    masked,
    warnings: [],
  };
};

export const restoreAtHandler: Handler<RestoreNoteAt> = {
  touches: ({ id }) => [id],
  decide: decideRestoreAt,
  noteOf: ({ id }) => id,
};

/** Undefined when the note says the same. */
const turnBack = (known: KnownNote, past: PastNote, at: string): NoteFile | undefined => {
  const turned = mergeNotes(known.file, known.file, past.file).file;
  const same = setNoteFields(turned, { updatedAt: known.file.note.updatedAt });
  // A secret that was masked since differs in the history only.
  if (cleanFile(same).bytes.equals(formatNoteFile(known.file))) return undefined;
  return setNoteFields(turned, { updatedAt: at });
};

const revive = ({ file, bytes, place }: PastNote, last: LostNote | undefined, at: string): NoteFile => {
  if (last === undefined || last.bytes.equals(bytes) || !isEditable(file)) return file;
  return setNoteFields(file, {
    updatedAt: at,
    ...(last.place.journal === place.journal ? {} : { scope: scopeOf(last.place.journal) }),
  });
};

const textWasLocal = (id: NoteId, point: string): Refusal => ({
  code: 'text-was-local',
  message: `note ${id} was machine-local at ${point}, and is portable since: restoring that text would publish it`,
  next: `if it is meant for all machines: anamnesis restore ${id} --at ${point} --scope portable`,
});

const notThereThen = (id: string, point: string): Refusal => ({
  code: 'note-not-then',
  message: `there was no note ${id} at ${point}`,
  next: `anamnesis history ${id} shows what happened to it and when`,
});
