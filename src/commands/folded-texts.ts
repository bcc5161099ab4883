/** What a note's further files say, which the next event folds in, is kept where the note itself does not say it. Pure. */
import type { FileChange, Stamp } from '../events/event.js';
import { conflictCopy } from '../events/merge.js';
import type { JournalName } from '../events/note.js';
import { formatNoteFile, type NoteFile } from '../events/note-file.js';
import { idOfPath, pathOfNote } from '../events/paths.js';
import { formatTime } from '../events/time.js';
import type { Decision, KnownNotes } from './command.js';

/**
 * One note has two files where a person copied one, or where it was taken to the other journal here while another machine
 * edited it. Of one with another text that it removes or writes over the event makes a conflict copy in the same journal; a note that goes
 * altogether takes its further files with it.
 */
export const keepFoldedTexts = (decision: Decision, notes: KnownNotes, stamp: Stamp): Decision => {
  if (decision.kind !== 'record') return decision;
  const kept = new Set(decision.changes.flatMap(({ path, bytes }) => (bytes === undefined ? [] : [idOfPath(path)])));
  const folded = decision.changes.flatMap(({ journal, path }) => {
    const id = idOfPath(path);
    if (!kept.has(id)) return [];
    const note = notes.find(id);
    const copy = note?.copies.find((one) => one.journal === journal && one.path === path);
    return copy?.file === undefined || copy.file.note.body === note?.file.note.body
      ? []
      : [{ ...copy, file: copy.file }];
  });
  if (folded.length === 0) return decision;
  const copies = folded.map((copy, at) => copyOf(copy, at, stamp));
  const ids = copies.map(({ id }) => id);
  return {
    ...decision,
    event: { ...decision.event, notes: [...decision.event.notes, ...ids] },
    changes: [...decision.changes, ...copies.map(({ change }) => change)],
    warnings: [
      ...decision.warnings,
      `the note had another file with another text, which is kept as ${ids.join(', ')}: anamnesis conflicts`,
    ],
  };
};

const copyOf = (
  { journal, file: { note } }: { readonly journal: JournalName; readonly file: NoteFile },
  at: number,
  { eventId, atMs }: Stamp,
): { readonly id: string; readonly change: FileChange } => {
  const name = at === 0 ? eventId : `${eventId} ${at}`;
  const file = conflictCopy(note, note.body, name, atMs, formatTime(atMs));
  const { id, type } = file.note;
  return { id, change: { journal, path: pathOfNote(type, id), bytes: formatNoteFile(file) } };
};
