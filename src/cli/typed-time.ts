/**
 * Times as a person types them, by the clock of this machine: `2026-06-24`, `7d`, `yesterday 14:00`, `last monday`. What is
 * no ISO 8601 time is read by chrono-node, which knows how people write dates; only then is it loaded.
 */
import { formatTime, parseTime } from '../events/time.js';
import { wrongUsage } from './errors.js';
import type { Lean } from './time-phrase.js';

/** Epoch milliseconds; a day is its beginning. `option` is what the person typed it for, such as `--after`. */
export const readTime = async (text: string, option: string): Promise<number> =>
  (await readMoment(text, option, 'past')).ms;

const readMoment = async (text: string, option: string, lean: Lean, nowMs = Date.now()): Promise<Moment> => {
  const moment = readIso(text) ?? (await readPhrase(text, lean, nowMs));
  if (moment !== undefined) return moment;
  const examples = lean === 'past' ? '2026-06-24, 7d, yesterday or "last monday"' : '2026-12-31, 30d or "next friday"';
  throw wrongUsage(`${option} is no time: ${text}`, `give it as ${examples}`);
};

/** Epoch seconds, as filters take them. */
export const readSeconds = async (text: string | undefined, option: string): Promise<number | undefined> =>
  text === undefined ? undefined : Math.floor((await readTime(text, option)) / 1000);

/** When a note expires, in UTC. A day is its last second by the clock of this machine: the note holds on that day. */
export const readExpiry = async (text: string, nowMs = Date.now()): Promise<string> => {
  const { ms, isDay } = await readMoment(text, '--expires', 'future', nowMs);
  return formatTime(isDay ? lastSecond(ms) : ms);
};

/** A point of the history: a time in UTC, of a day its last second; a commit or an event id as it is. */
export const readPoint = async (text: string): Promise<string> => {
  if (mayBeCommit.test(text.trim())) return text;
  const moment = readIso(text) ?? (await readPhrase(text, 'past', Date.now()));
  if (moment === undefined) return text;
  return formatTime(moment.isDay ? lastSecond(moment.ms) : moment.ms);
};

const mayBeCommit = /^(?:[0-9a-f]{4,64}|HEAD.*)$/i;

type Moment = { readonly ms: number; readonly isDay: boolean };

/** Without a zone it is of this machine's clock. */
const readIso = (text: string): Moment | undefined => {
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

const readPhrase = async (text: string, lean: Lean, nowMs: number): Promise<Moment | undefined> => {
  const { parsePhrase } = await import('./time-phrase.js');
  return parsePhrase(text, nowMs, lean);
};

const nextDay = (ms: number): number => {
  const day = new Date(ms);
  day.setDate(day.getDate() + 1);
  return day.getTime();
};

const lastSecond = (ms: number): number => nextDay(ms) - 1000;
