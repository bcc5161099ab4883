/** One note for each agent session, brought up to date as the session goes on. Pure. */
import { derivedUlid } from '../events/ids.js';
import type { Note, NoteId } from '../events/note.js';
import { formatNoteFile, isEditable, newNoteFile, setNoteFields } from '../events/note-file.js';
import { pathOfNote } from '../events/paths.js';
import { formatTime } from '../events/time.js';
import { captureSources } from './capture/session-note.js';
import { type CaptureSession, type Decide, type KnownNotes, quiet, refuse, removeCopies } from './command.js';
import { checkLimits } from './limits.js';
import { redactFields } from './redact-fields.js';
import { sourceKeyOfSession } from './source-keys.js';

/** The note that holds the session, or the id it would get. */
export const noteOfSession = (
  { session, startedAtMs }: Pick<CaptureSession, 'session' | 'startedAtMs'>,
  notes: Pick<KnownNotes, 'withSourceKey'>,
): NoteId => {
  const key = sourceKeyOfSession(session);
  return notes.withSourceKey(key) ?? derivedUlid(startedAtMs, key);
};

/**
 * Quiet when the session says nothing new, when the note was forgotten, and when a person rewrote it: their text stays.
 * Tags that were added stay too; only the last capture's source is exchanged.
 */
export const decideCapture: Decide<CaptureSession> = (command, notes, stamp) => {
  const refusal = checkLimits(command);
  if (refusal !== undefined) return refuse(refusal);
  const id = noteOfSession(command, notes);
  const before = notes.find(id);
  if (before === undefined && notes.wasThere(id)) return quiet(undefined, [`session note ${id} was forgotten`]);
  if (before !== undefined && notes.editedSinceImport(id))
    return quiet(id, [`session note ${id} was edited by hand and stays as it is`]);
  const { fields, masked } = redactFields(command);
  const event = {
    kind: 'session.captured',
    subject: fields.title.trim(),
    notes: [id],
    project: before?.file.note.project ?? fields.project,
  };
  if (before === undefined) {
    const bytes = formatNoteFile(newNoteFile(newSessionNote(id, fields, stamp)));
    return {
      kind: 'record',
      event,
      changes: [{ journal: 'memory', path: pathOfNote('episodic', id), bytes }],
      noteId: id,
      masked,
      warnings: [],
    };
  }
  const { note } = before.file;
  const tags = [...fields.tags, ...note.tags.filter((tag) => !isCaptureTag(tag) && !fields.tags.includes(tag))];
  const same = note.title === fields.title.trim() && note.body === fields.body && note.model === fields.model;
  if (same || !isEditable(before.file)) return quiet(id);
  const after = setNoteFields(before.file, {
    title: fields.title.trim(),
    body: fields.body,
    tags,
    model: fields.model,
    updatedAt: formatTime(stamp.atMs),
  });
  const { journal, path } = before.place;
  return {
    kind: 'record',
    event,
    changes: [{ journal, path, bytes: formatNoteFile(after) }, ...removeCopies(before)],
    noteId: id,
    masked,
    warnings: [],
  };
};

const isCaptureTag = (tag: string): boolean => captureSources.some((source) => source === tag);

const newSessionNote = (id: NoteId, fields: CaptureSession, stamp: Parameters<Decide<CaptureSession>>[2]): Note => ({
  id,
  type: 'episodic',
  title: fields.title.trim(),
  project: fields.project,
  machineId: stamp.machine,
  scope: 'portable',
  userId: stamp.user,
  workspaceId: 'personal',
  source: 'session-end',
  // A summary made by rules or by a model is not a person's word.
  confidence: 0.8,
  model: fields.model,
  session: fields.session,
  supersedes: [],
  createdAt: formatTime(fields.startedAtMs),
  updatedAt: formatTime(stamp.atMs),
  tags: fields.tags,
  agent: stamp.agent,
  importance: undefined,
  keywords: [],
  expiresAt: undefined,
  sensitive: false,
  sourceKey: sourceKeyOfSession(fields.session),
  proposes: [],
  body: fields.body,
});
