/** Moves a note to another project, or writes it anew in the other journal. Pure. */
import { type BlobId, type JournalName, journalOf, type NoteId, type Scope, shownTitle } from '../events/note/note.js';
import {
  formatNoteFile,
  isEditable,
  type NoteFields,
  type NoteFile,
  parseNoteFile,
  setNoteFields,
  withNoteId,
} from '../events/note/note-file.js';
import { pathOfNote } from '../events/note/paths.js';
import { sayPortable } from '../events/note/stated-scope.js';
import { formatYamlKey } from '../events/note/yaml-text.js';
import { formatTime } from '../events/time.js';
import { derivedUlid, timeOfUlid } from '../events/ulid-form.js';
import {
  type Decide,
  type Decision,
  type Handler,
  type KnownNote,
  type KnownNotes,
  quiet,
  record,
  refuse,
} from './command.js';
import { checkLimits } from './limits.js';
import { addUp, redactFields, redactFile } from './redact-fields.js';
import { notEditable, noteForgotten, noteUnknown, nothingToDo } from './refusals.js';

export type MoveNote = {
  readonly kind: 'move';
  readonly id: NoteId;
  readonly project?: string | undefined;
  /** With another scope than the note's, the note is written anew; its caller then forgets the old one. */
  readonly scope?: Scope | undefined;
  /** The note's file as a person saved it in memory/ with `scope: machine-local`, which is never recorded there. */
  readonly typed?: string | undefined;
};

/** Quiet if the note is already there, or if it was already written anew and the old one only remains to be forgotten. */
const decideMove: Decide<MoveNote> = ({ id, project: named, scope, typed }, notes, stamp) => {
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
  const changed = { project: project ?? note.project, updatedAt: formatTime(stamp.atMs) };
  if (scope !== undefined && scope !== note.scope) {
    const said = typed === undefined ? undefined : parseNoteFile(Buffer.from(typed), 'portable', known.place.path);
    const text = said?.ok === true ? redactFile(said.file) : { file: known.file, masked: [] };
    const file = writtenAnew(text.file, movedId(id, known.place.blob), { ...changed, scope });
    return moveAnew(known, file, notes, addUp([...masked, ...text.masked]));
  }
  if (changed.project === note.project) return quiet(id);
  const { journal, path } = known.place;
  if (!isEditable(known.file)) return refuse(notEditable(id, path));
  return record(
    { kind: 'note.moved', subject: shownTitle(note), notes: [id], project: changed.project },
    [{ journal, path, bytes: formatNoteFile(setNoteFields(known.file, changed)) }],
    id,
    { masked },
  );
};

/** The id that a version of the note gets in the other journal, so that a repeated command finds the note. */
export const movedId = (id: NoteId, blob: BlobId): NoteId => derivedUlid(timeOfUlid(id), 'moved', id, blob);

/** The note's file with another id, for either journal. Only the local side names the old id. */
export const writtenAnew = (file: NoteFile, id: NoteId, fields: NoteFields & { readonly scope: Scope }): NoteFile =>
  sayOrigin(setNoteFields(withNoteId(file, id), fields), file.note.id, journalOf(fields.scope));

const moveAnew = (
  { file: { note: old } }: KnownNote,
  file: NoteFile,
  notes: KnownNotes,
  masked: Extract<Decision, { kind: 'record' }>['masked'],
): Decision => {
  const { id, type, scope, project } = file.note;
  if (notes.find(id) !== undefined) return quiet(id);
  const journal = journalOf(scope);
  return record(
    { kind: 'note.moved', subject: shownTitle(old), notes: [id], project },
    [{ journal, path: pathOfNote(type, id), bytes: formatNoteFile(file) }],
    id,
    { masked },
  );
};

const sayOrigin = (file: NoteFile, old: NoteId, journal: JournalName): NoteFile => {
  const { was: _, ...values } = file.front.values;
  const segments = file.front.segments.filter(({ key }) => key !== 'was');
  if (journal === 'portable') return sayPortable({ ...file, front: { ...file.front, segments, values } });
  const own = { key: 'was', text: formatYamlKey('was', old, file.front.eol) };
  return { ...file, front: { ...file.front, segments: [...segments, own], values: { ...values, was: old } } };
};

export const moveHandler: Handler<MoveNote> = {
  touches: ({ id, scope }, lookup) =>
    scope === undefined ? [id] : [id, ...lookup.filesOf(id).map(({ blob }) => movedId(id, blob))],
  decide: decideMove,
  noteOf: ({ id, scope }, { notes: [first] }) => (scope === undefined ? id : first),
};
