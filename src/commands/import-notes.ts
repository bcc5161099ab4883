/** Imports foreign notes into the journal as one event. Pure. */
import type { Stamp } from '../events/event.js';
import { journalOf, type Note, type NoteId, type Scope } from '../events/note/note.js';
import {
  formatNoteFile,
  isEditable,
  type NoteFields,
  type NoteFile,
  newNoteFile,
  parseNoteFile,
  setNoteFields,
} from '../events/note/note-file.js';
import { isNoteLink, linksOf, setLinks } from '../events/note/note-links.js';
import { idOfPath, isNotePath, pathOfNote } from '../events/note/paths.js';
import { redact } from '../events/note/redact.js';
import { formatTime, parseTime } from '../events/time.js';
import { derivedUlid } from '../events/ulid-form.js';
import { type Decide, type Handler, type KnownNotes, record, type SourceLookup } from './command.js';
import type { ForeignFile, ForeignNote } from './foreign-note.js';
import { fieldsOf, newNote, setOtherKeys, textOf, timeOfSource } from './importing/foreign-fields.js';
import { countOutcomes, type ImportOutcome, warningsOf } from './importing/import-outcomes.js';
import { addUp, redactFields, redactFile } from './redact-fields.js';

export type ImportNotes = {
  readonly kind: 'import';
  /** Their origin, as worded in the event's subject. */
  readonly from: string;
  readonly notes: readonly ForeignNote[];
  readonly files: readonly ForeignFile[];
  /** The scope that the person asked for; the notes have it already. */
  readonly scope?: Scope | undefined;
  /** For an automatic import: an undone import stays undone. */
  readonly isUnasked?: boolean | undefined;
};

/** Overwrites a note only if title, body and tags are as the last import left them. Quiet if nothing is left to do. */
const decideImport: Decide<ImportNotes> = (command, known, stamp) => {
  const all = planImport(command, known, stamp);
  const counts = countOutcomes(all, command.notes.length + command.files.length);
  const warnings = warningsOf(all, command.scope);
  const changed = all.flatMap((one) => ('changes' in one ? [one] : []));
  if (changed.length === 0) return { kind: 'quiet', noteId: undefined, warnings, counts };
  return record(
    {
      kind: 'notes.imported',
      subject: redact(`${changed.length} ${changed.length === 1 ? 'note' : 'notes'} from ${command.from}`).text,
      notes: changed.map(({ id }) => id),
    },
    changed.flatMap(({ changes }) => changes),
    undefined,
    { masked: addUp(changed.flatMap(({ masked }) => masked)), warnings, counts },
  );
};

/** Returns one outcome per note, in the order of the command; of two foreign notes with one id, the later counts. */
export const planImport = (
  { notes, files, scope, isUnasked = false }: Omit<ImportNotes, 'kind' | 'from'>,
  known: KnownNotes,
  stamp: Stamp,
): readonly ImportOutcome[] => {
  const taken = new Map<NoteId, ImportOutcome>();
  const idByKey = new Map(notes.map((note) => [note.sourceKey, idOfNote(note, known)] as const));
  const idOfKey = (sourceKey: string): NoteId | undefined => idByKey.get(sourceKey) ?? known.withSourceKey(sourceKey);
  for (const note of notes) {
    const one = takeNote(note, known, stamp, idOfKey, isUnasked);
    taken.set(one.id, markStaying(one, known, scope));
  }
  for (const file of files) {
    const one = takeFile(file, known, scope);
    if (one !== undefined) taken.set(one.id, markStaying(one, known, scope));
  }
  return [...taken.values()];
};

/** Only a move publishes a note that is machine-local here. */
const markStaying = (one: ImportOutcome, known: KnownNotes, asked: Scope | undefined): ImportOutcome =>
  asked === 'portable' && known.find(one.id)?.place.journal === 'local' ? { ...one, staysLocal: true } : one;

export const importHandler: Handler<ImportNotes> = {
  touches: ({ notes, files }, lookup) => [
    ...notes.map((note) => idOfNote(note, lookup)),
    ...files.map(({ path }) => idOfPath(path)),
  ],
  decide: decideImport,
  noteOf: () => undefined,
};

/** Ids of the notes that differ from the source: deciding needs to know what the last import wrote there. */
export const changedByImport = (
  { notes, files }: Pick<ImportNotes, 'notes' | 'files'>,
  known: SourceLookup & Pick<KnownNotes, 'find'>,
): readonly NoteId[] => [
  ...notes.flatMap((note) => {
    const id = idOfNote(note, known);
    const now = known.find(id)?.file.note;
    const mayDiffer = note.links !== undefined || note.otherKeys !== undefined;
    return now === undefined || (!mayDiffer && isSetSo(now, fieldsOf(redactFields(note).fields))) ? [] : [id];
  }),
  ...files.flatMap(({ path }) => (known.find(idOfPath(path)) === undefined ? [] : [idOfPath(path)])),
];

export const idOfNote = (note: ForeignNote, lookup: SourceLookup): NoteId =>
  lookup.withSourceKey(note.sourceKey) ?? freeIdOf(note, lookup);

/** A note keeps its id when its file is moved, so the id for a new file at the old path may be another note's. */
const freeIdOf = (note: ForeignNote, lookup: SourceLookup): NoteId => {
  if (note.id !== undefined) return note.id;
  const key = redact(note.sourceKey).text;
  for (let turn = 1; ; turn += 1) {
    const id = idOfForeign(note, turn);
    const now = lookup.sourceKeyOf(id);
    if (now === undefined || now === key) return id;
  }
};

/** The same on every machine that imports this source. `turn` above 1: the key's first id is another note's. */
export const idOfForeign = (
  { id, sourceKey, createdAtMs, scope }: Pick<ForeignNote, 'id' | 'sourceKey' | 'createdAtMs' | 'scope'>,
  turn = 1,
): NoteId => {
  // Another machine may import the same as portable, and its id must not be one of local/ here.
  const salt = scope === 'machine-local' ? ['machine-local'] : [];
  return id ?? derivedUlid(createdAtMs ?? 0, sourceKey, ...(turn === 1 ? [] : [`${turn}`]), ...salt);
};

const takeNote = (
  foreign: ForeignNote,
  known: KnownNotes,
  stamp: Stamp,
  idOfKey: (sourceKey: string) => NoteId | undefined,
  isUnasked: boolean,
): ImportOutcome => {
  const id = idOfNote(foreign, known);
  const { fields, masked } = redactFields(foreign);
  const { otherKeys = [] } = fields;
  const links = fields.links?.flatMap(({ relation, sourceKey }) => {
    const target = idOfKey(sourceKey);
    return target === undefined || target === id ? [] : [`${relation} ${target}`];
  });
  const before = known.find(id);
  if (before === undefined) {
    if (known.wasThere(id) && (isUnasked || !known.importWasUndone(id))) return goneHere(id);
    const note = newNote(id, fields, stamp);
    const fresh = setOtherKeys(newNoteFile(note), otherKeys);
    const bytes = formatNoteFile(linkTo(fresh.file, links ?? []));
    const change = { journal: journalOf(note.scope), path: pathOfNote(note.type, id), bytes };
    return { kind: 'imported', id, masked: [...masked, ...fresh.masked], changes: [change] };
  }
  const now = before.file.note;
  // Its next text would be published, because the note is portable.
  if (fields.scope === 'machine-local' && before.place.journal === 'portable')
    return { kind: saysTheSame(now, fields) ? 'same' : 'portable', id };
  const last = known.lastImported(id);
  const wanted = fields.mirrored === true ? textOf(fields) : fieldsOf(fields);
  const keyed = setOtherKeys(before.file, isEditable(before.file) ? otherKeys : []);
  const linked = links === undefined ? keyed.file : linkTo(keyed.file, links);
  if (saysTheSame(now, fields) || (linked === before.file && isSetSo(now, wanted))) return { kind: 'same', id };
  if (!isUntouched(now, last) || !isEditable(before.file)) return { kind: 'edited', id };
  const sourceMs = timeOfSource(fields, stamp);
  // Another machine has a newer file of that name; importing the older one here would make the two alternate forever.
  if (last !== undefined && sourceMs !== undefined && sourceMs < updatedMs(last) && fields.body !== now.body)
    return { kind: fields.mirrored === true ? 'same' : 'older', id };
  const updatedAt = formatTime(Math.max(sourceMs ?? stamp.atMs, updatedMs(now)));
  const { journal, path } = before.place;
  return {
    kind: 'updated',
    id,
    masked: [...masked, ...keyed.masked],
    changes: [{ journal, path, bytes: formatNoteFile(setNoteFields(linked, { ...wanted, updatedAt })) }],
  };
};

/** True if title, body and tags are what the last import wrote; a move sets `updated_at` and the project, for one. */
const isUntouched = (now: Note, last: Note | undefined): boolean =>
  last !== undefined &&
  now.title === last.title &&
  now.body === last.body &&
  JSON.stringify(now.tags) === JSON.stringify(last.tags);

/** Parses `updated_at`; a value that is not a time counts as the oldest. */
const updatedMs = ({ updatedAt }: Pick<Note, 'updatedAt'>): number => parseTime(updatedAt) ?? 0;

const goneHere = (id: NoteId): ImportOutcome => ({ kind: 'forgotten', id });

const isSetSo = (note: Note, fields: NoteFields): boolean =>
  JSON.stringify({ ...note, ...fields }) === JSON.stringify(note);

/** Returns the same file if it has these links already; other values of that key stay. */
const linkTo = (file: NoteFile, links: readonly string[]): NoteFile => {
  const before = linksOf(file);
  const wanted = [...before.filter((text) => !isNoteLink(text)), ...links.slice(0, maxLinks)];
  return JSON.stringify(before) === JSON.stringify(wanted) ? file : setLinks(file, wanted);
};

/** A page that links to all others would be larger than they are. */
const maxLinks = 200;

/** The Python program keeps the blank line below the front matter, which we drop. */
const saysTheSame = (note: Note, { mirrored, title, body }: ForeignNote): boolean =>
  mirrored === true && note.title === title && note.body.trim() === body.trim();

/** Imports a file of another store with its id, its keys and its path; a note that was changed here stays as it is. */
const takeFile = (given: ForeignFile, known: KnownNotes, asked: Scope | undefined): ImportOutcome | undefined => {
  const { path, bytes } = given;
  const parsed = parseNoteFile(bytes, given.journal, path);
  if (!parsed.ok) return undefined;
  const { note } = parsed.file;
  const before = known.find(note.id);
  const scope = asked === 'portable' && before?.place.journal === 'local' ? note.scope : (asked ?? note.scope);
  const journal = journalOf(scope);
  const isAsIs = scope === note.scope;
  const { file, masked } = redactFile(isAsIs ? parsed.file : setNoteFields(parsed.file, { scope }));
  const clean = isAsIs && masked.length === 0 ? bytes : formatNoteFile(file);
  if (before === undefined) {
    if (known.wasThere(note.id)) return goneHere(note.id);
    const place = isNotePath(path) ? path : pathOfNote(note.type, note.id);
    return { kind: 'imported', id: note.id, masked, changes: [{ journal, path: place, bytes: clean }] };
  }
  if (formatNoteFile(before.file).equals(clean)) return { kind: 'same', id: note.id };
  if (journal === 'local' && before.place.journal === 'portable') return { kind: 'portable', id: note.id };
  const last = known.lastImported(note.id);
  const isNewer = last !== undefined && updatedMs(note) > updatedMs(last);
  const isUntouchedHere = isUntouched(before.file.note, last);
  // If the note is in the other journal, a text that must stay on this machine could end up in the synced one.
  if (!isNewer || !isUntouchedHere || before.place.journal !== journal) return { kind: 'edited', id: note.id };
  const change = { journal: before.place.journal, path: before.place.path, bytes: clean };
  return { kind: 'updated', id: note.id, masked, changes: [change] };
};
