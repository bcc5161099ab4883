/** Splits a long markdown text into one part per heading. Pure. */
import { openBlock, readAtx } from './markdown-heading.js';

/** `headings` run from the part's outermost heading to its own; no two parts have the same. */
export type MarkdownSection = { readonly headings: readonly string[]; readonly text: string };

/** `opening` is the text before the first part. */
export type MarkdownParts = { readonly opening: string; readonly sections: readonly MarkdownSection[] };

/** In UTF-16 units: about two printed pages, and more than an agent wants to read of one note. */
export const maxWholeUnits = 8000;

/**
 * Returns undefined if the text is short enough, has no two headings of one level, or has little text below each. Parts
 * that are still too long are split again by the headings in them.
 */
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
