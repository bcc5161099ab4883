/** One line for each note that a session's block has no room to show: its id, type, date and title. Pure. */
import { type Note, shownTitle } from '../../events/note/note.js';
import { quoteTitle } from '../../events/note/quoted-text.js';

/** The title may be cut; the note is read by its id. */
export type ListedNote = Pick<Note, 'id' | 'type' | 'title' | 'project' | 'updatedAt'> & { readonly shortId: string };

export const linesHeading = '\n## Other notes, by id\n\n';

/** Lengths at which titles are cut, tried in turn until every note has its line. */
const titleLengths = [100, 70, 50, 40, 30] as const;

/** Every note where titles can be cut so that all fit, else the first ones. The last line ends with a line break. */
export const fitLines = (
  notes: readonly ListedNote[],
  room: number,
  measure: (text: string) => number,
): readonly string[] => {
  if (notes.length === 0) return [];
  const parts = notes.map(partsOf);
  const left = room - measure(linesHeading);
  let shortest: readonly string[] = [];
  for (const length of titleLengths) {
    shortest = parts.map(({ about, letters }) => `- ${about} ${cut(letters, length)}\n`);
    if (sizeOf(shortest, measure) <= left) return shortest;
  }
  let used = 0;
  const end = shortest.findIndex((line) => {
    used += measure(line);
    return used > left;
  });
  return shortest.slice(0, end === -1 ? shortest.length : end);
};

/** What all of the lines take with their heading, titles hardly cut. */
export const wholeSize = (notes: readonly ListedNote[], measure: (text: string) => number): number =>
  notes.length === 0
    ? 0
    : measure(linesHeading) +
      sizeOf(
        notes.map((note) => {
          const { about, letters } = partsOf(note);
          return `- ${about} ${cut(letters, titleLengths[0])}\n`;
        }),
        measure,
      );

const partsOf = (note: ListedNote): { readonly about: string; readonly letters: readonly string[] } => ({
  about: `${note.shortId} ${note.type} ${quoteTitle(note.updatedAt.slice(0, 10))}${note.project === 'global' ? ' (global)' : ''}`,
  letters: [...quoteTitle(shownTitle({ title: note.title, body: '' }))],
});

const cut = (letters: readonly string[], length: number): string =>
  letters.length <= length
    ? letters.join('')
    : `${letters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;

const sizeOf = (lines: readonly string[], measure: (text: string) => number): number =>
  lines.reduce((sum, line) => sum + measure(line), 0);
