/** The files of a folder as pages that link to one another, and the notes that each of them makes. Pure. */
import { posix } from 'node:path';
import { cleanTitle, cleanWords, type ForeignLink, type ForeignNote } from '../../commands/foreign-note.js';
import { readAliases } from './markdown-note.js';
import { type MarkdownSection, splitSections } from './markdown-sections.js';
import { readWords, type TextLink } from './markdown-words.js';

/** One file: the note of its whole text, and the parts that it is kept in where that is long. */
export type Page = {
  readonly kind: 'page';
  /** In the folder, with forward slashes. */
  readonly path: string;
  readonly note: ForeignNote;
  readonly aliases: readonly string[];
  readonly sections: readonly MarkdownSection[];
};

/** `text` is the file's, undefined for plain text, in which nothing has a meaning. */
export const pageOf = (note: ForeignNote, path: string, text: string | undefined): Page => {
  const parts = text === undefined ? undefined : splitSections(note.body);
  const aliases = text === undefined ? [] : readAliases(text);
  if (parts === undefined) return { kind: 'page', path, note, aliases, sections: [] };
  const contents = parts.sections.map(({ headings }) => `${'  '.repeat(headings.length - 1)}- ${headings.at(-1)}`);
  const opening = parts.opening.trimEnd();
  const body = `${opening === '' ? '' : `${opening}\n\n`}Parts, each a note of its own:\n\n${contents.join('\n')}\n`;
  return { kind: 'page', path, note: { ...note, body }, aliases, sections: parts.sections };
};

/** The notes of each page, the one of the page itself first, with their links to the others. */
export const linkPages = (pages: readonly Page[]): ((page: Page) => readonly ForeignNote[]) => {
  const pageByName = indexNames(pages);
  const linksOf = (page: Page, text: string): readonly ForeignLink[] =>
    readWords(text).links.flatMap((link) => {
      const target = findPage(link, page, pageByName);
      return target === undefined ? [] : [{ relation: link.relation, sourceKey: keyInPage(target, link.heading) }];
    });
  return (page) => {
    if (page.path.toLowerCase().endsWith('.txt')) return [page.note];
    const { note, sections } = page;
    const whole = withLinks(note, linksOf(page, note.body));
    const wordsOfPart = sections.map(({ text }) => readWords(text).tags);
    const inParts = new Set(wordsOfPart.flat());
    const frontTags = note.tags.filter((tag) => !inParts.has(tag));
    const parts = sections.map(({ headings, text }, at): ForeignNote => {
      const { otherKeys: _, leftOut: __, ...rest } = note;
      const part = {
        ...rest,
        sourceKey: keyOfSection(note, headings),
        title: cleanTitle(`${note.title}: ${headings.join(' / ')}`),
        body: text,
        tags: cleanWords([...frontTags, ...(wordsOfPart[at] ?? [])]),
      };
      return withLinks(part, [{ relation: 'part-of', sourceKey: note.sourceKey }, ...linksOf(page, text)]);
    });
    return [whole, ...parts];
  };
};

const withLinks = (note: ForeignNote, links: readonly ForeignLink[]): ForeignNote => {
  const others = new Map(
    links.filter((link) => link.sourceKey !== note.sourceKey).map((link) => [link.sourceKey, link] as const),
  );
  return { ...note, links: [...others.values()] };
};

const keyOfSection = ({ sourceKey }: ForeignNote, headings: readonly string[]): string =>
  `${sourceKey}#${headings.map((heading) => heading.slice(0, 100)).join('#')}`;

/** The part that the heading begins, where the page is kept in parts. */
const keyInPage = (page: Page, heading: string | undefined): string => {
  const wanted = heading?.split('#').at(-1)?.toLowerCase();
  const section = wanted === undefined ? undefined : sectionsByHeading(page).get(wanted);
  return section === undefined ? page.note.sourceKey : keyOfSection(page.note, section.headings);
};

/** The first part that each heading begins, as it is written and with dashes for its spaces. */
const sectionsByHeading = (page: Page): ReadonlyMap<string, MarkdownSection> => {
  const known = headingsOfPages.get(page);
  if (known !== undefined) return known;
  const sections = new Map<string, MarkdownSection>();
  for (const section of page.sections) {
    const own = section.headings.at(-1)?.toLowerCase() ?? '';
    for (const name of [own, own.replace(/\s+/g, '-')]) if (!sections.has(name)) sections.set(name, section);
  }
  headingsOfPages.set(page, sections);
  return sections;
};
/** A page may have as many links as headings. */
const headingsOfPages = new WeakMap<Page, ReadonlyMap<string, MarkdownSection>>();

/** By path, by file name, by title and by alias, without case. Of several pages the first in code-unit order of depth. */
const indexNames = (pages: readonly Page[]): ReadonlyMap<string, readonly Page[]> => {
  const pagesByName = new Map<string, Page[]>();
  const add = (name: string, page: Page): void => {
    const key = name.toLowerCase();
    const known = pagesByName.get(key);
    if (known === undefined) pagesByName.set(key, [page]);
    else if (!known.includes(page) && known.length < maxNamesakes) known.push(page);
  };
  const withoutEnding = (path: string): string => path.replace(/\.[^./]*$/, '');
  const depth = ({ path }: Page): number => path.split('/').length;
  const ordered = pages.toSorted((a, b) => depth(a) - depth(b) || (a.path < b.path ? -1 : 1));
  for (const page of ordered) for (const name of [page.path, withoutEnding(page.path)]) add(name, page);
  for (const page of ordered) add(posix.basename(withoutEnding(page.path)), page);
  for (const page of ordered) for (const name of [page.note.title, ...page.aliases]) add(name, page);
  return pagesByName;
};

/** Pages of one name that are looked at; a folder of thousands of `index.md` is not gone through for each link. */
const maxNamesakes = 50;

const findPage = (
  { target, isPath }: TextLink,
  from: Page,
  pageByName: ReadonlyMap<string, readonly Page[]>,
): Page | undefined => {
  if (target === '') return from;
  const folder = posix.dirname(from.path);
  const named = (name: string): readonly Page[] => pageByName.get(name.toLowerCase()) ?? [];
  const atPath = named(posix.normalize(posix.join(folder, target)))[0];
  if (isPath) return atPath;
  const found = named(posix.normalize(target));
  return found.find(({ path }) => posix.dirname(path) === folder) ?? found[0] ?? atPath;
};
