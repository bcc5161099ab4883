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
import { formatTime } from '../events/time.js';
import { derivedUlid } from '../events/ulid-form.js';
import { type Decide, type Handler, type KnownNotes, removeCopies, type SourceLookup } from './command.js';
import type { ForeignFile, ForeignNote } from './foreign-note.js';
import { fieldsOf, keepSetHere, newNote, textOf, timeOfSource } from './importing/foreign-fields.js';
import { countOutcomes, type ImportOutcome, warningsOf } from './importing/import-outcomes.js';
import { setOtherKeys } from './importing/other-keys.js';
import { fileSetMs, textSetMs, updatedMs } from './importing/text-age.js';
import { addUp, redactFields, redactFile } from './redact-fields.js';

export type ImportNotes = {
  readonly kind: 'import';
  /** Their origin, as worded in the event's subject. */
  readonly from: string;
  readonly notes: readonly ForeignNote[];
  readonly files: readonly ForeignFile[];
  /** The scope that the person asked for; the notes have it already. */
  readonly scope?: Scope | undefined;
};

/**
 * Updates notes of an earlier import, except those that were edited here since, forgotten here or are unchanged. Quiet
 * when nothing is left to do.
 */
const decideImport: Decide<ImportNotes> = (command, known, stamp) => {
  const all = planImport(command, known, stamp);
  const counts = countOutcomes(all, command.notes.length + command.files.length);
  const warnings = warningsOf(all, command.scope);
  const changed = all.flatMap((one) => ('changes' in one ? [one] : []));
  if (changed.length === 0) return { kind: 'quiet', noteId: undefined, warnings, counts };
  return {
    kind: 'record',
    event: {
      kind: 'notes.imported',
      subject: redact(`${changed.length} ${changed.length === 1 ? 'note' : 'notes'} from ${command.from}`).text,
      notes: changed.map(({ id }) => id),
    },
    changes: changed.flatMap(({ changes }) => changes),
    noteId: undefined,
    masked: addUp(changed.flatMap(({ masked }) => masked)),
    warnings,
    counts,
  };
};

/** Returns one outcome per note, in the order of the command; of two foreign notes with one id, the later counts. */
export const planImport = (
  { notes, files, scope }: Pick<ImportNotes, 'notes' | 'files' | 'scope'>,
  known: KnownNotes,
  stamp: Stamp,
): readonly ImportOutcome[] => {
  const taken = new Map<NoteId, ImportOutcome>();
  const idByKey = new Map(notes.map((note) => [note.sourceKey, idOfNote(note, known)] as const));
  const idOfKey = (sourceKey: string): NoteId | undefined => idByKey.get(sourceKey) ?? known.withSourceKey(sourceKey);
  for (const note of notes) {
    const one = takeNote(note, known, stamp, idOfKey);
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

/** Ids of the notes whose tags or project would change, unless they were set here since. */
export const notesToAskAbout = (
  { notes }: Pick<ImportNotes, 'notes'>,
  known: SourceLookup & Pick<KnownNotes, 'find'>,
): readonly NoteId[] =>
  notes.flatMap((note) => {
    const id = idOfNote(note, known);
    const now = note.mirrored === true ? undefined : known.find(id)?.file.note;
    if (now === undefined) return [];
    const { title: _, body: __, sourceKey: ___, ...wanted } = fieldsOf(redactFields(note).fields);
    return isSetSo(now, wanted) ? [] : [id];
  });

/**
 * Ids of the notes that would change although they were edited since, because the edit may not have touched the
 * source's fields; and of those that look newer than the source, though only a move or another command that keeps the
 * text may have dated them.
 */
export const editedToAskAbout = (
  { notes, files }: Pick<ImportNotes, 'notes' | 'files'>,
  known: SourceLookup & Pick<KnownNotes, 'find' | 'editedSinceImport'>,
): readonly NoteId[] => [
  ...notes.flatMap((note) => {
    const id = idOfNote(note, known);
    const now = known.find(id)?.file.note;
    if (now === undefined) return [];
    const { fields } = redactFields(note);
    const isSame = fields.mirrored === true ? saysTheSame(now, fields) : isSetSo(now, fieldsOf(fields));
    if (isSame) return [];
    const saidMs = note.updatedAtMs ?? note.changedMs;
    return known.editedSinceImport(id) || (saidMs !== undefined && saidMs < updatedMs(now)) ? [id] : [];
  }),
  ...files.flatMap(({ journal, path, bytes }) => {
    const now = known.find(idOfPath(path))?.file.note;
    const parsed = now === undefined ? undefined : parseNoteFile(bytes, journal, path);
    if (now === undefined || parsed?.ok !== true || parsed.file.note.id !== now.id) return [];
    return updatedMs(parsed.file.note) < updatedMs(now) && !known.editedSinceImport(now.id) ? [now.id] : [];
  }),
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

/**
 * The id of a note that was never seen before: the same on every machine that imports the same source. A `turn` above 1
 * is for a key whose first id belongs to another note.
 */
export const idOfForeign = (
  { id, sourceKey, createdAtMs }: Pick<ForeignNote, 'id' | 'sourceKey' | 'createdAtMs'>,
  turn = 1,
): NoteId => id ?? derivedUlid(createdAtMs ?? 0, sourceKey, ...(turn === 1 ? [] : [`${turn}`]));

const takeNote = (
  foreign: ForeignNote,
  known: KnownNotes,
  stamp: Stamp,
  idOfKey: (sourceKey: string) => NoteId | undefined,
): ImportOutcome => {
  const id = idOfNote(foreign, known);
  const { fields, masked } = redactFields(foreign);
  const links = fields.links?.flatMap(({ relation, sourceKey }) => {
    const target = idOfKey(sourceKey);
    return target === undefined || target === id ? [] : [`${relation} ${target}`];
  });
  const { otherKeys = [] } = fields;
  const before = known.find(id);
  if (before === undefined) {
    if (known.wasThere(id) && foreign.comesBack !== true) return goneHere(id, known);
    const note = newNote(id, fields, stamp);
    const fresh = setOtherKeys(newNoteFile(note), otherKeys, () => false);
    const bytes = formatNoteFile(linkTo(fresh.file, links ?? []));
    const change = { journal: journalOf(note.scope), path: pathOfNote(note.type, id), bytes };
    return { kind: 'imported', id, masked: [...masked, ...fresh.masked], changes: [change] };
  }
  const now = before.file.note;
  // Its next text would be published, because the note is portable.
  if (fields.scope === 'machine-local' && before.place.journal === 'portable')
    return { kind: saysTheSame(now, fields) ? 'same' : 'portable', id };
  const wanted = fields.mirrored === true ? textOf(fields) : keepSetHere(fieldsOf(fields), now, known.setHere(id));
  const keyed = setOtherKeys(before.file, isEditable(before.file) ? otherKeys : [], () => known.editedSinceImport(id));
  const linked = links === undefined ? keyed.file : linkTo(keyed.file, links);
  const isLinkedSo = linked === before.file;
  if (saysTheSame(now, fields) || (isLinkedSo && isSetSo(now, wanted))) return { kind: 'same', id };
  const updatedAtMs = updatedMs(now);
  const sourceMs = timeOfSource(fields, stamp);
  // Another machine has a newer file of that name; importing the older one here would make the two alternate forever.
  const isOlder = (sourceMs ?? stamp.atMs) < textSetMs(now, known);
  if (fields.mirrored === true && isOlder) return { kind: 'same', id };
  // A time in the future would win forever.
  const sourceSaysMs = fields.updatedAtMs ?? 0;
  const wins = fields.mirrored !== true && sourceSaysMs > updatedAtMs && sourceSaysMs <= stamp.atMs;
  if ((isEditedHere(now, fields, known) && !wins) || !isEditable(before.file)) return { kind: 'edited', id };
  if (fields.changedMs !== undefined && isOlder && fields.body !== now.body) return { kind: 'older', id };
  const after = setNoteFields(linked, {
    ...wanted,
    updatedAt: (sourceMs ?? stamp.atMs) < updatedAtMs ? now.updatedAt : formatTime(sourceMs ?? stamp.atMs),
  });
  const { journal, path } = before.place;
  return {
    kind: 'updated',
    id,
    masked: [...masked, ...keyed.masked],
    changes: [{ journal, path, bytes: formatNoteFile(after) }, ...removeCopies(before)],
  };
};

/**
 * True if the text did not come from an import. If it came from an earlier import, a later one was undone: then a text
 * that the source has had before stays out, and a new one is imported.
 */
const isEditedHere = (now: Note, said: Pick<Note, 'title' | 'body'>, known: KnownNotes): boolean => {
  if (!known.editedSinceImport(now.id)) return false;
  const brought = known.broughtTexts(now.id);
  const placeOf = ({ title, body }: typeof said): number =>
    brought.findIndex((one) => one.title === title && one.body.trim() === body.trim());
  const place = placeOf(now);
  return place === -1 || (place > 0 && placeOf(said) !== -1);
};

const goneHere = (id: NoteId, known: KnownNotes): ImportOutcome => ({
  kind: 'forgotten',
  id,
  keptElsewhere: known.keptElsewhere(id),
});

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

/** Imports a file of another store with its id, its keys and its path. If the two differ, the newer updated_at wins. */
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
    if (known.wasThere(note.id)) return goneHere(note.id, known);
    const place = isNotePath(path) && idOfPath(path) === note.id ? path : pathOfNote(note.type, note.id);
    return { kind: 'imported', id: note.id, masked, changes: [{ journal, path: place, bytes: clean }] };
  }
  if (formatNoteFile(before.file).equals(clean)) return { kind: 'same', id: note.id };
  if (journal === 'local' && before.place.journal === 'portable') return { kind: 'portable', id: note.id };
  const newer = updatedMs(note) > fileSetMs(before.file.note, known);
  // The note moved to the other journal since: a text that must stay on this machine could end up in the synced one.
  if (!newer || before.place.journal !== journal) return { kind: 'edited', id: note.id };
  const change = { journal: before.place.journal, path: before.place.path, bytes: clean };
  return { kind: 'updated', id: note.id, masked, changes: [change, ...removeCopies(before)] };
};
