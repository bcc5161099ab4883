/** Reads a text that a person typed or piped in as a note: title, body and the fields of its front matter. Pure. */
import { cleanTitle, cleanWords, scopeOfFields } from '../../commands/foreign-note.js';
import { isNoteType, type NoteType, type Scope } from '../../events/note/note.js';
import { redact } from '../../events/note/redact.js';
import { readText, splitForeign } from './markdown-front.js';
import { cutTitle, readAtx } from './markdown-heading.js';
import { readList } from './markdown-note.js';

export type TitledText = { readonly title: string; readonly body: string };

export type TypedText = TitledText & {
  readonly tags: readonly string[];
  readonly keywords: readonly string[];
  readonly type: NoteType | undefined;
  /** Also set for a text that is kept as it is: with `scope: machine-local` above it, it is meant to stay here. */
  readonly scope: Scope | undefined;
  /** Keys of the front matter for which a new note has no place, masked for printing. */
  readonly leftOut: readonly string[];
};

/** Reads a text whose title was given separately and takes precedence; front matter supplies the other fields. */
export const readBelowTitle = (title: string, text: string): TypedText => {
  const { values, whole } = splitForeign(text);
  if (values.size === 0) return plainText(title, text);
  return { ...readTypedText(text), title, body: withoutBlankStart(whole) };
};

export const plainText = (title: string, body: string): TypedText => ({
  title,
  body,
  tags: [],
  keywords: [],
  type: undefined,
  scope: scopeOfFields(splitForeign(body).values),
  leftOut: [],
});

export const readTypedText = (text: string): TypedText => {
  const { values, body, whole } = splitForeign(text);
  const scope = scopeOfFields(values);
  const title = readText(values, 'title') ?? readText(values, 'name');
  const typeName = readText(values, 'type')?.toLowerCase() ?? '';
  const type = isNoteType(typeName) ? typeName : undefined;
  return {
    ...(title === undefined
      ? { ...splitTitle(body), ...(whole === body ? {} : { body: whole }) }
      : { title: cleanTitle(title), body: withoutBlankStart(whole) }),
    tags: cleanWords(readList(values, ['tags', 'categories'])),
    keywords: cleanWords(readList(values, ['keywords'])),
    type,
    scope,
    leftOut: [...values.keys()]
      .filter((key) =>
        key === 'scope' ? scope === undefined : !knownKeys.has(key) || (key === 'type' && type === undefined),
      )
      .map((key) => redact(key).text),
  };
};

type NewText = Pick<TypedText, 'scope' | 'leftOut'> & {
  readonly set: Partial<Omit<TypedText, 'scope' | 'leftOut'>>;
};

/** Reads a text that replaces a note's: sets the fields its front matter names, and keeps the title if it has none. */
export const readNewText = (text: string): NewText => {
  const { values, whole } = splitForeign(text);
  if (values.size === 0) return { set: { body: text }, scope: plainText('', text).scope, leftOut: [] };
  const { title, tags, keywords, type, scope, leftOut } = readTypedText(text);
  const has = (...keys: readonly string[]): boolean => keys.some((key) => values.has(key));
  return {
    set: {
      body: withoutBlankStart(whole),
      ...(has('title', 'name') ? { title } : {}),
      ...(has('tags', 'categories') ? { tags } : {}),
      ...(has('keywords') ? { keywords } : {}),
      ...(type === undefined ? {} : { type }),
    },
    scope,
    leftOut,
  };
};

const knownKeys: ReadonlySet<string> = new Set(['title', 'name', 'type', 'tags', 'categories', 'keywords']);

/** The first meaningful line is the title; the body stays whole if that is too long, a list item, or code. */
export const splitTitle = (text: string): TitledText => {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => titleOf(line) !== '');
  const line = lines[at] ?? '';
  const title = titleOf(line);
  const cut = cutTitle(title, readAtx(line) === undefined ? maxLineChars : maxHeadingChars);
  const isPart = listItem.test(line) || lines.slice(0, Math.max(at, 0)).some(isFence);
  if (cut !== title || isPart) return { title: cut, body: text };
  const below = lines.slice(at + 1);
  return { title, body: withoutBlankStart(below.slice(isUnderline(below[0] ?? '') ? 1 : 0).join('\n')) };
};

/** Strips the marks of a heading or a list item; '' for a blank line, a rule and the fence of a block of code. */
const titleOf = (line: string): string =>
  ruleLine.test(line) || isFence(line) ? '' : (readAtx(line.trimEnd()) ?? line.replace(listItem, '')).trim();

const listItem = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(?=\S)/;
const ruleLine = /^[-*_=\s]*$/;
const isFence = (line: string): boolean => /^ {0,3}(?:```|~~~)/.test(line);
const isUnderline = (line: string): boolean => /^(?:=+|-+)\s*$/.test(line);

/** Limit for a title made from an ordinary line. */
const maxLineChars = 120;
/** Limit for any title. */
const maxHeadingChars = 300;

const withoutBlankStart = (text: string): string => text.replace(/^\s*\n/, '');
