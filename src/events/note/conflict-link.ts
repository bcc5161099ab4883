/** Reads the link from a conflict copy to its note, and turns a copy into an ordinary note. Pure. */

import { isUlid } from '../ulid-form.js';
import type { NoteId } from './note.js';
import { type NoteFile, setNoteFields } from './note-file.js';
import { linkedId, linksOf, setLinks } from './note-links.js';

/** The suffix that `conflictCopy` adds to the note's title. */
const suffix = ' (conflicting edit)';
const relation = 'conflicts-with';

/** Returns the note that a conflict copy conflicts with (the first it names); undefined for any other note. */
export const conflictsWith = (file: NoteFile): NoteId | undefined =>
  file.note.source === 'merge'
    ? linksOf(file)
        .map((text) => linkedId(text, relation))
        .find(isUlid)
    : undefined;

/** Returns the note's title when the copy was made; a very long one was cut. */
export const titleOfCopy = (title: string): string =>
  title.endsWith(suffix) ? title.slice(0, -suffix.length).trimEnd() : title;

/** Turns the copy into an ordinary note: drops the link and the suffix of the title. */
export const settledCopy = (file: NoteFile): NoteFile => {
  const rest = linksOf(file).filter((text) => !isUlid(linkedId(text, relation)));
  const title = titleOfCopy(file.note.title);
  return setNoteFields(setLinks(file, rest), { title });
};
