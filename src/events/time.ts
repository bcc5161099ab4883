/** Times as the note format writes them: UTC, whole seconds, `2026-06-24T18:33:07+00:00`. */

const firstMs = Date.parse('0000-01-01T00:00:00Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

/** The format has four digits for the year; an offset can push a time outside them. */
export const isWritableTime = (epochMs: number): boolean => epochMs >= firstMs && epochMs <= lastMs;

/** Formats epoch milliseconds, clamped to what the format can write; cuts off fractions of a second. */
export const formatTime = (epochMs: number): string =>
  `${new Date(Math.min(Math.max(epochMs, firstMs), lastMs)).toISOString().slice(0, 19)}+00:00`;

const isoTime =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** Fast check for `formatTime`'s form with a day up to 28, which every month has: most times of a journal. */
export const isPlainTime = (text: string): boolean => text.length === 25 && plainTime.test(text);

const plainTime = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\+00:00$/;

/** ISO 8601, a YAML timestamp (`2026-06-24 18:33:07`) or a date, in epoch milliseconds; without a zone UTC. */
export const parseTime = (text: string): number | undefined => {
  if (isPlainTime(text)) return Date.parse(text);
  const found = isoTime.exec(text.trim());
  if (found === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '0', zone = 'Z'] = found;
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
  const parsed = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3)}${offset}`);
  if (Number.isNaN(parsed)) return undefined;
  const shown = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return shown.getUTCDate() === Number(day) ? parsed : undefined;
};
