/** Resolves a conflict as a person decided: the note's text, without the conflict copy. Pure. */

import type { FileChange } from '../events/event.js';
import { type NoteId, shownTitle } from '../events/note/note.js';
import { formatNoteFile, isEditable, type NoteFields, setNoteFields } from '../events/note/note-file.js';
import { conflictsWith, titleOfCopy, withoutConflict } from '../events/note/note-links.js';
import { formatTime } from '../events/time.js';
import {
  type Decide,
  type DecidedEvent,
  type Decision,
  type Handler,
  type KnownNote,
  quiet,
  record,
  refuse,
  removeNote,
} from './command.js';
import { hasMarks } from './conflict-marks.js';
import { checkLimits } from './limits.js';
import { redactFields } from './redact-fields.js';
import { notEditable, noteUnknown, type Refusal, versionMoved } from './refusals.js';

export type ResolveConflict = {
  readonly kind: 'resolve-conflict';
  readonly copy: NoteId;
  readonly original: NoteId;
  /** `ours` takes the copy's text, `theirs` keeps the note's, `both` puts one below the other, `edit` sets `body`. */
  readonly verdict: 'ours' | 'theirs' | 'both' | 'edit';
  /** The copy's title if titles were part of the conflict; used with `ours`. */
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  /** Blob ids of the versions that the caller read; the command is refused if the journal has others. */
  readonly expected?: { readonly note?: string | undefined; readonly copy?: string | undefined } | undefined;
};

/**
 * Quiet when the copy is gone or no longer conflicts. If the note is gone, `ours` keeps the copy as a note and `theirs`
 * forgets it. A copy in the other journal is left for the caller to forget, in an event of its own.
 */
const decideResolve: Decide<ResolveConflict> = (command, notes, stamp) => {
  const { copy: copyId, original: id, verdict, expected } = command;
  const copy = notes.find(copyId);
  const note = notes.find(id);
  if (copy === undefined && !notes.wasThere(copyId)) return refuse(noteUnknown(copyId));
  if (copy === undefined || conflictsWith(copy.file) !== id) {
    return quiet(note === undefined ? undefined : id, [`note ${copyId} does not conflict with ${id} any more`]);
  }
  const moved = movedSince(expected?.copy, copy) ?? (note === undefined ? undefined : movedSince(expected?.note, note));
  if (moved !== undefined) return refuse(moved);
  const event: DecidedEvent = {
    kind: 'conflict.resolved',
    subject: shownTitle((note ?? copy).file.note),
    // A link written by hand may name something that was never a note, and an event must not make it look like one.
    notes: note !== undefined || notes.wasThere(id) ? [id, copyId] : [copyId],
    reason: verdict,
    project: (note ?? copy).file.note.project,
  };
  const at = formatTime(stamp.atMs);
  if (note === undefined) return resolveWithoutNote(command, copy, event, at);
  const isApart = copy.place.journal !== note.place.journal;
  if (isApart && verdict !== 'theirs' && copy.place.journal === 'local') return refuse(copyIsLocal(copyId));
  const wanted = fieldsOf(command, note, copy);
  if ('code' in wanted) return refuse(wanted);
  const { fields, masked } = redactFields(wanted);
  const { title, body } = note.file.note;
  const isSame = (fields.title ?? title) === title && (fields.body ?? body) === body;
  const removal = isApart ? [] : removeNote(copy);
  if (isSame) return isApart ? quiet(id) : record(event, removal, id);
  if (!isEditable(note.file)) return refuse(notEditable(id, note.place.path));
  const written = changeOf(note, formatNoteFile(setNoteFields(note.file, { ...fields, updatedAt: at })));
  return record(event, [written, ...removal], id, { masked });
};

export const conflictHandler: Handler<ResolveConflict> = {
  touches: ({ original, copy }) => [original, copy],
  decide: decideResolve,
  noteOf: ({ original }) => original,
};

const fieldsOf = (
  { verdict, title, body }: ResolveConflict,
  note: KnownNote,
  copy: KnownNote,
): Pick<NoteFields, 'title' | 'body'> | Refusal => {
  switch (verdict) {
    case 'theirs':
      return {};
    case 'ours':
      return { body: copy.file.note.body, ...(title === undefined ? {} : { title }) };
    case 'both': {
      const both = joinBodies(note.file.note.body, copy.file.note.body);
      return checkLimits({ body: both }) ?? { body: both };
    }
    case 'edit':
      if (body === undefined || body.trim() === '') return nothingLeft;
      if (hasMarks(body)) return marksRemain;
      return checkLimits({ body }) ?? { body };
  }
};

/** The note is gone, so the copy is all there is. */
const resolveWithoutNote = (
  { verdict, original }: ResolveConflict,
  copy: KnownNote,
  event: DecidedEvent,
  at: string,
): Decision => {
  const { id } = copy.file.note;
  if (verdict === 'theirs') return record(event, removeNote(copy), undefined);
  if (verdict !== 'ours') return refuse(noteGone(original, id));
  if (!isEditable(copy.file)) return refuse(notEditable(id, copy.place.path));
  const title = titleOfCopy(copy.file.note.title);
  const settled = setNoteFields(withoutConflict(copy.file), { title });
  const { fields, masked } = redactFields({ title: settled.note.title, body: settled.note.body });
  const written = changeOf(copy, formatNoteFile(setNoteFields(settled, { ...fields, updatedAt: at })));
  const subject = titleOfCopy(shownTitle(copy.file.note));
  return record({ ...event, subject }, [written], id, { masked });
};

const changeOf = ({ place: { journal, path } }: KnownNote, bytes: Buffer): FileChange => ({ journal, path, bytes });

const movedSince = (expected: string | undefined, { place, file }: KnownNote): Refusal | undefined =>
  expected === undefined || expected === place.blob ? undefined : versionMoved(file.note.id, expected, place.blob);

/** Blank lines around the rule: right below a line of text it would make that line a heading. */
const joinBodies = (note: string, copy: string): string => {
  const eol = note.includes('\r\n') ? '\r\n' : '\n';
  return `${note.trimEnd()}${eol}${eol}---${eol}${eol}${withoutBlankStart(copy)}`;
};

/** Drops blank lines at the start. Not by a pattern: the engine has room for some 8 million positions. */
const withoutBlankStart = (text: string): string => {
  const first = text.search(/[^ \t\r\n]/);
  return first === -1 ? '' : text.slice(text.lastIndexOf('\n', first) + 1);
};

const marksRemain: Refusal = {
  code: 'marks-remain',
  message: 'the text still has the marks of the conflict',
  next: 'keep what should stay, remove the lines that begin with <<<<<<<, ======= and >>>>>>>, and save',
};

const nothingLeft: Refusal = {
  code: 'body-empty',
  message: 'the text is empty, so nothing was recorded',
  next: 'keep what the note should say, or use --theirs and forget the note',
};

/** Its text would become portable with the note. */
const copyIsLocal = (copy: NoteId): Refusal => ({
  code: 'copy-is-local',
  message: `the conflicting edit ${copy} is machine-local, and the note it conflicts with is portable`,
  next: `--theirs forgets it; if it is meant for all machines: anamnesis move ${copy} --scope portable, then resolve it`,
});

const noteGone = (original: NoteId, copy: NoteId): Refusal => ({
  code: 'note-gone',
  message: `note ${original} is gone, so there is nothing to put the conflicting edit ${copy} into`,
  next: `--ours keeps it as a note of its own, --theirs forgets it; anamnesis restore ${original} brings the other back`,
});
