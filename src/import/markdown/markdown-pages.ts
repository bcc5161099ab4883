/** Makes notes of the files of a folder, as pages that link to one another. Pure. */
import { posix } from 'node:path';
import { cleanTitle, cleanWords, type ForeignLink, type ForeignNote } from '../../commands/foreign-note.js';
import { type MarkdownSection, openBlock, splitSections } from './markdown-heading.js';
import { readAliases } from './markdown-note.js';

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

/** `target` is a page's name or path, '' for the page itself; `heading` is the linked heading in it. */
export type TextLink = {
  readonly relation: string;
  readonly target: string;
  readonly heading: string | undefined;
  /** True for a path relative to the file; a wiki link is looked up by name. */
  readonly isPath: boolean;
};

/** The distinct tags and links of a text, outside code and comments. */
export type MarkdownWords = { readonly tags: readonly string[]; readonly links: readonly TextLink[] };

export const plainRelation = 'links-to';

/** Linear in the text, since it is foreign. */
export const readWords = (text: string): MarkdownWords => {
  const tags: string[] = [];
  const links = new Map<string, TextLink>();
  for (const line of proseLines(text)) {
    if (line.includes('#')) for (const tag of readTags(line)) tags.push(tag);
    if (!line.includes('](') && !line.includes('[[')) continue;
    for (const link of readLinks(line)) {
      const key = `${link.target}#${link.heading ?? ''}`;
      const before = links.get(key);
      if (before === undefined || before.relation === plainRelation) links.set(key, link);
    }
  }
  return { tags: cleanWords(tags), links: [...links.values()] };
};

/** Yields the lines outside fenced code and comments, with their code spans removed. */
function* proseLines(text: string): Generator<string> {
  let closes: ((line: string) => boolean) | undefined;
  for (const line of text.split('\n')) {
    const ended = line.trimEnd();
    if (closes !== undefined) {
      if (closes(ended)) closes = undefined;
      continue;
    }
    closes = openBlock(ended);
    if (closes === undefined) yield ended.includes('`') ? ended.replace(/`[^`]*`/g, ' ') : ended;
  }
}

/** A tag begins a word: `#123` is a number and `(#part)` an anchor. Logseq puts a tag with blanks in brackets. */
const hashtag = /(?<=^|\s)#(?:\[\[([^[\]]{1,100})\]\]|([\p{L}\p{N}_/-]{1,100})(?![\p{L}\p{N}_/-]))/gu;

const readTags = (line: string): readonly string[] =>
  [...line.matchAll(hashtag)].flatMap(([, bracketed, word = '']) => {
    const tag = bracketed ?? trimMarks(word);
    return /[^\d/_-]/.test(tag) ? [tag] : [];
  });

/** No patterns: one for the marks at each end would be quadratic. */
const trimMarks = (word: string): string => {
  let [start, end] = [0, word.length];
  while (start < end && '/-'.includes(word.charAt(start))) start += 1;
  while (end > start && '/-'.includes(word.charAt(end - 1))) end -= 1;
  return word.slice(start, end);
};

const wikiLink = /(?<!#)\[\[([^[\]|#^]{0,200})(?:#([^[\]|^]{1,200}))?(?:\^[^[\]|]{0,100})?(?:\\?\|[^[\]]{0,300})?\]\]/g;
const pathLink = /\]\(<?([^()<>\s#]{1,300}\.(?:md|markdown|txt))(?:#([^()<>\s]{1,200}))?>?\)/gi;
/** `- requires [[Page]]` states how one page relates to the other. */
const relationLine = /^\s{0,20}[-*] ([a-z][a-z_ -]{0,40}) \[\[/i;

const readLinks = (line: string): readonly TextLink[] => {
  const said = relationLine.exec(line)?.[1]?.trim().toLowerCase().replace(/[ _]+/g, '-');
  const relation = said === undefined || said === 'conflicts-with' ? plainRelation : said;
  const wiki = [...line.matchAll(wikiLink)].flatMap(([, target = '', heading]): readonly TextLink[] =>
    target.trim() === '' && heading === undefined
      ? []
      : [{ relation, target: target.trim(), heading: heading?.trim(), isPath: false }],
  );
  const paths = [...line.matchAll(pathLink)].flatMap(([, target = '', heading]): readonly TextLink[] =>
    /^[a-z][a-z+.-]*:/i.test(target)
      ? []
      : [{ relation: plainRelation, target: decode(target), heading: heading && decode(heading), isPath: true }],
  );
  return [...wiki, ...paths];
};

/** A file's name may contain a literal `%`. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
