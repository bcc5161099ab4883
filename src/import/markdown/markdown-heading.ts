/** Finds the headings of a markdown text, close enough to CommonMark, and splits a long one into parts by them. Pure. */

/** Text of the first ATX or setext heading that is not empty; ignores fenced code and HTML comments. Linear. */
export const findHeading = (text: string): string | undefined => {
  let closesBlock: ((line: string) => boolean) | undefined;
  let paragraph: string[] = [];
  for (let at = 0, end = 0; at < text.length; at = end + 1) {
    const found = text.indexOf('\n', at);
    end = found === -1 ? text.length : found;
    const line = text.slice(at, end).trimEnd();
    if (closesBlock !== undefined) {
      if (closesBlock(line)) closesBlock = undefined;
      continue;
    }
    const atx = readAtx(line);
    if (atx !== undefined && atx !== '') return atx;
    const [first] = paragraph;
    if (setextLine.test(line) && first !== undefined && !containerLine.test(first)) return paragraph.join(' ');
    closesBlock = openBlock(line);
    const isText = closesBlock === undefined && atx === undefined && line !== '' && !isRule(line);
    // Four spaces begin code, unless they continue a paragraph.
    if (!isText) paragraph = [];
    else if (paragraph.length > 0 || !codeLine.test(line)) paragraph.push(line.trim());
  }
  return undefined;
};

const atxLine = /^ {0,3}#{1,6}(?=[ \t]|$)/;
const setextLine = /^ {0,3}(?:=+|-+)$/;
const codeLine = /^(?: {4}| {0,3}\t)/;
/** A list item, a quote or a table row: a line of dashes below it is not an underline. */
const containerLine = /^(?:[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|>|\|)/;
const fenceLine = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

/** Returns the text of an ATX heading; undefined for any other line. */
export const readAtx = (line: string): string | undefined => {
  const opening = atxLine.exec(line)?.[0];
  if (opening === undefined) return undefined;
  const text = line.slice(opening.length).trim();
  // No pattern: /#+$/ is quadratic in a long run of hashes, and the text is foreign.
  let end = text.length;
  while (text.charAt(end - 1) === '#') end -= 1;
  if (end === 0) return '';
  return /[ \t]/.test(text.charAt(end - 1)) ? text.slice(0, end).trim() : text;
};

/** A thematic break. Not one regular expression: its repeated group would overflow on a line of a million dashes. */
const isRule = (line: string): boolean => {
  const marks = line.replace(/[ \t]+/g, '');
  const mark = marks.charAt(0);
  return marks.length >= 3 && /[-*_]/.test(mark) && marks === mark.repeat(marks.length);
};

/** Returns a test for the line that closes the fenced code or comment opened by this line; undefined if none is. */
export const openBlock = (line: string): ((line: string) => boolean) | undefined => {
  const fence = fenceLine.exec(line)?.[1];
  if (fence !== undefined) {
    return (later) => {
      const closing = later.trim();
      return closing.length >= fence.length && closing === fence.charAt(0).repeat(closing.length);
    };
  }
  const comment = /^ {0,3}<!--/.exec(line)?.[0];
  return comment === undefined || line.includes('-->') ? undefined : (later) => later.includes('-->');
};

/** Cuts a line that is too long for a title, at a space if there is one in the second half. `maxChars` counts characters, not UTF-16 units. */
export const cutTitle = (title: string, maxChars: number): string => {
  const chars = [...title];
  if (chars.length <= maxChars) return title;
  const start = chars.slice(0, maxChars - 1).join('');
  const space = start.lastIndexOf(' ');
  return `${(space > start.length / 2 ? start.slice(0, space) : start).trimEnd()}…`;
};
/** `headings` run from the part's outermost heading to its own; no two parts have the same. */
export type MarkdownSection = { readonly headings: readonly string[]; readonly text: string };

/** `opening` is the text before the first part. */
type MarkdownParts = { readonly opening: string; readonly sections: readonly MarkdownSection[] };

/** In UTF-16 units: about two printed pages, and more than an agent wants to read of one note. */
const maxWholeUnits = 8000;

/** Undefined for a short text, one without two headings of a level, or one with little text below each. */
export const splitSections = (text: string): MarkdownParts | undefined => {
  if (text.length <= maxWholeUnits) return undefined;
  const parts = splitAt(text, listHeadings(text), 0, text.length);
  if (parts === undefined || parts.sections.length > text.length / leastMeanUnits) return undefined;
  return { ...parts, sections: numberNamesakes(parts.sections) };
};

/** Parts that are shorter on average are items of a list, not notes. */
const leastMeanUnits = 200;

type Heading = { readonly level: number; readonly title: string; readonly at: number };

/** Splits the text between two positions at the highest level that has several headings there. */
const splitAt = (text: string, headings: readonly Heading[], start: number, end: number): MarkdownParts | undefined => {
  if (end - start <= maxWholeUnits) return undefined;
  const inside = headings.filter(({ at }) => at > start - 1 && at < end);
  const level = [1, 2, 3, 4, 5, 6].find((one) => inside.filter((heading) => heading.level === one).length > 1);
  if (level === undefined) return undefined;
  const borders = inside.filter((heading) => heading.level === level);
  const first = borders[0]?.at ?? end;
  const sections = borders.flatMap(({ title, at }, index): readonly MarkdownSection[] => {
    const until = borders[index + 1]?.at ?? end;
    const inner =
      until - at <= maxWholeUnits
        ? undefined
        : splitAt(
            text,
            inside.filter((heading) => heading.level > level),
            at,
            until,
          );
    if (inner === undefined) return [{ headings: [title], text: text.slice(at, until) }];
    return [
      { headings: [title], text: inner.opening },
      ...inner.sections.map((section) => ({ ...section, headings: [title, ...section.headings] })),
    ];
  });
  return { opening: text.slice(start, first), sections };
};

const listHeadings = (text: string): readonly Heading[] => {
  const headings: Heading[] = [];
  let closes: ((line: string) => boolean) | undefined;
  for (let at = 0, end = 0; at < text.length; at = end + 1) {
    const found = text.indexOf('\n', at);
    end = found === -1 ? text.length : found;
    const line = text.slice(at, end).trimEnd();
    if (closes !== undefined) {
      if (closes(line)) closes = undefined;
      continue;
    }
    const title = readAtx(line);
    if (title !== undefined && title !== '') headings.push({ level: levelOf(line), title, at });
    closes = openBlock(line);
  }
  return headings;
};

const levelOf = (line: string): number => /^ *(#+)/.exec(line)?.[1]?.length ?? 1;

/** Numbers the second and later parts of the same name. */
const numberNamesakes = (sections: readonly MarkdownSection[]): readonly MarkdownSection[] => {
  const seen = new Map<string, number>();
  return sections.map((section) => {
    const outer = section.headings.slice(0, -1);
    const own = section.headings.at(-1) ?? '';
    const keyOf = (last: string): string => [...outer, last].join('\n').toLowerCase();
    let count = (seen.get(keyOf(own)) ?? 0) + 1;
    while (count > 1 && seen.has(keyOf(`${own} (${count})`))) count += 1;
    seen.set(keyOf(own), count);
    if (count === 1) return section;
    seen.set(keyOf(`${own} (${count})`), 1);
    return { ...section, headings: [...outer, `${own} (${count})`] };
  });
};
