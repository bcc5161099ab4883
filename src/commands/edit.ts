/** Edits fields of a note. Pure. */
import type { FileChange } from '../events/event.js';
import { type Note, type NoteId, type NoteType, shownTitle } from '../events/note/note.js';
import { formatNoteFile, isEditable, type NoteFields, type NoteFile, setNoteFields } from '../events/note/note-file.js';
import { areLinksOurs, resolversOf, setResolvers } from '../events/note/note-links.js';
import { pathOfNote } from '../events/note/paths.js';
import { formatTime, parseTime } from '../events/time.js';
import { type Decide, type Handler, type KnownNote, type KnownNotes, quiet, record, refuse } from './command.js';
import { checkLimits, expiryWarnings } from './limits.js';
import { type FreeText, redactFields } from './redact-fields.js';
import {
  linksForeign,
  notEditable,
  noteForgotten,
  noteUnknown,
  nothingToDo,
  type Refusal,
  resolvesItself,
  valueInvalid,
  versionMoved,
} from './refusals.js';

/** Fields to set; null removes an optional one. */
export type NoteEdit = FreeText & {
  readonly type?: NoteType | undefined;
  readonly importance?: number | null | undefined;
  readonly confidence?: number | undefined;
  readonly expiresAt?: string | null | undefined;
  /** The notes that say how this problem was solved; they replace the current list. */
  readonly resolvedBy?: readonly NoteId[] | undefined;
};

/** True if an edit of these fields would change nothing. */
export const hasFields = (file: NoteFile, set: NoteEdit): boolean =>
  sameFields(file.note, noteFieldsOf(redactFields(set).fields)) && hasResolvers(file, set.resolvedBy);

const hasResolvers = (file: NoteFile, wanted: NoteEdit['resolvedBy']): boolean => {
  const [before, after] = [new Set(resolversOf(file)), new Set(wanted)];
  return wanted === undefined || (before.size === after.size && [...after].every((id) => before.has(id)));
};

export type EditNote = {
  readonly kind: 'edit';
  readonly id: NoteId;
  readonly set: NoteEdit;
  /** Blob id, or its beginning, of the version that the caller read; the edit is refused if the journal has another. */
  readonly expectedVersion?: string | undefined;
};

/** Quiet when every field already has its value: an agent may resend a command whose answer it lost. */
const decideEdit: Decide<EditNote> = ({ id, set, expectedVersion }, notes, stamp) => {
  const known = notes.find(id);
  if (known === undefined) return refuse(notes.wasThere(id) ? noteForgotten(id) : noteUnknown(id));
  if (Object.values(set).every((value) => value === undefined)) {
    return refuse(nothingToDo('the edit sets no field', 'name at least one field, such as --title or --body'));
  }
  if (expectedVersion !== undefined && expectedVersion.length < minVersionLength) {
    const wanted = `a whole version, or at least ${minVersionLength} characters of its beginning`;
    return refuse(valueInvalid('version', wanted, expectedVersion));
  }
  if (expectedVersion !== undefined && !known.place.blob.startsWith(expectedVersion.toLowerCase())) {
    return refuse(versionMoved(id, expectedVersion, known.place.blob));
  }
  const refusal = checkLimits(set);
  if (refusal !== undefined) return refuse(refusal);
  const misnamed = checkResolvers(known, set.resolvedBy, notes);
  if (misnamed !== undefined) return refuse(misnamed);
  const { fields, masked } = redactFields(set);
  const wanted = noteFieldsOf(fields);
  if (sameFields(known.file.note, wanted) && hasResolvers(known.file, set.resolvedBy)) return quiet(id);
  if (!isEditable(known.file)) return refuse(notEditable(id, known.place.path));
  const agent = writerAfter(known.file.note, wanted, stamp.agent);
  const edited = setNoteFields(known.file, {
    ...wanted,
    agent,
    // Its words are from here on those of whoever changed them.
    ...(hasNewWords(known.file.note, wanted) ? { userId: stamp.user } : {}),
    updatedAt: formatTime(stamp.atMs),
  });
  const { resolvedBy } = set;
  const after = resolvedBy === undefined ? edited : setResolvers(edited, [...new Set(resolvedBy)]);
  const written = replaceFile(known, after.note.type, formatNoteFile(after));
  return record(
    { kind: 'note.edited', subject: shownTitle(after.note), notes: [id], project: after.note.project },
    [...written],
    id,
    { masked, warnings: expiryWarnings(parseTime(wanted.expiresAt ?? ''), stamp.atMs, after.note) },
  );
};

/** Messages print 12 characters; fewer than 7 may match another version as well. */
const minVersionLength = 7;

export const editHandler: Handler<EditNote> = {
  touches: ({ id, set }) => [id, ...(set.resolvedBy ?? [])],
  decide: decideEdit,
  noteOf: ({ id }) => id,
};

const checkResolvers = (
  { file, place }: KnownNote,
  ids: readonly NoteId[] = [],
  notes: KnownNotes,
): Refusal | undefined => {
  if (ids.includes(file.note.id)) return resolvesItself(file.note.id);
  const missing = ids.find((id) => notes.find(id) === undefined);
  if (missing !== undefined) return notes.wasThere(missing) ? noteForgotten(missing) : noteUnknown(missing);
  return ids.length > 0 && !areLinksOurs(file) ? linksForeign(file.note.id, place.path) : undefined;
};

const hasNewWords = (note: Note, { title = note.title, body = note.body }: NoteFields): boolean =>
  title !== note.title || body !== note.body;

/** A person takes a note over with a new body, not with a new title. A learned or captured one keeps its agent. */
const writerAfter = (note: Note, wanted: NoteFields, agent: string | undefined): string | undefined => {
  const hasNewBody = wanted.body !== undefined && wanted.body !== note.body;
  const hasNewTitle = wanted.title !== undefined && wanted.title !== note.title;
  if (!(hasNewBody || (hasNewTitle && agent !== undefined))) return note.agent;
  return note.source === 'human' ? agent : (note.agent ?? agent);
};

/** Edits the file in place; only a change of type moves it. */
const replaceFile = (known: KnownNote, type: Note['type'], bytes: Buffer): readonly FileChange[] => {
  const { journal, path } = known.place;
  if (path.startsWith(`${type}/`)) return [{ journal, path, bytes }];
  return [
    { journal, path, bytes: undefined },
    { journal, path: pathOfNote(type, known.file.note.id), bytes },
  ];
};

const noteFieldsOf = (set: NoteEdit): NoteFields => ({
  ...(set.title === undefined ? {} : { title: set.title.trim() }),
  ...(set.body === undefined ? {} : { body: set.body }),
  ...(set.tags === undefined ? {} : { tags: set.tags }),
  ...(set.project === undefined ? {} : { project: set.project }),
  ...(set.type === undefined ? {} : { type: set.type }),
  ...(set.importance === undefined ? {} : { importance: set.importance ?? undefined }),
  ...(set.confidence === undefined ? {} : { confidence: set.confidence }),
  ...(set.keywords === undefined ? {} : { keywords: set.keywords }),
  ...(set.expiresAt === undefined ? {} : { expiresAt: expiryOf(set.expiresAt) }),
});

const expiryOf = (text: string | null): string | undefined => {
  const time = text === null ? undefined : parseTime(text);
  return time === undefined ? undefined : formatTime(time);
};

const sameFields = (note: Note, fields: NoteFields): boolean => {
  const after = { ...note, ...fields };
  return JSON.stringify(after) === JSON.stringify(note);
};
