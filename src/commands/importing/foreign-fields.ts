/** Builds the fields of a note from an import. Pure. */
import type { Stamp } from '../../events/event.js';
import type { Note, NoteId } from '../../events/note/note.js';
import type { NoteFields } from '../../events/note/note-file.js';
import { redact } from '../../events/note/redact.js';
import { formatTime } from '../../events/time.js';
import type { ListSetHere, SetHere } from '../command.js';
import type { ForeignNote } from '../foreign-note.js';

export const newNote = (id: NoteId, fields: ForeignNote, stamp: Stamp): Note => ({
  id,
  type: fields.type ?? 'semantic',
  title: fields.title,
  project: fields.project ?? 'global',
  machineId: stamp.machine,
  scope: fields.scope ?? 'portable',
  userId: stamp.user,
  workspaceId: 'personal',
  source: 'import',
  confidence: 1,
  model: undefined,
  session: undefined,
  supersedes: [],
  createdAt: formatTime(fields.createdAtMs ?? timeOfSource(fields, stamp) ?? stamp.atMs),
  updatedAt: formatTime(timeOfSource(fields, stamp) ?? fields.createdAtMs ?? stamp.atMs),
  tags: fields.tags,
  agent: stamp.agent,
  importance: fields.importance,
  keywords: fields.keywords,
  expiresAt: undefined,
  sensitive: false,
  // The key may contain a secret. The note is then found by its id, which is derived from the unmasked key.
  sourceKey: redact(fields.sourceKey).text,
  proposes: [],
  body: fields.body,
});

export const textOf = ({ title, body }: ForeignNote): NoteFields => ({ title, body });

/** The fields that a source sets; the others stay. */
export const fieldsOf = ({
  title,
  body,
  tags,
  keywords,
  project,
  importance,
  sourceKey,
  movedFrom,
}: ForeignNote): NoteFields => ({
  title,
  body,
  tags,
  ...(keywords.length === 0 ? {} : { keywords }),
  ...(project === undefined ? {} : { project }),
  ...(importance === undefined ? {} : { importance }),
  ...(movedFrom === undefined ? {} : { sourceKey: redact(sourceKey).text }),
});

/** The time that the text names, else the file's, but never in the future: that would keep every later change out. */
export const timeOfSource = ({ updatedAtMs, changedMs }: ForeignNote, { atMs }: Stamp): number | undefined =>
  updatedAtMs === undefined && changedMs === undefined ? undefined : Math.min(updatedAtMs ?? changedMs ?? atMs, atMs);

/** Leaves out what was set here since the note was first imported: a source can set its own again at every import. */
export const keepSetHere = (wanted: NoteFields, now: Note, setHere: SetHere | undefined): NoteFields => {
  if (setHere === undefined) return wanted;
  const { project, importance, tags, keywords, ...rest } = wanted;
  return {
    ...rest,
    ...(project === undefined || setHere.values.has('project') ? {} : { project }),
    ...(importance === undefined || setHere.values.has('importance') ? {} : { importance }),
    ...(tags === undefined ? {} : { tags: keepList(tags, now.tags, setHere.tags) }),
    ...(keywords === undefined ? {} : { keywords: keepList(keywords, now.keywords, setHere.keywords) }),
  };
};

/** Returns an equal list if nothing changes. */
const keepList = (wanted: readonly string[], now: readonly string[], setHere: ListSetHere): readonly string[] => {
  const fold = (entries: readonly string[]): ReadonlySet<string> =>
    new Set(entries.map((entry) => entry.toLowerCase()));
  const [source, there, added, removed] = [wanted, now, setHere.added, setHere.removed].map(fold);
  const stays = now.filter((entry) => source?.has(entry.toLowerCase()) || added?.has(entry.toLowerCase()));
  const fresh = wanted.filter((entry) => !there?.has(entry.toLowerCase()) && !removed?.has(entry.toLowerCase()));
  return [...stays, ...fresh];
};
