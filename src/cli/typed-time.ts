/** Parses times as a person types them, by this machine's clock. Anything but ISO 8601 loads chrono-node. */
import { lastMsOf, type Moment, readIso } from '../events/expiry.js';
import { formatTime } from '../events/time.js';
import { wrongUsage } from './errors.js';
import type { Lean } from './time-phrase.js';

/** Epoch milliseconds; a day, month or year means its beginning. `option`, such as `--after`, is for errors. */
export const readTime = async (text: string, option: string): Promise<number> =>
  (await readMoment(text, option, 'past')).ms;

/** Returns the first day of `2026` or `2026-06`, and any other text unchanged. */
const firstDayOf = (text: string): string =>
  /^\d{4}$/.test(text) ? `${text}-01-01` : /^\d{4}-\d{2}$/.test(text) ? `${text}-01` : text;

const readMoment = async (text: string, option: string, lean: Lean, nowMs = Date.now()): Promise<Moment> => {
  const given = lean === 'past' ? firstDayOf(text.trim()) : text;
  const moment = readIso(given) ?? (await readPhrase(given, lean, nowMs));
  if (moment !== undefined) return moment;
  const examples =
    lean === 'past' ? '2026-06-24, 2026-06, 7d, yesterday or "last monday"' : '2026-12-31, 30d or "next friday"';
  throw wrongUsage(`${option} is not a time: ${text}`, `give it as ${examples}`);
};

/** Returns epoch seconds, as filters expect. */
export const readSeconds = async (text: string | undefined, option: string): Promise<number | undefined> =>
  text === undefined ? undefined : Math.floor((await readTime(text, option)) / 1000);

/** In UTC. A day means its last second by this machine's clock: the note is valid on that day. */
export const readExpiry = async (text: string, nowMs = Date.now()): Promise<string> =>
  formatTime(lastMsOf(await readMoment(text, '--expires', 'future', nowMs)));

/** Reads a point in history: a time becomes UTC, a day its last second; a commit or an event id stays as it is. */
export const readPoint = async (text: string): Promise<string> => {
  if (mayBeCommit.test(text.trim())) return text;
  const moment = readIso(text) ?? (await readPhrase(text, 'past', Date.now()));
  if (moment === undefined) return text;
  return formatTime(lastMsOf(moment));
};

const mayBeCommit = /^(?:[0-9a-f]{4,64}|HEAD.*)$/i;

const readPhrase = async (text: string, lean: Lean, nowMs: number): Promise<Moment | undefined> => {
  const { parsePhrase } = await import('./time-phrase.js');
  return parsePhrase(text, nowMs, lean);
};
