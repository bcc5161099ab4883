/** Take foreign notes into the journal: one event for all of them. Pure. */
import type { FileChange, Stamp } from '../events/event.js';
import { journalOf, type Note, type NoteId } from '../events/note/note.js';
import {
  formatNoteFile,
  isEditable,
  type NoteFields,
  newNoteFile,
  parseNoteFile,
  setNoteFields,
} from '../events/note/note-file.js';
import { idOfPath, isNotePath, pathOfNote } from '../events/note/paths.js';
import { type Masked, redact } from '../events/note/redact.js';
import { formatTime, parseTime } from '../events/time.js';
import { derivedUlid } from '../events/ulid-form.js';
import { type Decide, type Handler, type KnownNotes, removeCopies } from './command.js';
import type { ForeignFile, ForeignNote } from './foreign-note.js';
import { addUp, redactFields } from './redact-fields.js';

/** The outcome for one foreign note. */
type Taken =
  | {
      readonly kind: 'imported' | 'updated';
      readonly id: NoteId;
      readonly changes: readonly FileChange[];
      readonly masked: readonly Masked[];
    }
  | { readonly kind: 'same' | 'edited' | 'forgotten'; readonly id: NoteId };

export type ImportNotes = {
  readonly kind: 'import';
  /** Where they come from, as the event's subject says it. */
  readonly from: string;
  readonly notes: readonly ForeignNote[];
  readonly files: readonly ForeignFile[];
};

/**
 * Updates what an earlier import brought, and leaves alone what was edited here since, what was forgotten here and
 * what is the same. Quiet when nothing is left to do.
 */
const decideImport: Decide<ImportNotes> = ({ from, notes, files }, known, stamp) => {
  const taken = new Map<NoteId, Taken>();
  for (const note of notes) {
    const one = takeNote(note, known, stamp);
    taken.set(one.id, one);
  }
  for (const file of files) {
    const one = takeFile(file, known);
    if (one !== undefined) taken.set(one.id, one);
  }
  const all = [...taken.values()];
  const count = (kind: Taken['kind']): number => all.filter((one) => one.kind === kind).length;
  const counts = {
    imported: count('imported'),
    updated: count('updated'),
    skipped: count('same') + count('edited') + count('forgotten') + (notes.length + files.length - all.length),
  };
  const warnings = [
    ...(count('edited') > 0 ? [`${count('edited')} notes were edited here since and were left as they are`] : []),
    ...(count('forgotten') > 0 ? [`${count('forgotten')} notes were forgotten here and stay so`] : []),
  ];
  const changed = all.flatMap((one) => ('changes' in one ? [one] : []));
  if (changed.length === 0) return { kind: 'quiet', noteId: undefined, warnings, counts };
  return {
    kind: 'record',
    event: {
      kind: 'notes.imported',
      subject: `${changed.length} ${changed.length === 1 ? 'note' : 'notes'} from ${from}`,
      notes: changed.map(({ id }) => id),
    },
    changes: changed.flatMap(({ changes }) => changes),
    noteId: undefined,
    masked: addUp(changed.flatMap(({ masked }) => masked)),
    warnings,
    counts,
  };
};

export const importHandler: Handler<ImportNotes> = {
  touches: ({ notes, files }, lookup) => [
    ...notes.map((note) => idOfNote(note, lookup)),
    ...files.map(({ path }) => idOfPath(path)),
  ],
  decide: decideImport,
  noteOf: () => undefined,
};

const idOfNote = (note: ForeignNote, lookup: Pick<KnownNotes, 'withSourceKey'>): NoteId =>
  lookup.withSourceKey(note.sourceKey) ?? idOfForeign(note);

/** The id of a note that was never seen before: the same on every machine that imports the same source. */
export const idOfForeign = ({
  id,
  sourceKey,
  createdAtMs,
}: Pick<ForeignNote, 'id' | 'sourceKey' | 'createdAtMs'>): NoteId => id ?? derivedUlid(createdAtMs ?? 0, sourceKey);

const takeNote = (foreign: ForeignNote, known: KnownNotes, stamp: Stamp): Taken => {
  const id = idOfNote(foreign, known);
  const { fields, masked } = redactFields(foreign);
  const before = known.find(id);
  if (before === undefined) {
    if (known.wasThere(id)) return { kind: 'forgotten', id };
    const note = newNote(id, fields, stamp);
    const bytes = formatNoteFile(newNoteFile(note));
    const change = { journal: journalOf(note.scope), path: pathOfNote(note.type, id), bytes };
    return { kind: 'imported', id, masked, changes: [change] };
  }
  const now = before.file.note;
  const wanted = fields.mirrored === true ? textOf(fields) : fieldsOf(fields);
  if (saysTheSame(now, fields) || JSON.stringify({ ...now, ...wanted }) === JSON.stringify(now))
    return { kind: 'same', id };
  const updatedAtMs = parseTime(now.updatedAt) ?? 0;
  // Another machine has a newer file of that name; taking the older one here would go back and forth for ever.
  if (fields.mirrored === true && (fields.updatedAtMs ?? stamp.atMs) < updatedAtMs) return { kind: 'same', id };
  const wins = fields.mirrored !== true && (fields.updatedAtMs ?? 0) > updatedAtMs;
  if ((known.editedSinceImport(id) && !wins) || !isEditable(before.file)) return { kind: 'edited', id };
  const after = setNoteFields(before.file, { ...wanted, updatedAt: formatTime(fields.updatedAtMs ?? stamp.atMs) });
  const { journal, path } = before.place;
  return {
    kind: 'updated',
    id,
    masked,
    changes: [{ journal, path, bytes: formatNoteFile(after) }, ...removeCopies(before)],
  };
};

const newNote = (id: NoteId, fields: ForeignNote, stamp: Stamp): Note => ({
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
  createdAt: formatTime(fields.createdAtMs ?? stamp.atMs),
  updatedAt: formatTime(fields.updatedAtMs ?? fields.createdAtMs ?? stamp.atMs),
  tags: fields.tags,
  agent: stamp.agent,
  importance: fields.importance,
  keywords: fields.keywords,
  expiresAt: undefined,
  sensitive: false,
  // A key may hold a name that a secret stands in. Its note is found by the id then, which follows from the whole key.
  sourceKey: redact(fields.sourceKey).text,
  proposes: [],
  body: fields.body,
});

/** The Python program keeps the blank line below the front matter that we drop. */
const saysTheSame = (note: Note, { mirrored, title, body }: ForeignNote): boolean =>
  mirrored === true && note.title === title && note.body.trim() === body.trim();

const textOf = ({ title, body }: ForeignNote): NoteFields => ({ title, body });

/** The fields that a source gives for a note; the others stay. */
const fieldsOf = ({ title, body, tags, keywords, project, importance }: ForeignNote): NoteFields => ({
  title,
  body,
  tags,
  ...(keywords.length === 0 ? {} : { keywords }),
  ...(project === undefined ? {} : { project }),
  ...(importance === undefined ? {} : { importance }),
});

/** A file of another store keeps its id, its keys and its place. Of two that differ, the newer updated_at wins. */
const takeFile = ({ journal, path, bytes }: ForeignFile, known: KnownNotes): Taken | undefined => {
  const parsed = parseNoteFile(bytes, journal, path);
  if (!parsed.ok) return undefined;
  const { note } = parsed.file;
  const { fields, masked } = redactFields({
    title: note.title,
    body: note.body,
    tags: note.tags,
    keywords: note.keywords,
  });
  const clean = masked.length === 0 ? bytes : formatNoteFile(setNoteFields(parsed.file, fields));
  const before = known.find(note.id);
  if (before === undefined) {
    if (known.wasThere(note.id)) return { kind: 'forgotten', id: note.id };
    const place = isNotePath(path) && idOfPath(path) === note.id ? path : pathOfNote(note.type, note.id);
    return { kind: 'imported', id: note.id, masked, changes: [{ journal, path: place, bytes: clean }] };
  }
  if (formatNoteFile(before.file).equals(clean)) return { kind: 'same', id: note.id };
  const newer = (parseTime(note.updatedAt) ?? 0) > (parseTime(before.file.note.updatedAt) ?? 0);
  // Moved between the journals since: what must stay on this machine would land in what is synced.
  if (!newer || before.place.journal !== journal) return { kind: 'edited', id: note.id };
  const change = { journal: before.place.journal, path: before.place.path, bytes: clean };
  return { kind: 'updated', id: note.id, masked, changes: [change, ...removeCopies(before)] };
};
