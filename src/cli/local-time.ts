/** Shows the UTC times of notes and events in this machine's local time. */
import { parseTime } from '../events/time.js';
import type { Column } from './table.js';

/** `2026-06-24 20:33 +02:00`, or with `UTC` if that is this machine's zone. */
export const localTime = (time: string): string => {
  const moment = read(time);
  return moment === undefined ? time : `${clockOf(moment)} ${zoneOf(moment)}`;
};

/** Converts the UTC times in a sentence from the store. */
export const withLocalTimes = (text: string): string =>
  text.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|\+00:00)/g, localTime);

/** `2026-06-24`. */
export const localDay = (time: string): string => {
  const moment = read(time);
  return moment === undefined ? time.slice(0, 10) : clockOf(moment).slice(0, 10);
};

/** Builds a column of times. Its heading has the zone if all rows share one: titles need the room. */
export const timeColumn = <Row>(
  head: string,
  rows: readonly Row[],
  timeOf: (row: Row) => string | null | undefined,
  more: Pick<Column<Row>, 'style' | 'optional'> & { readonly missing?: string } = {},
): Column<Row> => {
  const moments = rows.flatMap((row) => read(timeOf(row) ?? '') ?? []);
  const [zone, ...others] = [...new Set(moments.map(zoneOf))];
  const isOne = zone !== undefined && others.length === 0;
  const { missing = '', ...rest } = more;
  return {
    ...rest,
    head: isOne ? `${head} (${zone})` : head,
    of: (row) => {
      const time = timeOf(row);
      const moment = read(time ?? '');
      if (moment === undefined) return time ?? missing;
      return isOne ? clockOf(moment) : `${clockOf(moment)} ${zoneOf(moment)}`;
    },
  };
};

const read = (time: string): Date | undefined => {
  const ms = parseTime(time);
  return ms === undefined ? undefined : new Date(ms);
};

const clockOf = (moment: Date): string => {
  const year = String(moment.getFullYear()).padStart(4, '0');
  const date = `${year}-${digits(moment.getMonth() + 1)}-${digits(moment.getDate())}`;
  return `${date} ${digits(moment.getHours())}:${digits(moment.getMinutes())}`;
};

/** Avoids Intl, whose first use takes some milliseconds. */
const zoneOf = (moment: Date): string => {
  const minutes = -moment.getTimezoneOffset();
  if (minutes === 0) return 'UTC';
  const far = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${digits(Math.floor(far / 60))}:${digits(Math.round(far % 60))}`;
};

const digits = (count: number): string => String(count).padStart(2, '0');
