/** Reads the values of a foreign database's row, whatever type SQLite let its program store there. Pure. */

import { parseForeignTime } from '../../commands/foreign-note.js';
import { isWritableTime } from '../../events/time.js';
import type { ForeignRow } from './sqlite.js';

/** Limit for a note's text, the same as for a memory file. */
const maxRowUnits = 1024 * 1024;

/** Returns why the row cannot become a note; undefined when it can. */
export const findBadValue = (row: ForeignRow): string | undefined => {
  let units = 0;
  for (const [column, value] of Object.entries(row)) {
    if (Buffer.isBuffer(value)) return `${column} is not text`;
    if (typeof value !== 'string') continue;
    if (value.includes('\0')) return `${column} has a NUL character`;
    units += value.length;
  }
  return units > maxRowUnits ? `its text has ${units} characters` : undefined;
};

/** Returns the trimmed text, or the digits of a number; undefined when there is none. */
export const textOf = (row: ForeignRow, column: string): string | undefined => {
  const value = row[column];
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
  return text === '' ? undefined : text;
};

export const numberOf = (row: ForeignRow, column: string): number | undefined => {
  const value = row[column];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** Returns epoch milliseconds from the first column that has an ISO text or an epoch in seconds or milliseconds. */
export const timeOf = (row: ForeignRow, columns: readonly string[]): number | undefined =>
  columns
    .map((column) => {
      const epoch = numberOf(row, column);
      if (epoch === undefined) return parseForeignTime(textOf(row, column) ?? '');
      const time = epoch < firstMillisecondEpoch ? epoch * 1000 : epoch;
      return epoch > 0 && isWritableTime(time) ? time : undefined;
    })
    .find((time) => time !== undefined);

/** In seconds this is the year 5138, in milliseconds March 1973. */
const firstMillisecondEpoch = 1e11;

/** Returns the texts of a JSON list; any other text is the only entry. */
export const listOf = (row: ForeignRow, column: string): readonly string[] => {
  const text = textOf(row, column);
  if (text === undefined) return [];
  const parsed = parseJson(text);
  if (!Array.isArray(parsed)) return [text];
  return parsed.flatMap((entry: unknown) =>
    typeof entry === 'string' && entry.trim() !== ''
      ? [entry.trim()]
      : typeof entry === 'number'
        ? [String(entry)]
        : [],
  );
};

/** Returns undefined unless the text is a JSON list or object. */
const parseJson = (text: string): unknown => {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
