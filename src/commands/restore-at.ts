/** Restores the text that a note had at a point of the history. Pure. */
import type { FileChange } from '../events/event.js';
import { mergeNotes } from '../events/note/merge.js';
import { type NoteId, shownTitle } from '../events/note/note.js';
import { formatNoteFile, isEditable, type NoteFile, setNoteFields } from '../events/note/note-file.js';
import { formatTime } from '../events/time.js';
import {
  type CommitOfJournal,
  type Decide,
  type Handler,
  type KnownNote,
  type PastNote,
  quiet,
  record,
  refuse,
} from './command.js';
import { notEditable, noteUnknown, type Refusal, supersedeCycle } from './refusals.js';
import { cleanFile, findCycle, placeForType } from './revert.js';

export type RestoreNoteAt = {
  readonly kind: 'restore-at';
  readonly id: NoteId;
  /** The point as the caller named it. */
  readonly point: string;
  /** The same point as commits; a journal without one was empty then. */
  readonly commits: CommitOfJournal;
};

/** Quiet when the note says the same now. updated_at becomes now, unless a forgotten note's last text is asked for. */
const decideRestoreAt: Decide<RestoreNoteAt> = ({ id, point, commits }, notes, stamp) => {
  const past = notes.noteAt(id, commits);
  const known = notes.find(id);
  if (past === undefined)
    return refuse(known !== undefined || notes.wasThere(id) ? notThereThen(id, point) : noteUnknown(id));
  const at = formatTime(stamp.atMs);
  const lost = notes.lost(id);
  const older = known === undefined ? revive(past, lost, at) : turnBack(known, past, at);
  if (older === undefined) return quiet(id);
  const from = known?.place ?? past.place;
  if (known !== undefined && !isEditable(known.file)) return refuse(notEditable(id, known.place.path));
  const { file, bytes, masked } = cleanFile(older);
  const { supersedes } = file.note;
  const there = known?.file.note.supersedes ?? [];
  const cyclic = findCycle(
    notes,
    id,
    supersedes.filter((one) => !there.includes(one)),
  );
  if (cyclic !== undefined) return refuse(supersedeCycle(cyclic, id));
  const place = placeForType(from, file.note.type, id);
  const isMoved = known !== undefined && place.path !== from.path;
  const leave: readonly FileChange[] = isMoved ? [{ journal: from.journal, path: from.path, bytes: undefined }] : [];
  const written: readonly FileChange[] = [{ ...place, bytes }];
  return record(
    {
      kind: 'note.restored',
      subject: shownTitle(file.note),
      notes: [id],
      reason: `as of ${point}`,
      project: file.note.project,
    },
    [...written, ...leave],
    id,
    { masked },
  );
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

const revive = ({ file, bytes }: PastNote, last: PastNote | undefined, at: string): NoteFile => {
  if (last === undefined || last.bytes.equals(bytes) || !isEditable(file)) return file;
  return setNoteFields(file, { updatedAt: at });
};

const notThereThen = (id: string, point: string): Refusal => ({
  code: 'note-not-then',
  message: `there was no note ${id} at ${point}`,
  next: `anamnesis history ${id} shows what happened to it and when`,
});
