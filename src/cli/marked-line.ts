/** Fits a snippet into one line of a terminal, with the words that were found highlighted. */
import type { SearchHit } from '../answers/note-schema.js';
import { cleanLine, ink } from './output.js';
import { cutTo } from './table.js';

type Place = { readonly at: number; readonly end: number };

/** Cuts to where it has most of the words, with `…` on either side. `paint` gets each word that is shown in full. */
export const markedLine = (
  { snippet, marks = [] }: Pick<SearchHit, 'snippet' | 'marks'>,
  width: number,
  paint: (word: string) => string = (word) => ink('bold', word),
): string => {
  const line = cleanLine(snippet);
  const places = placesIn(line, snippet, marks);
  const start = startOf(line, places, width);
  const lead = start === 0 ? '' : '…';
  const cut = cutTo(`${lead}${line.slice(start)}`, width);
  const moved = start - lead.length;
  let painted = '';
  let done = 0;
  for (const { at, end } of places) {
    const [from, to] = [at - moved, end - moved];
    if (from < done + (done === 0 ? lead.length : 0) || !cut.startsWith(line.slice(at, end), from)) continue;
    painted += cut.slice(done, from) + paint(cut.slice(from, to));
    done = to;
  }
  return painted + cut.slice(done);
};

/** Cleaning collapses white space and drops invisible characters, which moves the words behind them. */
const placesIn = (line: string, snippet: string, marks: NonNullable<SearchHit['marks']>): readonly Place[] =>
  marks.flatMap(([begin, end]) => {
    const before = cleanLine(`${snippet.slice(0, begin)}|`);
    const at = before.length - 1;
    const word = snippet.slice(begin, end);
    return line.startsWith(word, at) ? [{ at, end: at + word.length }] : [];
  });

/** Returns the start of the part with the most words; 0 if no other part has more. */
const startOf = (line: string, places: readonly Place[], width: number): number => {
  if (line.length <= width) return 0;
  const seenFrom = (start: number): number =>
    new Set(
      places
        .filter(({ at, end }) => at >= start && end <= start + width - 2)
        .map(({ at, end }) => line.slice(at, end).toLowerCase()),
    ).size;
  let best = 0;
  let most = seenFrom(0);
  for (const { at } of places) {
    const start = line.lastIndexOf(' ', Math.max(0, at - context)) + 1;
    const seen = seenFrom(start);
    if (seen <= most) continue;
    most = seen;
    best = start;
  }
  return best;
};

/** Characters shown before the first word. */
const context = 12;
