/** Keeps the text of a note's further files that the note lacks when an event folds them in. Pure. */
import type { FileChange, Stamp } from '../events/event.js';
import type { LostOfNote } from '../events/note/lost-values.js';
import { conflictCopy, type MergedNote, mergeNotes } from '../events/note/merge.js';
import { type BlobId, type JournalName, type Note, type NoteId, scopeOf } from '../events/note/note.js';
import {
  formatNoteFile,
  type NoteFields,
  type NoteFile,
  parseNoteFile,
  setNoteFields,
} from '../events/note/note-file.js';
import { idOfPath, pathOfNote } from '../events/note/paths.js';
import { quoteTitle } from '../events/note/quoted-text.js';
import { formatTime } from '../events/time.js';
import type { Decision, KnownNotes } from './command.js';

/**
 * A note has two files if a person copied one. When the event removes or overwrites such a file, the note gets its
 * tags, keywords, superseded notes and any keys that only it has; a single value that differs is recorded as lost. A
 * different body becomes a conflict copy. A note that is removed takes its further files with it.
 */
export const keepFoldedTexts = (decision: Decision, notes: KnownNotes, stamp: Stamp): Decision => {
  if (decision.kind !== 'record') return decision;
  const touched = new Set([...decision.event.notes, ...decision.changes.map(({ path }) => idOfPath(path))]);
  const repeated = [...touched].flatMap((id) => notes.find(id) ?? []).filter(({ copies }) => copies.length > 0);
  if (repeated.length === 0) return decision;
  // By the id in the file, because its name may differ.
  const written = new Set(decision.changes.map(idIn));
  const copies = new Map(
    repeated
      .filter(({ file }) => written.has(file.note.id))
      .flatMap((note) => note.copies.map((copy) => [`${copy.journal}/${copy.path}`, { note: note.file, copy }])),
  );
  const met = decision.changes.flatMap(({ journal, path }): readonly Folded[] => {
    const { note, copy } = copies.get(`${journal}/${path}`) ?? {};
    return note === undefined || copy?.file === undefined
      ? []
      : [{ journal, path, blob: copy.blob, note, copy: copy.file }];
  });
  return met.length === 0 ? decision : fold(decision, met, stamp);
};

type Recorded = Extract<Decision, { kind: 'record' }>;

const fold = (decision: Recorded, folded: readonly Folded[], stamp: Stamp): Recorded => {
  const changes = decision.changes.map((change) => withKeys(withLists(change, folded), folded));
  const lost = decision.changes.flatMap((change) => lostIn(change, folded));
  const warnings = [...decision.warnings, ...lost.map(sayLost)];
  const taken = { ...decision, changes, lost: [...(decision.lost ?? []), ...lost], warnings };
  const apart = folded.filter(({ note, copy }) => note.note.body !== copy.note.body);
  if (apart.length === 0) return taken;
  const kept = apart.map((one, at) => copyOf(one, at, stamp));
  const ids = kept.map(({ id }) => id);
  return {
    ...taken,
    event: { ...decision.event, notes: [...decision.event.notes, ...ids] },
    changes: [...changes, ...kept.map(({ change }) => change)],
    warnings: [
      ...warnings,
      `the note had another file with a different text, which is kept as ${ids.join(', ')}: anamnesis conflicts`,
    ],
  };
};

const sayLost = ({ key, value }: LostOfNote): string =>
  `another file of the note had ${key} ${quoteTitle(String(value))}, which was not kept: anamnesis conflicts --lost`;

/** The id of the note that a change writes. */
const idIn = ({ journal, path, bytes }: FileChange): NoteId | undefined => {
  const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, journal, path);
  return parsed?.ok === true ? parsed.file.note.id : undefined;
};

/** The note as it was before the event, and a further file of it. */
type Folded = {
  readonly journal: JournalName;
  readonly path: string;
  readonly blob: BlobId;
  readonly note: NoteFile;
  readonly copy: NoteFile;
};

const lists = ['tags', 'keywords', 'supersedes'] as const;

/** Adds the lists of the further files; values that the command itself removed stay removed. */
const withLists = (change: FileChange, folded: readonly Folded[]): FileChange => {
  const { journal, path, bytes } = change;
  const id = idIn(change);
  const mine = folded.filter(({ note }) => note.note.id === id);
  const parsed = bytes === undefined || mine.length === 0 ? undefined : parseNoteFile(bytes, journal, path);
  if (parsed?.ok !== true) return change;
  const { note } = parsed.file;
  const fields = Object.fromEntries(
    lists.map((key) => {
      const there = new Set([...note[key], ...mine.flatMap((one) => one.note.note[key])].map(lower));
      const more = mine.flatMap(({ copy }) => copy.note[key]).filter((value) => !there.has(lower(value)));
      return [key, [...new Set([...note[key], ...more])].filter((value) => value !== note.id)];
    }),
  );
  const bytesNow = formatNoteFile(setNoteFields(parsed.file, fields));
  return bytes?.equals(bytesNow) === true ? change : { ...change, bytes: bytesNow };
};

/** Adds the keys that only a further file has. */
const withKeys = (change: FileChange, folded: readonly Folded[]): FileChange => {
  const merged = mergeCopies(change, folded);
  const bytes = merged === undefined ? undefined : formatNoteFile(merged.file);
  return bytes === undefined || change.bytes?.equals(bytes) === true ? change : { ...change, bytes };
};

const lostIn = (change: FileChange, folded: readonly Folded[]): readonly LostOfNote[] => {
  const { file, lost = [] } = mergeCopies(change, folded) ?? {};
  return file === undefined ? [] : lost.map((one) => ({ ...one, noteId: file.note.id }));
};

/** Returns undefined if nothing is folded into the file that the change writes. */
const mergeCopies = (
  { journal, path, bytes }: FileChange,
  folded: readonly Folded[],
): Pick<MergedNote, 'file' | 'lost'> | undefined => {
  const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, journal, path);
  if (parsed?.ok !== true) return undefined;
  const mine = folded.filter(({ note }) => note.note.id === parsed.file.note.id);
  if (mine.length === 0) return undefined;
  return mine.reduce<Pick<MergedNote, 'file' | 'lost'>>(
    ({ file, lost }, { note, copy }) => {
      const grown = setNoteFields(file, onlyIn(file.note, note.note, copy.note));
      // A value that the copy shares with the old note was not changed in the copy, whatever the command does to it.
      const merged = mergeNotes(
        undefined,
        grown,
        setNoteFields(copy, withCopyChanges(grown.note, note.note, copy.note)),
        'ours',
      );
      return { file: merged.file, lost: [...lost, ...merged.lost] };
    },
    { file: parsed.file, lost: [] },
  );
};

const singles = ['type', 'title', 'project', 'confidence', 'model', 'importance', 'expiresAt', 'sensitive'] as const;

const onlyIn = (now: Note, before: Note, copy: Note): NoteFields =>
  Object.fromEntries(
    singles.flatMap((key) => (now[key] === undefined && before[key] === undefined ? [[key, copy[key]]] : [])),
  );

/** The note's current values, except for the single values that the copy changed. */
const withCopyChanges = (now: Note, before: Note, copy: Note): NoteFields => {
  const isChanged = (key: (typeof singles)[number]): boolean => copy[key] !== undefined && copy[key] !== before[key];
  return { ...now, ...Object.fromEntries(singles.map((key) => [key, (isChanged(key) ? copy : now)[key]])) };
};

const lower = (value: string): string => value.toLowerCase();

const copyOf = (
  { journal, copy: { note } }: Folded,
  at: number,
  { eventId, atMs }: Stamp,
): { readonly id: string; readonly change: FileChange } => {
  const name = at === 0 ? eventId : `${eventId} ${at}`;
  const file = conflictCopy({ ...note, scope: scopeOf(journal) }, note.body, name, atMs, formatTime(atMs));
  const { id, type } = file.note;
  return { id, change: { journal, path: pathOfNote(type, id), bytes: formatNoteFile(file) } };
};
