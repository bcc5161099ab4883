/** Columns of tables and of comma-separated lines whose head says that they hold secrets. */
import { hasLettersAndDigits, isRandom, looksLikePassword } from './generated.js';
import { isReadable, isThrowAway } from './harmless.js';
import { passwordName, tokenName } from './names.js';
import { type Detector, type Span, spanOf } from './span.js';

const headCell = new RegExp(
  `^["'\\x60*_ \\t]*(?:[\\w-]+[ _-]){0,3}?\\w*?(?:${passwordName}|${tokenName}|(?<![a-z])(?:pass|pw|key))(?: value)?["'\\x60*_ \\t]*$`,
  'i',
);
const anyHead = new RegExp(`(?:${passwordName}|${tokenName}|key|pass|pw)["'\\x60*_ \\t]*(?:[|,;\\t]|\\r?\\n|$)`, 'i');
const separators = /[|│,;\t]/;

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

const mostCells = 40;
const mostLine = 2000;

const isCellSecret = (value: string, head: string): boolean =>
  value.length >= 6 &&
  !/\s/.test(value) &&
  !isReadable(value) &&
  !isThrowAway(value) &&
  (/^p(?:ass|w)/i.test(head)
    ? looksLikePassword(value) || (hasLettersAndDigits(value) && value.length >= 8)
    : isRandom(value, 12));

export const findInTables: Detector = (text) => {
  if (!separators.test(text) || !anyHead.test(text)) return [];
  const found: Span[] = [];
  let columns: readonly { readonly index: number; readonly head: string }[] = [];
  let count = 0;
  let separator = '';
  let at = 0;
  for (const line of text.split('\n')) {
    const start = at;
    at += line.length + 1;
    if (line.length > mostLine) continue;
    const own = ['|', '│', '\t', ',', ';'].find((sign) => line.includes(sign));
    if (own === undefined) {
      columns = [];
      continue;
    }
    const cells = cellsOf(line.replace(/\r$/, ''), own);
    if (columns.length > 0 && own === separator && cells.length === count) {
      for (const { index, head } of columns) {
        const cell = cells[index];
        const value = cell?.text.replace(/^[\s"'`*_]+|[\s"'`*_]+$/g, '') ?? '';
        if (cell !== undefined && isCellSecret(value, head))
          found.push(spanOf('secret-value', start + cell.at + cell.text.indexOf(value), value));
      }
      continue;
    }
    columns =
      cells.length < 2 || cells.length > mostCells
        ? []
        : cells.flatMap(({ text: head }, index) =>
            head.length <= 60 && headCell.test(head)
              ? [{ index, head: head.replace(/^.*?(?=pass|pw)/i, '').replace(/^["'`*_ \t]+/, '') }]
              : [],
          );
    count = cells.length;
    separator = own;
  }
  return found;
};
