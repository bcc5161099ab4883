/** The links of a note to others, `<relation> <id>` each. Other programs have a key of that name too. Pure. */
import { isUlid } from '../ulid-form.js';
import type { NoteFile } from './note-file.js';
import { formatYamlKey } from './yaml-text.js';

/** Texts only: a value of another form is none of ours. */
export const linksOf = ({ front: { values } }: Pick<NoteFile, 'front'>): readonly string[] => {
  const links = Object.hasOwn(values, 'links') ? values['links'] : undefined;
  if (typeof links === 'string' && links !== '') return [links];
  return Array.isArray(links) ? links.filter((entry) => typeof entry === 'string') : [];
};

/** The id that a link of this relation leads to; '' of any other text. */
export const linkedId = (text: string, relation: string): string =>
  text.startsWith(`${relation} `) ? text.slice(relation.length + 1).trim() : '';

/** True of a text that says a relation and an id. */
export const isNoteLink = (text: string): boolean => isUlid(text.slice(text.lastIndexOf(' ') + 1));

/** The file with these links in place of its own; the key goes where there are none. */
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
