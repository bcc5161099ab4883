/** Finds secrets in columns of tables and comma-separated lines whose heading names a secret. */
import { hasLettersAndDigits, isRandom, looksLikePassword } from './generated.js';
import { isReadable, isThrowAway } from './harmless.js';
import { passwordName, tokenName } from './names.js';
import { type Detector, type Span, spanOf } from './span.js';

const sensitiveEnd = new RegExp(`(?:${passwordName}|${tokenName}|(?<![a-z])(?:pass|pw|key))(?: value)?$`, 'i');
const decoration = /^["'`*_ \t]+|(?<!["'`*_ \t])["'`*_ \t]+$/g;
/** At most three words and the beginning of a fourth. */
const wordsBefore = /^(?:[\w-]+ ){0,3}[\w-]*$/;

/** A heading of up to 60 characters ending in a sensitive name: `**Admin password**`, `db_token`, `API key value`. */
const isSensitiveHead = (cell: string): boolean => {
  if (cell.length > 60) return false;
  const heading = cell.replace(decoration, '');
  const name = sensitiveEnd.exec(heading);
  return name !== null && wordsBefore.test(heading.slice(0, name.index));
};

/** Text after a name that ends its cell. */
const endsCell = /^(?:[_ -]?key)?(?: value)?["'`*_ \t]*(?:[|│,;\t]|\r?\n|$)/i;

/** The first character of `endsCell`: most names are followed by something else. */
const mayEndCell = /^(?:[_ k"'`*\t|│,;\r\n-]|$)/i;

type Cell = { readonly at: number; readonly text: string };

const cellsOf = (line: string, separator: string): readonly Cell[] => {
  const cells: Cell[] = [];
  let at = 0;
  for (const text of line.split(separator)) {
    cells.push({ at, text });
    at += text.length + 1;
  }
  return cells;
};

const maxCells = 40;
const maxLine = 2000;

const isCellSecret = (value: string, head: string): boolean =>
  value.length >= 6 &&
  !/\s/.test(value) &&
  !isReadable(value) &&
  !isThrowAway(value) &&
  (/^p(?:ass|w)/i.test(head)
    ? looksLikePassword(value) || (hasLettersAndDigits(value) && value.length >= 8)
    : isRandom(value, 12));

type Column = { readonly index: number; readonly head: string };
type Head = { readonly columns: readonly Column[]; readonly separator: string; readonly count: number };

const separatorOf = (line: string): string | undefined =>
  ['|', '│', '\t', ',', ';'].find((sign) => line.includes(sign));

const headOf = (line: string): Head | undefined => {
  const separator = separatorOf(line);
  if (separator === undefined) return undefined;
  const cells = cellsOf(line, separator);
  if (cells.length < 2 || cells.length > maxCells) return undefined;
  const columns = cells.flatMap(({ text: head }, index) =>
    isSensitiveHead(head) ? [{ index, head: head.replace(/^.*?(?=pass|pw)/i, '').replace(/^["'`*_ \t]+/, '') }] : [],
  );
  return columns.length === 0 ? undefined : { columns, separator, count: cells.length };
};

/** Searches the rows below each line that a sensitive name makes a heading. */
export const findInTables: Detector = (text, seen) => {
  const found: Span[] = [];
  let done = 0;
  for (const { at, word } of seen.names) {
    if (at < done) continue;
    const next = at + word.length;
    if (!mayEndCell.test(text.charAt(next)) || !endsCell.test(text.slice(next, next + 40))) continue;
    const start = text.lastIndexOf('\n', at) + 1;
    const end = lineEnd(text, at);
    done = end;
    if (end - start > maxLine) continue;
    const head = headOf(text.slice(start, end).replace(/\r$/, ''));
    if (head !== undefined) done = findInRows(text, end + 1, head, found);
  }
  return found;
};

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
};

/** Returns where the table ends: at a line of another form. */
const findInRows = (text: string, from: number, { columns, separator, count }: Head, found: Span[]): number => {
  let start = from;
  while (start < text.length) {
    const end = lineEnd(text, start);
    if (end - start <= maxLine) {
      const line = text.slice(start, end).replace(/\r$/, '');
      const cells = separatorOf(line) === separator ? cellsOf(line, separator) : [];
      if (cells.length !== count) break;
      for (const { index, head } of columns) {
        const cell = cells[index];
        const value = cell?.text.replace(/^[\s"'`*_]+|(?<![\s"'`*_])[\s"'`*_]+$/g, '') ?? '';
        if (cell !== undefined && isCellSecret(value, head))
          found.push(spanOf('secret-value', start + cell.at + cell.text.indexOf(value), value));
      }
    }
    start = end + 1;
  }
  return start;
};
