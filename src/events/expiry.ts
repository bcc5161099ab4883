/** Times by the clock of this machine, and when a note expires: the same on every surface. */
import { formatTime, isWritableTime, parseTime } from './time.js';

export type Moment = { readonly ms: number; readonly isDay: boolean };

/** Of an ISO 8601 time or day. Without a zone it is of this machine's clock; a day is its beginning. */
export const readIso = (text: string): Moment | undefined => {
  const given = text.trim();
  const ms = parseTime(given);
  if (ms === undefined) return undefined;
  if (/(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(given.slice(10))) return { ms, isDay: false };
  // The clock's figures were read as UTC.
  const read = new Date(ms);
  const [year, month, day] = [read.getUTCFullYear(), read.getUTCMonth(), read.getUTCDate()];
  const clock = [read.getUTCHours(), read.getUTCMinutes(), read.getUTCSeconds()] as const;
  const local = new Date(2000, month, day, ...clock);
  // Given to the constructor, a year below 100 would be one of the last century.
  local.setFullYear(year, month, day);
  return { ms: local.getTime(), isDay: given.length === 10 };
};

/** The moment itself; of a day its last second. */
export const lastMsOf = ({ ms, isDay }: Moment): number => (isDay ? nextDay(ms) - 1000 : ms);

const nextDay = (ms: number): number => {
  const day = new Date(ms);
  day.setDate(day.getDate() + 1);
  return day.getTime();
};

/** The fields with their expiry in UTC: a note holds on the day that is named. What is no time is left to be refused. */
export const withExpiry = <Fields extends { readonly expiresAt?: string | null | undefined }>(
  fields: Fields,
): Fields => {
  const moment = typeof fields.expiresAt === 'string' ? readIso(fields.expiresAt) : undefined;
  const ms = moment === undefined ? Number.NaN : lastMsOf(moment);
  return isWritableTime(ms) ? { ...fields, expiresAt: formatTime(ms) } : fields;
};
