/** Writes a note, with or without superseding others. Pure. */
import type { Stamp } from '../events/event.js';
import { isSameText } from '../events/note/likeness.js';
import { journalOf, type Note, type NoteId, type NoteType, type Scope, type Source } from '../events/note/note.js';
import { formatNoteFile, newNoteFile } from '../events/note/note-file.js';
import { pathOfNote } from '../events/note/paths.js';
import { formatTime, parseTime } from '../events/time.js';
import { derivedUlid, timeOfUlid } from '../events/ulid-form.js';
import { type Decide, type Handler, type KnownNotes, quiet, record, refuse } from './command.js';
import type { NoteEdit } from './edit.js';
import { checkLimits, expiryWarnings } from './limits.js';
import { redactFields } from './redact-fields.js';
import { noteForgotten, noteUnknown } from './refusals.js';

/** Id of the note that a write records, derived from the event's id so that the same command names the same note. */
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
  readonly model?: string | undefined;
  /** Identifies the note permanently: writing again under the same key records nothing. */
  readonly sourceKey?: string | undefined;
  /** Notes that it would supersede once a person has agreed. */
  readonly proposes?: readonly NoteId[] | undefined;
  /** A proposal: marked, and offered to no agent until a person accepts it. */
  readonly untrusted?: boolean | undefined;
  /** The last row of the index in which its text was looked for: a note written since may have it. */
  readonly lookedUpTo?: number | undefined;
};

export const defaultWorkspace = 'personal';

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
  const twin = findTwin(fields, notes, stamp);
  if (twin !== undefined) return quiet(twin, [saysAlready(twin)]);
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
    workspaceId: fields.workspace ?? defaultWorkspace,
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
    untrusted: fields.untrusted === true ? true : undefined,
    body: fields.body,
  });
  const { supersedes } = file.note;
  const told = { subject: file.note.title, notes: [id, ...supersedes, ...proposes], project: file.note.project };
  return record(
    supersedes.length > 0
      ? { ...told, kind: 'note.superseded', by: id }
      : { ...told, kind: proposes.length > 0 || file.note.untrusted === true ? 'proposal.made' : 'note.written' },
    [{ journal: journalOf(fields.scope), path: pathOfNote(fields.type, id), bytes: formatNoteFile(file) }],
    id,
    { masked, warnings: expiryWarnings(expires, stamp.atMs, file.note) },
  );
};

/** Finds the same note, written since the caller looked: two processes may write one text at the same time. */
const findTwin = (command: WriteNote, notes: KnownNotes, { user }: Stamp): NoteId | undefined => {
  const { title, project, scope, workspace = defaultWorkspace, supersedes, lookedUpTo } = command;
  if (lookedUpTo === undefined || supersedes.length > 0) return undefined;
  return notes.newlyTitled(title.trim(), lookedUpTo).find((id) => {
    const note = notes.find(id)?.file.note;
    if (note === undefined || note.project !== project || note.scope !== scope) return false;
    if (note.userId !== user || note.workspaceId !== workspace || !isSameText(note, command)) return false;
    const besides = askedBesides(command, note);
    return besides !== 'apart' && Object.keys(besides).length === 0;
  });
};

export const writeHandler: Handler<WriteNote> = {
  touches: ({ title, supersedes, proposes = [], lookedUpTo }, lookup) => [
    ...supersedes,
    ...proposes,
    ...(lookedUpTo === undefined ? [] : lookup.newlyTitled(title.trim(), lookedUpTo)),
  ],
  decide: decideWrite,
  // A note that already had the text got what it lacked, or superseded others instead of a new note.
  noteOf: (_, { id, kind, by, notes }) => (kind === 'note.edited' ? notes[0] : (by ?? noteIdOf(id))),
};

/** True if this command could have written the note. Expiry is ignored: one given in days differs each time. */
export const isWrittenAs = (command: WriteNote, note: Note): boolean => {
  const { fields } = redactFields(command);
  if (note.project !== fields.project || note.scope !== fields.scope || !isSameText(note, fields)) return false;
  if (!fields.supersedes.every((id) => note.supersedes.includes(id))) return false;
  const besides = askedBesides({ ...fields, expiresAt: undefined }, { ...note, expiresAt: undefined });
  return besides !== 'apart' && Object.keys(besides).length === 0;
};

type WrittenFields = Pick<WriteNote, 'type' | 'tags' | 'keywords' | 'importance' | 'confidence' | 'expiresAt'>;
type NoteFieldsToCompare = Pick<Note, 'type' | 'tags' | 'keywords' | 'importance' | 'confidence' | 'expiresAt'>;

/**
 * The fields that the note lacks. A default asks for nothing, but a note without an expiry is meant to last. 'apart' if
 * no edit would do: a shorter life could lose what others keep, and an account of what happened is not a fact.
 */
export const askedBesides = (asked: WrittenFields, has: NoteFieldsToCompare): NoteEdit | 'apart' => {
  const expiry = expiryBesides(asked.expiresAt, has.expiresAt);
  if (expiry === 'apart' || (asked.type === 'episodic') !== (has.type === 'episodic')) return 'apart';
  const tags = missing(asked.tags, has.tags);
  const keywords = missing(asked.keywords, has.keywords);
  const { importance, confidence } = asked;
  return {
    ...(asked.type === defaultType || asked.type === has.type ? {} : { type: asked.type }),
    ...(tags.length === 0 ? {} : { tags: [...has.tags, ...tags] }),
    ...(keywords.length === 0 ? {} : { keywords: [...has.keywords, ...keywords] }),
    ...(importance === undefined || importance === has.importance ? {} : { importance }),
    ...(confidence === undefined || confidence === has.confidence ? {} : { confidence }),
    ...expiry,
  };
};

export const saysAlready = (id: string): string => `note ${id} says this already, so no second one was written`;

const defaultType = 'semantic';

const expiryBesides = (asked: string | undefined, has: string | undefined): Pick<NoteEdit, 'expiresAt'> | 'apart' => {
  if (asked === undefined) return has === undefined ? {} : { expiresAt: null };
  const [until, now] = [parseTime(asked), has === undefined ? undefined : parseTime(has)];
  if (until === undefined || now === undefined || until < now) return 'apart';
  return formatTime(until) === formatTime(now) ? {} : { expiresAt: asked };
};

const missing = (asked: readonly string[], has: readonly string[]): readonly string[] => {
  const there = new Set(has.map((one) => one.toLowerCase()));
  return asked.filter((one) => !there.has(one.toLowerCase()));
};
