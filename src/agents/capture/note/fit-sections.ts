/** Fits sections of lines into one length. Pure. */

export type Line = { readonly text: string; readonly worth: number };

export type Section = {
  readonly heading: string;
  /** In reading order. When room is short, lines of least worth are left out first, and of equal worth the longest. */
  readonly lines: readonly Line[];
  /** How many further lines were not even made. */
  readonly unmade?: number;
};

/** Room that a section gets in its turn: UTF-16 units, or a part of the room that is left. */
export type Pass = { readonly heading: string } & ({ readonly units: number } | { readonly part: number });

/** Sections get room in the order of `passes`, each at least its best line. Whole lines are left out and counted. */
export const fitSections = (sections: readonly Section[], passes: readonly Pass[], most: number): string => {
  let room = most;
  for (;;) {
    const text = fill(sections, passes, room);
    if (text.length <= most) return text;
    // The fill leaves no room for the lines that count omissions.
    room -= text.length - most;
  }
};

const fill = (sections: readonly Section[], passes: readonly Pass[], most: number): string => {
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
  for (const pass of passes) {
    const section = sections.find(({ heading }) => heading === pass.heading);
    if (section !== undefined) take(section, 'units' in pass ? pass.units : left * pass.part);
  }
  return sections
    .map((section) => format(section, kept.get(section.heading) ?? new Set()))
    .filter((text) => text !== '')
    .join('\n');
};

const format = ({ heading, lines, unmade = 0 }: Section, kept: ReadonlySet<number>): string => {
  if (kept.size === 0) return '';
  const shown = lines.flatMap(({ text }, at) => (kept.has(at) ? [text] : []));
  const missing = lines.length - kept.size + unmade;
  return `### ${heading}\n\n${shown.join('\n')}\n${missing === 0 ? '' : `- and ${missing} more\n`}`;
};

/** `### `, the line feeds around it, and the empty line before the next heading. */
const frameUnits = 7;
