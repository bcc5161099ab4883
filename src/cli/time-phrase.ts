/** Parses `7d`, `last monday`, `yesterday 14:00`: loaded only for times that aren't ISO 8601. */
import * as chrono from 'chrono-node/en';

/** Whether `7d` and `monday` mean before or after now. `next monday` is the next one in both. */
export type Lean = 'past' | 'future';

/** Uses this machine's clock; `isDay` if no hour is named, in which case `ms` is the beginning of the day. */
export const parsePhrase = (
  text: string,
  nowMs: number,
  lean: Lean,
): { readonly ms: number; readonly isDay: boolean } | undefined => {
  const given = text.trim().toLowerCase();
  // 6/7 is June or July, depending on who reads it.
  if (/^\d{1,2}[./-]\d{1,2}(?:[./-]\d+)?$/.test(given)) return undefined;
  // chrono takes an impossible month for the day: 2026-13-01 would be 13 January.
  if (/^\d{4}[./-](?:0?0|1[3-9]|[2-9]\d)[./-]/.test(given)) return undefined;
  const isBareSpan = bareSpan.test(given);
  const asked = !isBareSpan ? given : lean === 'past' ? `${given} ago` : `in ${given}`;
  const isNamed = namesWhich.test(asked);
  const [found, ...others] = chrono.parse(asked, new Date(nowMs), { forwardDate: lean === 'future' && !isNamed });
  // chrono finds dates in any text; here the text must be nothing else.
  if (found === undefined || others.length > 0 || found.text !== asked) return undefined;
  const { start } = found;
  const moment = start.date();
  const isDay = !start.isCertain('hour') && !countedSpan.test(asked);
  if (isDay) moment.setHours(0, 0, 0, 0);
  if (lean === 'past' && !isNamed && moment.getTime() > nowMs) {
    if (start.isCertain('weekday') && !start.isCertain('day')) moment.setDate(moment.getDate() - 7);
    else if (start.isCertain('month') && !start.isCertain('year')) moment.setFullYear(moment.getFullYear() - 1);
  }
  return { ms: moment.getTime(), isDay };
};

/** Words that say which of several days is meant, so the lean decides nothing. */
const namesWhich = /\b(?:next|this|last|past)\b/;

/** A bare span, which chrono doesn't recognise. */
const bareSpan = /^\d+(?:\.\d+)?\s*(?:m|min|minutes?|h|hours?|d|days?|w|weeks?|mo|months?|y|years?)$/;

/** A span counted from this moment. */
const countedSpan = /\bago$|^in /;
