/** Finds the tags and links in a markdown text, as Obsidian, Logseq and basic-memory write them. Pure. */
import { cleanWords } from '../../commands/foreign-note.js';
import { openBlock } from './markdown-heading.js';

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
