/** Times in this machine's time zone, and when a note expires: the same on every surface. */
import { formatTime, isWritableTime, parseTime } from './time.js';

export type Moment = { readonly ms: number; readonly isDay: boolean };

/** Parses an ISO 8601 time or day. Without a zone it is local time; a day is its first moment. */
export const readIso = (text: string): Moment | undefined => {
  const given = text.trim();
  const ms = parseTime(given);
  if (ms === undefined) return undefined;
  if (/(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(given.slice(10))) return { ms, isDay: false };
  // parseTime read the local figures as UTC.
  const read = new Date(ms);
  const [year, month, day] = [read.getUTCFullYear(), read.getUTCMonth(), read.getUTCDate()];
  const clock = [read.getUTCHours(), read.getUTCMinutes(), read.getUTCSeconds()] as const;
  const local = new Date(2000, month, day, ...clock);
  // The constructor would read a year below 100 as 19xx.
  local.setFullYear(year, month, day);
  return { ms: local.getTime(), isDay: given.length === 10 };
};

/** Returns the moment itself or, for a day, its last second. */
export const lastMsOf = ({ ms, isDay }: Moment): number => (isDay ? nextDay(ms) - 1000 : ms);

const nextDay = (ms: number): number => {
  const day = new Date(ms);
  day.setDate(day.getDate() + 1);
  return day.getTime();
};

/** Converts the expiry to UTC; a note is valid through the day it names. An invalid time is left for a later check. */
export const withExpiry = <Fields extends { readonly expiresAt?: string | null | undefined }>(
  fields: Fields,
): Fields => {
  const moment = typeof fields.expiresAt === 'string' ? readIso(fields.expiresAt) : undefined;
  const ms = moment === undefined ? Number.NaN : lastMsOf(moment);
  return isWritableTime(ms) ? { ...fields, expiresAt: formatTime(ms) } : fields;
};
