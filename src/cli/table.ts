/** Aligned columns without tabs, cut to the width of a terminal and whole in a pipe. */
import stringWidth from 'fast-string-width';
import { cleanLine, ink, type Style, terminalColumns } from './output.js';

export type Column<Row> = {
  readonly head: string;
  readonly of: (row: Row) => string;
  readonly align?: 'right' | undefined;
  readonly style?: Style | undefined;
  /** Which end is cut when the table is wider than the terminal; the last such column is cut first. */
  readonly cut?: 'end' | 'start' | undefined;
};

const gap = '  ';
const narrowest = 16;

/** Empty when there are no rows. */
export const formatTable = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  maxWidth: number = terminalWidth(),
): string => {
  if (rows.length === 0) return '';
  const cells = rows.map((row) => columns.map(({ of }) => cleanLine(of(row))));
  const widths = columns.map(({ head }, at) => Math.max(widthOf(head), ...cells.map((row) => widthOf(row[at] ?? ''))));
  let over = widths.reduce((sum, width) => sum + width + gap.length, -gap.length) - maxWidth;
  for (let at = columns.length - 1; at >= 0 && over > 0; at -= 1) {
    const width = widths[at] ?? 0;
    if (columns[at]?.cut === undefined || width <= narrowest) continue;
    const narrowed = Math.max(narrowest, width - over);
    widths[at] = narrowed;
    over -= width - narrowed;
  }
  const line = (texts: readonly string[], styleOf: (column: Column<Row>) => Style | undefined): string =>
    columns
      .map((column, at) => {
        const text = cutTo(texts[at] ?? '', widths[at] ?? 0, column.cut);
        const style = styleOf(column);
        const inked = style === undefined ? text : ink(style, text);
        const space = ' '.repeat((widths[at] ?? 0) - widthOf(text));
        if (column.align === 'right') return space + inked;
        return at === columns.length - 1 ? inked : inked + space;
      })
      .join(gap)
      .trimEnd();
  const head = line(
    columns.map((column) => column.head),
    () => 'dim',
  );
  return [head, ...cells.map((row) => line(row, ({ style }) => style))].map((text) => `${text}\n`).join('');
};

/** Lines of `key  value`, the keys in one column; what has no value is left out. */
export const formatPairs = (pairs: readonly (readonly [string, string | number | undefined])[]): string => {
  const shown = pairs.flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [[key, String(value)] as const],
  );
  const width = Math.max(0, ...shown.map(([key]) => key.length));
  return shown.map(([key, value]) => `${ink('dim', key.padEnd(width))}${gap}${cleanLine(value)}\n`).join('');
};

export const terminalWidth = (): number => terminalColumns() ?? Number.POSITIVE_INFINITY;

/**
 * Columns that a terminal takes for the text: about right, since terminals differ on emoji. Not string-width: a search would
 * load it, and its Intl.Segmenter and patterns took 15 times the processor time that this library takes.
 */
export const widthOf = (text: string): number =>
  isAscii(text) ? text.length : stringWidth(text.normalize('NFC').replaceAll('\u200c', ''));

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** Cut to a width, with `…` where text was left out. */
export const cutTo = (text: string, width: number, end: 'end' | 'start' = 'end'): string => {
  // No character takes more than two columns.
  if (text.length * 2 <= width || widthOf(text) <= width) return text;
  const kept: string[] = [];
  let used = 1;
  for (const letter of end === 'end' ? lettersOf(text) : [...lettersOf(text)].reverse()) {
    used += widthOf(letter);
    if (used > width) break;
    kept.push(letter);
  }
  return end === 'end' ? `${kept.join('').trimEnd()}…` : `…${kept.reverse().join('').trimStart()}`;
};

/** Made when first needed: it takes 5 ms. */
let segmenter: Intl.Segmenter | undefined;

/** Letters as a reader sees them: a family of emoji, a letter with its accents. */
function* lettersOf(text: string): Iterable<string> {
  if (isAscii(text)) return yield* text;
  segmenter ??= new Intl.Segmenter('en');
  for (const { segment } of segmenter.segment(text)) yield segment;
}
