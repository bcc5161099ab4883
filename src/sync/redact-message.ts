/** Masks secrets in the message of a commit that is about to leave the machine, whoever wrote it. Pure. */
import { redact } from '../events/note/redact.js';
import { parseMessage, quoteValue, unquoteValue } from '../events/trailers.js';

/**
 * Masks the message as a whole, unless it is an event's: the program made the ids, times and paths in its trailers, and
 * a subject about tokens would make a blob id below it look like a secret. The rest of such a message is masked as one
 * text too; if a secret spans several of its lines, all trailers that the program did not make are removed.
 */
export const redactMessage = (message: string): string => {
  const start = message.lastIndexOf('\n\nFormat: ');
  if (start === -1 || parseMessage(message) === undefined) return redact(message).text;
  const head = message.slice(0, start + 1);
  const body = message.slice(start).trimEnd();
  const end = message.slice(start + body.length);
  const lines = body.slice(2).split('\n').map(toTrailer);
  const written = lines.filter(({ isMade }) => !isMade);
  const cleanHead = redact(head).text;
  const clean = [cleanHead, ...written.map(({ shown }) => redact(shown).text)].join('\n');
  const isWhole = redact([head, ...written.map(({ shown }) => shown)].join('\n')).text === clean;
  const kept = isWhole ? lines.map(maskTrailer) : lines.filter(({ isMade }) => isMade).map(({ line }) => line);
  const masked = `${cleanHead}\n${kept.join('\n')}${end}`;
  return parseMessage(masked) === undefined ? redact(masked).text : masked;
};

type Trailer = {
  readonly line: string;
  readonly key: string;
  /** The part that is searched for secrets: the value, and also the key if it is unknown. */
  readonly shown: string;
  /** Has a form that can't contain a secret. */
  readonly isMade: boolean;
};

const id = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const version = String.raw`[0-9a-f]{40}(?:[0-9a-f]{24})? [a-z]{1,20}\/[0-9A-Z]{2}\/[0-9A-HJKMNP-TV-Z]{26}\.md`;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Keys whose values the program makes. */
const formByKey: ReadonlyMap<string, RegExp> = new Map([
  ['Format', /^\d{1,4}$/],
  ['Event', id],
  ['Kind', /^[a-z]{1,20}\.[a-z]{1,20}$/],
  ['At', /^[\d:T.Z+-]{10,40}$/],
  ['Note', id],
  ['By', id],
  ['Undoes', id],
  ['Session', uuid],
  ['Move', new RegExp(`^[a-z-]{1,20} ${version}$`)],
  ['Adopted', new RegExp(`^${version}$`)],
]);
/** Keys whose values are free text. */
const writtenKeys: ReadonlySet<string> = new Set([
  'Reason',
  'User',
  'Machine',
  'Project',
  'Session',
  'Agent',
  'Command-Id',
  'Move',
  'Lost',
  'Adopted',
]);

const toTrailer = (line: string): Trailer => {
  const colon = line.indexOf(': ');
  const key = line.slice(0, colon);
  const raw = line.slice(colon + 2);
  const value = unquoteValue(raw) ?? raw;
  return {
    line,
    key,
    shown: writtenKeys.has(key) ? value : `${key}: ${value}`,
    isMade: formByKey.get(key)?.test(raw) === true,
  };
};

const maskTrailer = ({ line, key, shown, isMade }: Trailer): string => {
  if (isMade) return line;
  const masked = redact(shown).text;
  if (masked === shown) return line;
  if (writtenKeys.has(key)) return `${key}: ${quoteValue(masked)}`;
  const colon = masked.indexOf(': ') + 2;
  return masked.slice(0, colon) + quoteValue(masked.slice(colon));
};
