/** Captures an agent session into its one note, updated by later captures. Pure. */

import type { Note, NoteId } from '../events/note/note.js';
import { formatNoteFile, isEditable, newNoteFile, setNoteFields } from '../events/note/note-file.js';
import { pathOfNote } from '../events/note/paths.js';
import { formatTime, parseTime } from '../events/time.js';
import { derivedUlid } from '../events/ulid-form.js';
import { type Decide, type DecidedEvent, type Handler, type KnownNotes, quiet, record, refuse } from './command.js';
import { checkLimits } from './limits.js';
import { redactFields } from './redact-fields.js';
import { type Refusal, valueInvalid } from './refusals.js';
import { captureSources, sourceKeyOfSession } from './source-keys.js';

/** The id of the session's note, or the id it would get. */
export const noteOfSession = (
  { session, startedAtMs }: Pick<CaptureSession, 'session' | 'startedAtMs'>,
  notes: Pick<KnownNotes, 'withSourceKey'>,
): NoteId => {
  const key = sourceKeyOfSession(session);
  return notes.withSourceKey(key) ?? derivedUlid(startedAtMs, key);
};

/** The note of one agent session; a later capture of the same session updates it. */
export type CaptureSession = {
  readonly kind: 'capture';
  readonly session: string;
  readonly title: string;
  readonly body: string;
  readonly project: string;
  readonly tags: readonly string[];
  readonly startedAtMs: number;
  /** Dates the note; defaults to the time of the capture. */
  readonly lastTurnAtMs?: number | undefined;
  readonly model?: string | undefined;
};

/** Quiet when the session says nothing new, its note was forgotten, or a person edited it. Tags added since stay. */
const decideCapture: Decide<CaptureSession> = (command, notes, stamp) => {
  const refusal = checkSession(command.session) ?? checkLimits(command);
  if (refusal !== undefined) return refuse(refusal);
  const id = noteOfSession(command, notes);
  const before = notes.find(id);
  if (before === undefined && notes.wasThere(id)) return quiet(undefined, [`session note ${id} was forgotten`]);
  if (before !== undefined && notes.editedSinceImport(id))
    return quiet(id, [`session note ${id} was edited by hand and stays as it is`]);
  const { fields, masked } = redactFields(command);
  const event: DecidedEvent = {
    kind: 'session.captured',
    subject: fields.title.trim(),
    notes: [id],
    project: before?.file.note.project ?? fields.project,
  };
  if (before === undefined) {
    const bytes = formatNoteFile(newNoteFile(newSessionNote(id, fields, stamp)));
    return record(event, [{ journal: 'portable', path: pathOfNote('episodic', id), bytes }], id, { masked });
  }
  const { note } = before.file;
  const same = note.title === fields.title.trim() && note.body === fields.body && note.model === fields.model;
  if (same) return quiet(id);
  if (!isEditable(before.file))
    return quiet(id, [`session note ${id} stays as it is: its front matter can't be edited by key`]);
  const after = setNoteFields(before.file, {
    title: fields.title.trim(),
    body: fields.body,
    tags: replaceTags(note.tags, fields.tags),
    model: fields.model,
    updatedAt: formatTime(dateOf(command, stamp, parseTime(note.updatedAt))),
  });
  const { journal, path } = before.place;
  return record(event, [{ journal, path, bytes: formatNoteFile(after) }], id, { masked });
};

export const captureHandler: Handler<CaptureSession> = {
  touches: (command, lookup) => [noteOfSession(command, lookup)],
  decide: decideCapture,
  noteOf: () => undefined,
};

/** The last turn's time, between the session's start and now, never before the note's date: the newer file wins. */
const dateOf = (
  { startedAtMs, lastTurnAtMs }: Pick<CaptureSession, 'startedAtMs' | 'lastTurnAtMs'>,
  { atMs }: Pick<Parameters<Decide<CaptureSession>>[2], 'atMs'>,
  beforeMs = 0,
): number => Math.max(beforeMs, Math.min(atMs, Math.max(lastTurnAtMs ?? atMs, startedAtMs)));

/** A person may have added a tag spelled like a source, so only the first such tag counts as the last capture's. */
const replaceTags = (before: readonly string[], captured: readonly string[]): readonly string[] => {
  const source = before.find((tag) => captureSources.some((one) => one === tag));
  const there = new Set(captured.map((tag) => tag.toLowerCase()));
  return [...captured, ...before.filter((tag) => tag !== source && !there.has(tag.toLowerCase()))];
};

const maxSessionChars = 200;

/** With an empty id, all sessions would share one note. */
const checkSession = (session: string): Refusal | undefined =>
  session.trim() !== '' && !/[\p{Cc}\u2028\u2029]/u.test(session) && [...session].length <= maxSessionChars
    ? undefined
    : valueInvalid('session', `an id of 1 to ${maxSessionChars} characters in one line`, `${[...session].length}`);

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
  // A summary made by rules or by a model is not a person's statement.
  confidence: 0.8,
  model: fields.model,
  session: fields.session,
  supersedes: [],
  createdAt: formatTime(fields.startedAtMs),
  updatedAt: formatTime(dateOf(fields, stamp)),
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
