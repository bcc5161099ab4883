/** Write a note, with or without superseding others. Pure. */

import { journalOf, type NoteId, type NoteType, type Scope, type Source } from '../events/note/note.js';
import { formatNoteFile, newNoteFile } from '../events/note/note-file.js';
import { pathOfNote } from '../events/note/paths.js';
import { formatTime, parseTime } from '../events/time.js';
import { derivedUlid } from '../events/ulid-form.js';
import { timeOfUlid } from '../events/ulid-time.js';
import { type Decide, type Handler, quiet, refuse } from './command.js';
import { checkLimits, expiryWarnings } from './limits.js';
import { redactFields } from './redact-fields.js';
import { noteForgotten, noteUnknown } from './refusals.js';

/** Id of the note that a write records: it follows from the event's, so that the same command names the same note. */
export const noteIdOf = (eventId: string): NoteId => derivedUlid(timeOfUlid(eventId), 'note', eventId);

export type WriteNote = {
  readonly kind: 'write';
  readonly type: NoteType;
  readonly title: string;
  readonly body: string;
  readonly project: string;
  readonly scope: Scope;
  readonly tags: readonly string[];
  readonly keywords: readonly string[];
  readonly supersedes: readonly NoteId[];
  readonly importance?: number | undefined;
  readonly confidence?: number | undefined;
  readonly expiresAt?: string | undefined;
  readonly source?: Source | undefined;
  readonly workspace?: string | undefined;
  /** Model that the text is from. */
  readonly model?: string | undefined;
  /** Names the note for ever: written again under the same key, nothing is recorded. */
  readonly sourceKey?: string | undefined;
  /** Notes that it would supersede once a person has agreed. */
  readonly proposes?: readonly NoteId[] | undefined;
};

const decideWrite: Decide<WriteNote> = (command, notes, stamp) => {
  const refusal = checkLimits(command);
  if (refusal !== undefined) return refuse(refusal);
  const there = command.sourceKey === undefined ? undefined : notes.withSourceKey(command.sourceKey);
  if (there !== undefined) return quiet(there);
  const proposes = [...new Set(command.proposes ?? [])];
  for (const id of [...command.supersedes, ...proposes]) {
    if (notes.find(id) !== undefined) continue;
    return refuse(notes.wasThere(id) ? noteForgotten(id) : noteUnknown(id));
  }
  const { fields, masked } = redactFields(command);
  const id = noteIdOf(stamp.eventId);
  const at = formatTime(stamp.atMs);
  const expires = fields.expiresAt === undefined ? undefined : parseTime(fields.expiresAt);
  const file = newNoteFile({
    id,
    type: fields.type,
    title: fields.title.trim(),
    project: fields.project,
    machineId: stamp.machine,
    scope: fields.scope,
    userId: stamp.user,
    workspaceId: fields.workspace ?? 'personal',
    source: fields.source ?? 'human',
    confidence: fields.confidence ?? 1,
    model: fields.model,
    session: stamp.session,
    supersedes: [...new Set(fields.supersedes)],
    createdAt: at,
    updatedAt: at,
    tags: fields.tags,
    agent: stamp.agent,
    importance: fields.importance,
    keywords: fields.keywords,
    expiresAt: expires === undefined ? undefined : formatTime(expires),
    sensitive: false,
    sourceKey: fields.sourceKey,
    proposes,
    body: fields.body,
  });
  const { supersedes } = file.note;
  const told = { subject: file.note.title, notes: [id, ...supersedes, ...proposes], project: file.note.project };
  return {
    kind: 'record',
    event:
      supersedes.length > 0
        ? { ...told, kind: 'note.superseded', by: id }
        : { ...told, kind: proposes.length > 0 ? 'proposal.made' : 'note.written' },
    changes: [{ journal: journalOf(fields.scope), path: pathOfNote(fields.type, id), bytes: formatNoteFile(file) }],
    noteId: id,
    masked,
    warnings: expiryWarnings(expires, stamp.atMs),
  };
};

export const writeHandler: Handler<WriteNote> = {
  touches: ({ supersedes, proposes = [] }) => [...supersedes, ...proposes],
  decide: decideWrite,
  noteOf: (_, eventId) => noteIdOf(eventId),
};
