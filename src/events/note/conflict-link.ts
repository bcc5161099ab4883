/** How a conflict copy names the note it conflicts with, and how it becomes an ordinary note. Pure. */

import { isUlid } from '../ulid-form.js';
import type { NoteId } from './note.js';
import { type NoteFile, setNoteFields } from './note-file.js';
import { formatYamlKey } from './yaml-text.js';

/** The suffix that `conflictCopy` adds to the note's title. */
const suffix = ' (conflicting edit)';
const link = 'conflicts-with ';

/** The note that a conflict copy conflicts with, the first that it names; undefined for any other note. */
export const conflictsWith = (file: NoteFile): NoteId | undefined =>
  file.note.source === 'merge' ? linksOf(file).map(linkedId).find(isUlid) : undefined;

/** The title that the note had when the copy was made, cut where it was very long. */
export const titleOfCopy = (title: string): string =>
  title.endsWith(suffix) ? title.slice(0, -suffix.length).trimEnd() : title;

/** The copy as a note of its own: without the link, and its title without the suffix. */
export const settledCopy = (file: NoteFile): NoteFile => {
  const rest = linksOf(file).filter((text) => !isUlid(linkedId(text)));
  const text = rest.length === 0 ? undefined : formatYamlKey('links', rest, file.front.eol);
  const segments = file.front.segments.flatMap((segment) =>
    segment.key !== 'links' ? [segment] : text === undefined ? [] : [{ key: 'links', text }],
  );
  const { links: _, ...others } = file.front.values;
  const values = rest.length === 0 ? others : { ...others, links: rest };
  const title = titleOfCopy(file.note.title);
  return setNoteFields({ note: file.note, front: { ...file.front, segments, values } }, { title });
};

const linkedId = (text: string): string => (text.startsWith(link) ? text.slice(link.length).trim() : '');

const linksOf = ({ front: { values } }: NoteFile): readonly string[] => {
  const links = Object.hasOwn(values, 'links') ? values['links'] : undefined;
  if (typeof links === 'string') return [links];
  return Array.isArray(links) ? links.filter((entry) => typeof entry === 'string') : [];
};
