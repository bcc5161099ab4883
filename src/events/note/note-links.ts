/** Links from a note to others, each `<relation> <id>`; other programs use the key `links` too. Pure. */
import { isUlid } from '../ulid-form.js';
import type { NoteId } from './note.js';
import type { NoteFile } from './note-file.js';
import { formatYamlKey } from './yaml-text.js';

/** Returns only texts; a value of another form is another program's. */
export const linksOf = ({ front: { values } }: Pick<NoteFile, 'front'>): readonly string[] => {
  const links = Object.hasOwn(values, 'links') ? values['links'] : undefined;
  if (typeof links === 'string' && links !== '') return [links];
  return Array.isArray(links) ? links.filter((entry) => typeof entry === 'string') : [];
};

/** Returns the id that a link of this relation points to; '' for any other text. */
const linkedId = (text: string, relation: string): string =>
  text.startsWith(`${relation} `) ? text.slice(relation.length + 1).trim() : '';

/** Links a note about a problem to one that says how it was solved. */
const resolvedBy = 'resolved-by';

/** The notes that this one names as its solution. */
export const resolversOf = (file: Pick<NoteFile, 'front'>): readonly NoteId[] =>
  linksOf(file)
    .map((text) => linkedId(text, resolvedBy))
    .filter(isUlid);

/** A cheap test that avoids parsing the YAML: false only if the front matter names none. */
export const mayNameResolvers = (frontMatter: string): boolean => frontMatter.includes(resolvedBy);

/** Replaces the `resolved-by` links and leaves the others. */
export const setResolvers = (file: NoteFile, ids: readonly NoteId[]): NoteFile => {
  const others = linksOf(file).filter((text) => !isUlid(linkedId(text, resolvedBy)));
  return setLinks(file, [...others, ...ids.map((id) => `${resolvedBy} ${id}`)]);
};

/** False if another program wrote a value of another form under the key: setting links would drop it. */
export const areLinksOurs = (file: Pick<NoteFile, 'front'>): boolean => {
  const { links = null } = file.front.values;
  return links === null || [links].flat().length === linksOf(file).length;
};

/** True if the text ends in a note id, as `<relation> <id>` does. */
export const isNoteLink = (text: string): boolean => isUlid(text.slice(text.lastIndexOf(' ') + 1));

/** Replaces the file's links; an empty list removes the key. */
export const setLinks = (file: NoteFile, links: readonly string[]): NoteFile => {
  const { front } = file;
  const text = links.length === 0 ? undefined : formatYamlKey('links', links, front.eol);
  const isThere = front.segments.some(({ key }) => key === 'links');
  const kept = front.segments.flatMap((segment) =>
    segment.key !== 'links' ? [segment] : text === undefined ? [] : [{ key: 'links', text }],
  );
  const segments = isThere || text === undefined ? kept : [...kept, { key: 'links', text }];
  const { links: _, ...others } = front.values;
  return { ...file, front: { ...front, segments, values: text === undefined ? others : { ...others, links } } };
};

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

export const withoutConflict = (file: NoteFile): NoteFile =>
  setLinks(
    file,
    linksOf(file).filter((text) => !isUlid(linkedId(text, relation))),
  );
