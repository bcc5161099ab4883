/** Makes notes of the files of a folder, as pages that link to one another. Pure. */
import { posix } from 'node:path';
import { cleanTitle, cleanWords, type ForeignLink, type ForeignNote } from '../../commands/foreign-note.js';
import { type MarkdownSection, splitSections } from './markdown-heading.js';
import { readAliases } from './markdown-note.js';
import { readWords, type TextLink } from './markdown-words.js';

/** One file: the note of its whole text, and the parts into which a long text is split. */
export type Page = {
  readonly kind: 'page';
  /** Relative to the folder, with forward slashes. */
  readonly path: string;
  readonly note: ForeignNote;
  readonly aliases: readonly string[];
  readonly sections: readonly MarkdownSection[];
};

/** `text` is the file's text; undefined for plain text, which has no markup. */
export const pageOf = (note: ForeignNote, path: string, text: string | undefined): Page => {
  const parts = text === undefined ? undefined : splitSections(note.body);
  const aliases = text === undefined ? [] : readAliases(text);
  if (parts === undefined) return { kind: 'page', path, note, aliases, sections: [] };
  const contents = parts.sections.map(({ headings }) => `${'  '.repeat(headings.length - 1)}- ${headings.at(-1)}`);
  const opening = parts.opening.trimEnd();
  const body = `${opening === '' ? '' : `${opening}\n\n`}Parts, each a note of its own:\n\n${contents.join('\n')}\n`;
  return { kind: 'page', path, note: { ...note, body }, aliases, sections: parts.sections };
};

/** Returns a function that makes the notes of a page, the page's own first, with their links to other notes. */
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
      const { otherKeys: _, ...rest } = note;
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

/** Returns the key of the part that the heading begins, or of the page if there is no such part. */
const keyInPage = (page: Page, heading: string | undefined): string => {
  const wanted = heading?.split('#').at(-1)?.toLowerCase();
  const section = wanted === undefined ? undefined : sectionsByHeading(page).get(wanted);
  return section === undefined ? page.note.sourceKey : keyOfSection(page.note, section.headings);
};

/** Maps each heading, as written and with dashes for its spaces, to the first part that it begins. */
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
/** Cached, since a page may have as many links as headings. */
const headingsOfPages = new WeakMap<Page, ReadonlyMap<string, MarkdownSection>>();

/** Indexes pages by path, file name, title and alias, ignoring case. Pages of one name are by depth, then path. */
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

/** Limit of pages per name, so that a folder of thousands of `index.md` is not searched for each link. */
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
