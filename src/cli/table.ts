/** Aligned columns without tabs, cut to the width of a terminal and uncut in a pipe. */
import { cleanLine, ink, type Style, terminalColumns } from './output.js';
import { isAscii, widthOf, wrapWords } from './wrap.js';

export type Column<Row> = {
  readonly head: string;
  readonly of: (row: Row) => string;
  readonly align?: 'right' | undefined;
  readonly style?: Style | undefined;
  /** Which end is cut when the table is wider than the terminal. */
  readonly cut?: 'end' | 'start' | undefined;
  /** The column that matters most, such as a title: it is cut after all others. */
  readonly main?: true | undefined;
  /** Dropped if the main column would otherwise have too little room; the last such column goes first. */
  readonly optional?: true | undefined;
};

const gap = '  ';
const narrowest = 12;
/** Enough for the end of a project's key, which identifies it. */
const leastBeside = 25;
/** Shorter titles say too little. */
const leastOfMain = 32;

/** Empty when there are no rows. */
export const formatTable = <Row>(
  all: readonly Column<Row>[],
  rows: readonly Row[],
  maxWidth: number = terminalWidth(),
): string => {
  if (rows.length === 0) return '';
  const shown = fitTo(measure(all, rows), maxWidth);
  const line = (textOf: (one: Measured<Row>) => string, styleOf: (column: Column<Row>) => Style | undefined): string =>
    shown
      .map((one, at) => {
        const { column, width } = one;
        const text = cutTo(textOf(one), width, column.cut);
        const style = styleOf(column);
        const inked = style === undefined ? text : ink(style, text);
        const space = ' '.repeat(width - widthOf(text));
        if (column.align === 'right') return space + inked;
        return at === shown.length - 1 ? inked : inked + space;
      })
      .join(gap)
      .trimEnd();
  const head = line(
    ({ column }) => column.head,
    () => 'dim',
  );
  const body = rows.map((_, at) =>
    line(
      ({ cells }) => cells[at] ?? '',
      ({ style }) => style,
    ),
  );
  return [head, ...body].map((text) => `${text}\n`).join('');
};

const measure = <Row>(all: readonly Column<Row>[], rows: readonly Row[]): readonly Measured<Row>[] =>
  all.map((column) => {
    const cells = rows.map((row) => cleanLine(column.of(row)));
    return { column, cells, width: Math.max(widthOf(column.head), ...cells.map(widthOf)) };
  });

type Measured<Row> = { readonly column: Column<Row>; readonly cells: readonly string[]; readonly width: number };

/** Narrows columns and drops optional ones until a row fits into `maxWidth` columns of the terminal. */
const fitTo = <Row>(measured: readonly Measured<Row>[], maxWidth: number): readonly Measured<Row>[] => {
  const besideTo =
    (least: number) =>
    ({ cut, main }: Column<Row>): number | undefined =>
      cut === undefined || main === true ? undefined : least;
  const mainTo =
    (least: number) =>
    ({ main }: Column<Row>): number | undefined =>
      main === true ? least : undefined;
  const comfortable = narrow(narrow(measured, maxWidth, besideTo(leastBeside)), maxWidth, mainTo(leastOfMain));
  if (overOf(comfortable, maxWidth) <= 0) return comfortable;
  const spare = measured.findLastIndex(({ column }) => column.optional === true);
  if (spare !== -1) return fitTo(measured.toSpliced(spare, 1), maxWidth);
  return narrow(narrow(comfortable, maxWidth, besideTo(narrowest)), maxWidth, mainTo(narrowest));
};

const overOf = <Row>(measured: readonly Measured<Row>[], maxWidth: number): number =>
  measured.reduce((sum, { width }) => sum + width + gap.length, -gap.length) - maxWidth;

/** Narrows columns, the last ones first, each to no less than its `leastOf`. */
const narrow = <Row>(
  measured: readonly Measured<Row>[],
  maxWidth: number,
  leastOf: (column: Column<Row>) => number | undefined,
): readonly Measured<Row>[] => {
  let over = overOf(measured, maxWidth);
  return measured
    .toReversed()
    .map((one) => {
      const least = leastOf(one.column);
      if (least === undefined || over <= 0 || one.width <= least) return one;
      const width = Math.max(least, one.width - over);
      over -= one.width - width;
      return { ...one, width };
    })
    .toReversed();
};

/** Formats lines of `key value`, with the values aligned; skips pairs without a value. */
export const formatPairs = (pairs: readonly (readonly [string, string | number | undefined])[]): string => {
  const shown = pairs.flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [[key, String(value)] as const],
  );
  const width = Math.max(0, ...shown.map(([key]) => key.length));
  const room = Math.max(narrowest, terminalWidth() - width - gap.length);
  return shown
    .map(([key, value]) => {
      const [first = '', ...rest] = wrapWords(cleanLine(value), room);
      // A path too long to fit beside its key stays in one piece on a line of its own.
      if (widthOf(first) > room)
        return `${ink('dim', key)}\n${[first, ...rest].map((line) => `${gap}${line}\n`).join('')}`;
      const below = rest.map((line) => `${' '.repeat(width)}${gap}${line}\n`).join('');
      return `${ink('dim', key.padEnd(width))}${gap}${first}\n${below}`;
    })
    .join('');
};

/** Wraps a paragraph between words, for a terminal. */
export const wrapText = (text: string): string =>
  `${wrapWords(cleanLine(text), Math.max(20, terminalWidth())).join('\n')}\n`;

export const terminalWidth = (): number => terminalColumns() ?? Number.POSITIVE_INFINITY;

/** Cuts text to a width, with `…` where text was left out. */
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

/** Created on first use: that takes 5 ms. */
let segmenter: Intl.Segmenter | undefined;

/** Letters as a reader sees them: a family of emoji, a letter with its accents. */
function* lettersOf(text: string): Iterable<string> {
  if (isAscii(text)) return yield* text;
  segmenter ??= new Intl.Segmenter('en');
  for (const { segment } of segmenter.segment(text)) yield segment;
}
