/** One line for each note that an inject block has no room to show in full: its id, type, date and title. Pure. */
import { type Note, shownTitle } from '../../events/note/note.js';
import { quoteTitle } from '../../events/note/quoted-text.js';

/** The title may be cut; the id lets the reader read the note. */
export type ListedNote = Pick<Note, 'id' | 'type' | 'title' | 'project' | 'updatedAt'> & { readonly shortId: string };

export const linesHeading = '\n## Other notes, by id\n\n';

type Line = { readonly text: string; readonly units: number };

/** A note's line with its title cut at each of `titleLengths`; built on demand. */
export type PreparedLine = { readonly id: Note['id']; readonly at: (length: number) => Line };

/** Lengths at which titles are cut, tried in turn until every note's line fits. */
const titleLengths = [100, 70, 50, 40, 30] as const;
/** Used when even the shortest don't all fit, so that those shown are readable. */
const readableLength = 60;

export const prepareLines = (
  notes: readonly ListedNote[],
  measure: (text: string) => number,
): readonly PreparedLine[] =>
  notes.map((note) => {
    const scope = note.project === 'global' ? ' (global)' : '';
    const about = `- ${note.shortId} ${note.type} ${quoteTitle(note.updatedAt.slice(0, 10))}${scope}`;
    const letters = [...quoteTitle(shownTitle({ title: note.title, body: '' }))];
    const made = new Map<number, Line>();
    const at = (length: number): Line => {
      const known = made.get(Math.min(length, letters.length));
      if (known !== undefined) return known;
      const text = `${about} ${cutLetters(letters, length)}\n`;
      const line = { text, units: measure(text) };
      made.set(Math.min(length, letters.length), line);
      return line;
    };
    return { id: note.id, at };
  });

/** All lines, with titles cut as needed, else the first ones. `room` excludes the heading. */
export const fitLines = (lines: readonly PreparedLine[], room: number): readonly Line[] => {
  for (const length of titleLengths) {
    const all = lines.map(({ at }) => at(length));
    if (sizeOf(all) <= room) return all;
  }
  const fitting: Line[] = [];
  let left = room;
  for (const { at } of lines) {
    const line = at(readableLength);
    left -= line.units;
    if (left < 0) break;
    fitting.push(line);
  }
  return fitting;
};

/** Size of all lines, with titles hardly cut. */
export const wholeSize = (lines: readonly PreparedLine[]): number => sizeOf(lines.map(({ at }) => at(titleLengths[0])));

export const sizeOf = (lines: readonly Line[]): number => lines.reduce((sum, { units }) => sum + units, 0);

/** Ends with a mark if anything is left out. */
export const cutLetters = (letters: readonly string[], length: number): string =>
  letters.length <= length
    ? letters.join('')
    : `${letters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
