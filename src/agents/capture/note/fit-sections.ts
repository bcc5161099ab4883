/** Sections of lines that fit a length together. Pure. */

export type Section = {
  readonly heading: string;
  /** In the order of reading. The least worth goes first where there is no room, and of equal worth the longest. */
  readonly lines: readonly { readonly text: string; readonly worth: number; readonly told?: boolean }[];
  /** UTF-16 units that it may take before the others have had theirs. */
  readonly share: number;
  /** Lines that were not even made. */
  readonly unmade?: number;
};

/**
 * Each section gets its share and at least its best line, those in `first` before the others; the rest of the room goes to the
 * sections in `spare`, in that order. Lines are left out whole, and counted where they are missing. `most` holds for the sum.
 */
export const fitSections = (sections: readonly Section[], order: FillOrder, most: number): string => {
  let room = most;
  for (;;) {
    const text = fill(sections, order, room);
    if (text.length <= most) return text;
    // The fill leaves no room for the lines that count omissions.
    room -= text.length - most;
  }
};

/** Headings of the sections that get their share before the others, and of those that get what is left. */
export type FillOrder = { readonly first: readonly string[]; readonly spare: readonly string[] };

const fill = (sections: readonly Section[], { first, spare }: FillOrder, most: number): string => {
  const kept = new Map(sections.map(({ heading }) => [heading, new Set<number>()]));
  let left = most;
  const take = ({ heading, lines }: Section, share: number): void => {
    const taken = kept.get(heading) ?? new Set();
    let room = share;
    const byWorth = lines
      .map(({ text, worth }, at) => ({ units: text.length + 1, worth, at }))
      .toSorted((a, b) => b.worth - a.worth || a.units - b.units || a.at - b.at);
    for (const { units, at } of byWorth) {
      if (taken.has(at)) continue;
      const needed = units + (taken.size === 0 ? heading.length + frameUnits : 0);
      if (needed > left || (needed > room && taken.size > 0)) continue;
      taken.add(at);
      room -= needed;
      left -= needed;
    }
  };
  for (const section of sections.toSorted((a, b) => rank(first, a) - rank(first, b))) take(section, section.share);
  for (const heading of spare) {
    const section = sections.find((one) => one.heading === heading);
    if (section !== undefined) take(section, left);
  }
  return sections
    .map((section) => format(section, kept.get(section.heading) ?? new Set()))
    .filter((text) => text !== '')
    .join('\n');
};

const rank = (first: readonly string[], { heading }: Section): number => {
  const at = first.indexOf(heading);
  return at === -1 ? first.length : at;
};

const format = ({ heading, lines, unmade = 0 }: Section, kept: ReadonlySet<number>): string => {
  if (kept.size === 0) return '';
  const shown = lines.flatMap(({ text }, at) => (kept.has(at) ? [text] : []));
  const missing = lines.filter(({ told }, at) => told !== true && !kept.has(at)).length + unmade;
  return `### ${heading}\n\n${shown.join('\n')}\n${missing === 0 ? '' : `- and ${missing} more\n`}`;
};

/** `### `, the line feeds around it, and the empty line before the next heading. */
const frameUnits = 7;
