/** Aligned columns without tabs, cut to the width of a terminal and whole in a pipe. */
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
export const formatTable = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string => {
  if (rows.length === 0) return '';
  const cells = rows.map((row) => columns.map(({ of }) => cleanLine(of(row))));
  const widths = columns.map(({ head }, at) => Math.max(widthOf(head), ...cells.map((row) => widthOf(row[at] ?? ''))));
  let over = widths.reduce((sum, width) => sum + width + gap.length, -gap.length) - terminalWidth();
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

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const without = /\p{M}|[\u200b-\u200d]/u;

/** Columns that a terminal takes for the text: about right, since terminals differ on emoji. */
export const widthOf = (text: string): number => {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const mark of text) width += without.test(mark) ? 0 : wide.test(mark) ? 2 : 1;
  return width;
};

/** Cut to a width, with `…` where text was left out. */
export const cutTo = (text: string, width: number, end: 'end' | 'start' = 'end'): string => {
  // No character takes more than two columns.
  if (text.length * 2 <= width || widthOf(text) <= width) return text;
  const marks = end === 'end' ? [...text] : [...text].reverse();
  const kept: string[] = [];
  let used = 1;
  for (const mark of marks) {
    used += widthOf(mark);
    if (used > width) break;
    kept.push(mark);
  }
  return end === 'end' ? `${kept.join('').trimEnd()}…` : `…${kept.reverse().join('').trimStart()}`;
};
