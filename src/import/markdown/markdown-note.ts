/** Converts the text of a markdown file to a note, whatever front matter it has. Pure; never fails. */
import {
  cleanList,
  cleanTitle,
  type ForeignNote,
  parseForeignTime,
  scopeOfFields,
} from '../../commands/foreign-note.js';
import { splitFrontMatter, writeSegment } from '../../events/note/front-matter.js';
import { isNoteType, type NoteType } from '../../events/note/note.js';
import { noteKeys } from '../../events/note/note-file.js';
import { redact } from '../../events/note/redact.js';
import { type ForeignText, type ForeignValues, readText, splitForeign } from './markdown-front.js';
import { cutTitle, findHeading } from './markdown-heading.js';

export const parseMarkdown = (text: string, path: string): Omit<ForeignNote, 'sourceKey'> =>
  noteOfValues(splitForeign(text), path);

/** Reads plain text, in which nothing is front matter or a heading. */
export const parsePlainText = (text: string, path: string): Omit<ForeignNote, 'sourceKey'> =>
  noteOfValues({ ...splitPlain(text), prose: '' }, path);

const splitPlain = (text: string) => {
  const body = text.replace(/^\ufeff/, '');
  return { values: new Map<string, unknown>(), entries: [], body, whole: body };
};

/** Other names that links use for the page. */
export const readAliases = (text: string): readonly string[] => {
  return aliasesIn(splitForeign(text).values);
};

const aliasesIn = (values: ForeignValues): readonly string[] => readList(values, ['aliases', 'alias'], ',');

const noteOfValues = (split: ForeignText, path: string): Omit<ForeignNote, 'sourceKey'> => {
  const { values, prose, entries, whole } = split;
  const title =
    firstText(values, ['title', 'name']) ??
    findHeading(prose) ??
    firstText(values, ['description']) ??
    titleOfPath(path);
  const type = readType(values);
  const used = new Set([...usedKeys, ...titleKeys.filter((key) => readText(values, key) === title)]);
  for (const key of [...createdKeys, ...updatedKeys]) if (firstTime(values, [key]) !== undefined) used.add(key);
  if (type !== undefined) used.add('type');
  const scope = scopeOfFields(values);
  if (scope !== undefined) used.add('scope');
  const otherKeys = otherKeysIn(entries, used);
  return {
    title: cleanTitle(withTopic(title, prose)),
    body: trimBlankLines(whole),
    tags: readList(values, ['tags', 'categories']),
    // People search for a page by the names that links give it.
    keywords: cleanList([...readList(values, ['keywords']), ...aliasesIn(values)]),
    project: firstText(values, ['project']),
    type,
    createdAtMs: firstTime(values, createdKeys),
    updatedAtMs: firstTime(values, updatedKeys),
    ...(scope === undefined ? {} : { scope }),
    ...(otherKeys.length === 0 ? {} : { otherKeys }),
  };
};

const titleKeys = ['title', 'name', 'description'];
const createdKeys = ['created_at', 'created', 'date'];
const updatedKeys = ['updated_at', 'updated', 'modified', 'lastmod'];
/** Keys that count as used whatever they say. */
const usedKeys = ['tags', 'categories', 'keywords', 'aliases', 'alias', 'project'];

/** A daily note is named after its day, which says nothing in a list, so its first line is added. */
const withTopic = (title: string, prose: string): string => {
  const day = /^(\d{4})[-_. ]?(\d{2})[-_. ]?(\d{2})$/.exec(title.trim());
  if (day === null) return title;
  const topic = prose
    .slice(0, maxLookedAt)
    .split('\n')
    .map((line) => line.replace(/^\s{0,20}(?:(?:#{1,6}|>|[-*+]|\d{1,3}[.)]|\[[ x]\])\s{1,9}){0,4}/i, '').trim())
    .find((line) => /\p{L}{2}/u.test(line));
  return `${day.slice(1).join('-')}${topic === undefined ? '' : `: ${cutTitle(redact(topic).text, maxTopicChars)}`}`;
};

const maxLookedAt = 2000;
const maxTopicChars = 80;

const firstText = (values: ForeignValues, keys: readonly string[]): string | undefined =>
  keys.map((key) => readText(values, key)).find((text) => text !== undefined);

const firstTime = (values: ForeignValues, keys: readonly string[]): number | undefined =>
  keys.map((key) => parseForeignTime(readText(values, key) ?? '')).find((time) => time !== undefined);

/** Returns the entries of a list, or of a text with commas or blanks, without hashtag signs and link brackets. */
export const readList = (
  values: ForeignValues,
  keys: readonly string[],
  separator: string | undefined = undefined,
): readonly string[] =>
  cleanList(
    keys.flatMap((key) => {
      const value = values.get(key);
      const text = readText(values, key) ?? '';
      const entries = Array.isArray(value) ? value : text.split(separator ?? (text.includes(',') ? ',' : /\s+/));
      return entries.flatMap((entry: unknown) =>
        typeof entry === 'string'
          ? [
              entry
                .trim()
                .replace(/^#+/, '')
                .replace(/^\[\[(.*)\]\]$/, '$1'),
            ]
          : [],
      );
    }),
  );

/** The types of Claude Code's memory files. */
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

/** Returns `auth notes` for `docs/auth-notes.md`. */
export const titleOfPath = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const base = name.replace(/\.[^.]*$/, '');
  // With spaces for its dashes, a key could no longer be told from words.
  const { text, masked } = redact(base);
  return masked.length > 0 ? text : base.replace(/[-_]/g, ' ');
};

/** Drops the blank lines at the beginning. */
export const trimBlankLines = (text: string): string => {
  const first = text.search(/\S/);
  return first === -1 ? '' : text.slice(text.lastIndexOf('\n', first) + 1);
};

type Entry = readonly [key: string, value: unknown];

/** Returns the keys to keep in the note's file. `used` are names in lower case. */
const otherKeysIn = (entries: readonly Entry[], used: ReadonlySet<string>): readonly Entry[] =>
  entries
    .filter(([key, value]) => !used.has(key.toLowerCase()) && !isEmpty(value))
    .slice(0, maxKeys)
    .filter(([key, value]) => !ownKeys.has(key.toLowerCase()) && isReadBack(key, value));

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** `links` and `cites` are reserved, though they are not fields. */
const ownKeys: ReadonlySet<string> = new Set([...noteKeys, 'links', 'cites']);

const isReadBack = (key: string, value: unknown): boolean => {
  if (!/^\p{L}[\p{L}\p{N}_ .-]{0,63}$/u.test(key)) return false;
  const { text } = writeSegment(key, value);
  return text.length <= maxUnits && splitFrontMatter(`---\n${text}---\n`).ok;
};

const maxKeys = 64;
const maxUnits = 4096;
