/** The notes that a decider sees, made by hand. */
import type { EventEffects, KnownNote, KnownNotes, PastNote } from '../../src/commands/command.js';
import { blobIdOf } from '../../src/events/note/blob-id.js';
import { journalOf, type Note, type NoteId } from '../../src/events/note/note.js';
import { formatNoteFile, newNoteFile, parseNoteFile } from '../../src/events/note/note-file.js';
import { pathOfNote } from '../../src/events/note/paths.js';

export type Known = {
  readonly notes?: readonly (Note | KnownNote)[];
  /** Notes that existed once; `restore` finds their last file. */
  readonly forgotten?: readonly Note[];
  /** Ids of notes that an edit has changed since an import brought them. */
  readonly edited?: readonly NoteId[];
  /** The note as it was at the requested point of the history. */
  readonly earlier?: Note;
  /** The effects of events, by their ids. */
  readonly effects?: Readonly<Record<string, EventEffects>>;
};

/** A note as stored in its journal; `text` is its file if that differs from the one we would write. */
export const known = (
  note: Note,
  {
    path = pathOfNote(note.type, note.id),
    text,
    copies = [],
  }: { path?: string; text?: string; copies?: KnownNote['copies'] } = {},
): KnownNote => {
  const bytes = text === undefined ? formatNoteFile(newNoteFile(note)) : Buffer.from(text);
  const journal = journalOf(note.scope);
  const parsed = parseNoteFile(bytes, journal, path);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return { file: parsed.file, place: { journal, path, blob: blobIdOf(bytes) }, copies };
};

/** A note as stored in the history. */
export const past = (note: Note): PastNote => {
  const { file, place } = known(note);
  return { file, place, bytes: formatNoteFile(file) };
};

export const knowing = ({ notes = [], forgotten = [], edited = [], earlier, effects = {} }: Known = {}): KnownNotes => {
  const noteById = new Map(
    notes.map((note) => ('file' in note ? note : known(note))).map((note) => [note.file.note.id, note]),
  );
  const lostById = new Map<NoteId, PastNote>(forgotten.map((note) => [note.id, past(note)]));
  return {
    find: (id) => noteById.get(id),
    wasThere: (id) => noteById.has(id) || lostById.has(id),
    lost: (id) => lostById.get(id),
    supersedes: (id) => noteById.get(id)?.file.note.supersedes ?? [],
    newlyTitled: (title) =>
      [...noteById.values()].flatMap(({ file }) => (file.note.title === title ? [file.note.id] : [])),
    withSourceKey: (key) => [...noteById.values()].find(({ file }) => file.note.sourceKey === key)?.file.note.id,
    sourceKeyOf: (id) => noteById.get(id)?.file.note.sourceKey,
    editedSinceImport: (id) => edited.includes(id),
    importWasUndone: () => false,
    lastImported: (id) => (edited.includes(id) ? undefined : noteById.get(id)?.file.note),
    noteAt: () => (earlier === undefined ? undefined : past(earlier)),
    effectsOf: (id) => effects[id] ?? { notes: [], unreadable: [] },
  };
};
