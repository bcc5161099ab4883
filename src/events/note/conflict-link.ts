/** How a conflict copy names the note it conflicts with, and how it becomes an ordinary note. Pure. */

import { isUlid } from '../ulid-form.js';
import type { NoteId } from './note.js';
import { type NoteFile, setNoteFields } from './note-file.js';
import { linkedId, linksOf, setLinks } from './note-links.js';

/** The suffix that `conflictCopy` adds to the note's title. */
const suffix = ' (conflicting edit)';
const relation = 'conflicts-with';

/** The note that a conflict copy conflicts with, the first that it names; undefined for any other note. */
export const conflictsWith = (file: NoteFile): NoteId | undefined =>
  file.note.source === 'merge'
    ? linksOf(file)
        .map((text) => linkedId(text, relation))
        .find(isUlid)
    : undefined;

/** The title that the note had when the copy was made, cut where it was very long. */
export const titleOfCopy = (title: string): string =>
  title.endsWith(suffix) ? title.slice(0, -suffix.length).trimEnd() : title;

/** The copy as a note of its own: without the link, and its title without the suffix. */
export const settledCopy = (file: NoteFile): NoteFile => {
  const rest = linksOf(file).filter((text) => !isUlid(linkedId(text, relation)));
  const title = titleOfCopy(file.note.title);
  return setNoteFields(setLinks(file, rest), { title });
};
