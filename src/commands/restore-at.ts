/** Restores the text that a note had at a point of the history. Pure. */
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

/** Restores a note's text as of a point of the history, whether the note exists now or not. */
export type RestoreNoteAt = {
  readonly kind: 'restore-at';
  readonly id: NoteId;
  /** The point as the caller named it. */
  readonly point: string;
  /** The same point as commits; a journal without one was empty then. */
  readonly commits: CommitOfJournal;
  /** If given, restores a note that another machine made machine-local, or publishes a text that was local then. */
  readonly scope?: 'portable' | undefined;
};

/**
 * Quiet when the note says the same now. Every field becomes what it was, but the note stays in its journal: a note
 * made local since must not return to the synced journal, and a text that was local then is published only with
 * `scope`. updated_at becomes now, because restoring an older text is a new edit; only a forgotten note whose last text
 * is the one asked for keeps it, as with `restore`.
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
  // If the machine-local text is gone and another machine's portable one is there, the latter stays as it is.
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

/** Returns undefined if the note says the same. */
const turnBack = (known: KnownNote, past: PastNote, at: string): NoteFile | undefined => {
  const turned = mergeNotes(known.file, known.file, past.file).file;
  const same = setNoteFields(turned, { updatedAt: known.file.note.updatedAt });
  // A secret that was masked since is a difference in the history only.
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
  message: `note ${id} was machine-local at ${point} and is portable now: restoring that text would publish it`,
  next: `if it is meant for all machines: anamnesis restore ${id} --at ${point} --scope portable`,
});

const notThereThen = (id: string, point: string): Refusal => ({
  code: 'note-not-then',
  message: `there was no note ${id} at ${point}`,
  next: `anamnesis history ${id} shows what happened to it and when`,
});
