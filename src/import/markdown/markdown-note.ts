/** The text of a markdown file to what a note says, whatever front matter it has. Pure; never refuses. */

import { cleanList, cleanTitle, type ForeignNote, parseForeignTime } from '../../commands/foreign-note.js';
import { isNoteType, type NoteType } from '../../events/note/note.js';
import { type ForeignValues, readText, splitForeign } from './markdown-front.js';
import { findHeading } from './markdown-heading.js';

export const parseMarkdown = (text: string, path: string): Omit<ForeignNote, 'sourceKey'> => {
  const { values, body, prose } = splitForeign(text);
  const title =
    firstText(values, ['title', 'name']) ??
    findHeading(prose) ??
    firstText(values, ['description']) ??
    titleOfPath(path);
  return {
    title: cleanTitle(title),
    body: trimBlankLines(body),
    tags: readList(values, ['tags', 'categories']),
    keywords: readList(values, ['keywords']),
    project: firstText(values, ['project']),
    type: readType(values),
    createdAtMs: firstTime(values, ['created_at', 'created', 'date']),
    updatedAtMs: firstTime(values, ['updated_at', 'updated', 'modified', 'lastmod']),
  };
};

const firstText = (values: ForeignValues, keys: readonly string[]): string | undefined =>
  keys.map((key) => readText(values, key)).find((text) => text !== undefined);

const firstTime = (values: ForeignValues, keys: readonly string[]): number | undefined =>
  keys.map((key) => parseForeignTime(readText(values, key) ?? '')).find((time) => time !== undefined);

/** Entries of a list, or of one text with commas or blanks, without the `#` of a hashtag. */
export const readList = (values: ForeignValues, keys: readonly string[]): readonly string[] =>
  cleanList(
    keys.flatMap((key) => {
      const value = values.get(key);
      const entries = Array.isArray(value) ? value : splitWords(readText(values, key) ?? '');
      return entries.flatMap((entry: unknown) => (typeof entry === 'string' ? [entry.trim().replace(/^#+/, '')] : []));
    }),
  );

const splitWords = (text: string): readonly string[] => text.split(text.includes(',') ? ',' : /\s+/);

/** Claude Code's memory files have types of their own. */
const typeByForeign: ReadonlyMap<string, NoteType> = new Map([
  ['feedback', 'procedural'],
  ['user', 'semantic'],
  ['project', 'semantic'],
  ['reference', 'semantic'],
]);

const readType = (values: ForeignValues): NoteType | undefined => {
  const type = readText(values, 'type')?.toLowerCase() ?? '';
  return isNoteType(type) ? type : typeByForeign.get(type);
};

/** `auth notes` of `docs/auth-notes.md`. */
export const titleOfPath = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.replace(/\.[^.]*$/, '').replace(/[-_]/g, ' ');
};

/** Without the blank lines above the first line that is not blank. */
export const trimBlankLines = (text: string): string => {
  const first = text.search(/\S/);
  return first === -1 ? '' : text.slice(text.lastIndexOf('\n', first) + 1);
};
