/** What a note's further files say, which the next event folds in, is kept where the note itself does not say it. Pure. */
import type { FileChange, Stamp } from '../events/event.js';
import { conflictCopy } from '../events/merge.js';
import { type JournalName, type NoteId, scopeOf } from '../events/note.js';
import { formatNoteFile, type NoteFile, parseNoteFile, setNoteFields } from '../events/note-file.js';
import { idOfPath, pathOfNote } from '../events/paths.js';
import { formatTime } from '../events/time.js';
import type { Decision, KnownNotes } from './command.js';

/**
 * One note has two files where a person copied one, or where it was taken to the other journal here while another machine
 * edited it. The note gets the tags, keywords and superseded notes of a file that the event removes or writes over; of
 * another text the event makes a conflict copy in the same journal, or in the one that a move takes the note to. A note
 * that goes altogether takes its further files with it.
 */
export const keepFoldedTexts = (decision: Decision, notes: KnownNotes, stamp: Stamp): Decision => {
  if (decision.kind !== 'record') return decision;
  const touched = new Set([...decision.event.notes, ...decision.changes.map(({ path }) => idOfPath(path))]);
  const repeated = [...touched].flatMap((id) => notes.find(id) ?? []).filter(({ copies }) => copies.length > 0);
  if (repeated.length === 0) return decision;
  // By the id that a file says, for its name may be another.
  const written = new Set(decision.changes.map(idIn));
  const copies = new Map(
    repeated
      .filter(({ file }) => written.has(file.note.id))
      .flatMap((note) => note.copies.map((copy) => [`${copy.journal}/${copy.path}`, { note: note.file, copy }])),
  );
  const folded = decision.changes.flatMap(({ journal, path }): readonly Folded[] => {
    const { note, copy } = copies.get(`${journal}/${path}`) ?? {};
    return note === undefined || copy?.file === undefined ? [] : [{ journal, note, copy: copy.file }];
  });
  if (folded.length === 0) return decision;
  const changes = decision.changes.map((change) => withLists(change, folded));
  const apart = folded.filter(({ note, copy }) => note.note.body !== copy.note.body);
  if (apart.length === 0) return { ...decision, changes };
  // What is taken to the other journal takes its other texts with it; where it was there already, they stay.
  const { kind, move } = decision.event;
  const moved = kind === 'note.moved' && move !== undefined ? decision.changes[0]?.journal : undefined;
  const kept = apart.map((one, at) => copyOf({ ...one, journal: moved ?? one.journal }, at, stamp));
  const ids = kept.map(({ id }) => id);
  return {
    ...decision,
    event: { ...decision.event, notes: [...decision.event.notes, ...ids] },
    changes: [...changes, ...kept.map(({ change }) => change)],
    warnings: [
      ...decision.warnings,
      `the note had another file with another text, which is kept as ${ids.join(', ')}: anamnesis conflicts`,
    ],
  };
};

/** The note that a change writes. */
const idIn = ({ journal, path, bytes }: FileChange): NoteId | undefined => {
  const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, journal, path);
  return parsed?.ok === true ? parsed.file.note.id : undefined;
};

/** The note as it was before the event, and a further file of it. */
type Folded = { readonly journal: JournalName; readonly note: NoteFile; readonly copy: NoteFile };

const lists = ['tags', 'keywords', 'supersedes'] as const;

/** What the command itself took out of a list stays out. */
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
