/** Rewrites a commit's message for a purge. Pure. */
import { type JournalEvent, purgedSubject } from '../../events/event.js';
import type { BlobId } from '../../events/note/note.js';
import { formatMessage, quoteValue, unquoteValue } from '../../events/trailers.js';
import { purgeText, type TextMatcher } from './matcher.js';
import type { PurgeRule } from './rule.js';

export type MessageContext = {
  readonly rule: PurgeRule;
  /** Titles that the purged notes ever had. */
  readonly titles: readonly string[];
  /** New id of a version that a trailer names; undefined for one that stays. */
  readonly blobAfter: (blob: BlobId) => BlobId | undefined;
};

export type PurgedMessage = {
  readonly message: string;
  readonly places: number;
  /** The trailer that can't do without the text. */
  readonly structural: string | undefined;
};

/**
 * Keeps the event's kind, id, notes and command. `event` is the one read from the message before or, for a foreign
 * commit, from its files.
 */
export const purgeMessage = (message: string, event: JournalEvent, context: MessageContext): PurgedMessage => {
  const start = trailersOf(message);
  const head = start === -1 ? message : message.slice(0, start);
  const trailers = start === -1 ? '' : message.slice(start + 2);
  const about = telling(event, context);
  const purgedHead = purgeHead(head, event.kind, about, context);
  const lines = trailers.split('\n').map((line) => purgeLine(line, about, context));
  const text = lines.flatMap(({ line }) => (line === undefined ? [] : [line])).join('\n');
  return {
    message: start === -1 ? purgedHead.text : `${purgedHead.text}\n\n${text}`,
    places: purgedHead.places + lines.reduce((sum, { places }) => sum + places, 0),
    structural: lines.find(({ structural }) => structural !== undefined)?.structural,
  };
};

/** Writes a foreign commit's event into its message, because the event's id derives from a hash that changes. */
export const withEvent = (message: string, event: JournalEvent): string => {
  const formatted = formatMessage(event);
  const head = message.trimEnd();
  return head === '' ? formatted : `${head}${formatted.slice(formatted.indexOf('\n\n'))}`;
};

/** `Name <address> seconds zone`. */
export const purgeIdentity = (
  line: string,
  matcher: TextMatcher | undefined,
): { readonly line: string; readonly places: number } => {
  const end = line.lastIndexOf('>');
  if (matcher === undefined || end === -1) return { line, places: 0 };
  const open = line.lastIndexOf('<', end);
  const name = purgeText(line.slice(0, Math.max(0, open)), matcher);
  const address = purgeText(line.slice(open + 1, end), matcher);
  return {
    line: `${name.text}${open === -1 ? '' : '<'}${address.text}${line.slice(end)}`,
    places: name.places + address.places,
  };
};

const trailersOf = (message: string): number => message.lastIndexOf('\n\nFormat: ');

/** How much of an event is about purged notes: all of it, only words that name their titles, or nothing. */
type About = 'only' | 'also' | 'not';

const telling = ({ kind, notes }: JournalEvent, { rule }: MessageContext): About => {
  // An earlier purge names only ids, and machines that follow it need them.
  if (kind === 'notes.purged') return 'not';
  if (notes.length === 0 || !notes.some((id) => rule.notes.has(id))) return 'not';
  return notes.every((id) => rule.notes.has(id)) ? 'only' : 'also';
};

const purgeHead = (
  head: string,
  kind: string,
  about: About,
  context: MessageContext,
): { readonly text: string; readonly places: number } => {
  const prefix = head.startsWith(`${kind}: `) ? `${kind}: ` : '';
  const rest = head.slice(prefix.length);
  if (rest === purgedSubject) return { text: head, places: 0 };
  if (about === 'only' || (about === 'also' && namesTitle(rest, context.titles)))
    return { text: `${prefix}${purgedSubject}`, places: 1 };
  const { text, places } =
    context.rule.text === undefined ? { text: rest, places: 0 } : purgeText(rest, context.rule.text);
  return { text: `${prefix}${text}`, places };
};

type PurgedLine = { readonly line: string | undefined; readonly places: number; readonly structural?: string };

const structuralKeys: ReadonlySet<string> = new Set(['Format', 'Event', 'Kind', 'At', 'Note', 'By', 'Undoes']);

const purgeLine = (line: string, about: About, context: MessageContext): PurgedLine => {
  const colon = line.indexOf(': ');
  const key = line.slice(0, colon);
  const value = colon === -1 ? undefined : unquoteValue(line.slice(colon + 2));
  if (value === undefined) {
    const { text, places } =
      context.rule.text === undefined ? { text: line, places: 0 } : purgeText(line, context.rule.text);
    return { line: text, places };
  }
  const { text: matcher } = context.rule;
  if (structuralKeys.has(key)) {
    return {
      line,
      places: 0,
      ...(matcher !== undefined && matcher.spans(value).length > 0 ? { structural: key } : {}),
    };
  }
  if (key === 'Lost' && context.rule.notes.has(value.slice(0, value.indexOf(' '))))
    return { line: undefined, places: 1 };
  const told = key === 'Reason' && (about === 'only' || (about === 'also' && namesTitle(value, context.titles)));
  const named = told ? purgedSubject : mapBlobs(key, value, context.blobAfter);
  const { text, places } = matcher === undefined ? { text: named, places: 0 } : purgeText(named, matcher);
  return { line: text === value ? line : `${key}: ${quoteValue(text)}`, places: places + (named === value ? 0 : 1) };
};

/** Replaces ids of purged versions: they would confirm a guess at the text. */
const mapBlobs = (key: string, value: string, blobAfter: MessageContext['blobAfter']): string =>
  key === 'Move' || key === 'Adopted'
    ? value.replace(/(?<=^|^\w+ )[0-9a-f]{40}(?:[0-9a-f]{24})?(?= )/, (blob) => blobAfter(blob) ?? blob)
    : value;

/** Whether the text names one of the titles, even truncated by a subject. */
const namesTitle = (text: string, titles: readonly string[]): boolean => {
  const line = text.replace(/\s+/g, ' ');
  const cut = line.endsWith('…') ? line.slice(line.lastIndexOf(': ') + 1, -1).trim() : '';
  return titles.some((title) => {
    const plain = title.replace(/\s+/g, ' ').trim();
    return plain !== '' && (line.includes(plain) || (cut.length >= leastCut && plain.startsWith(cut)));
  });
};

const leastCut = 20;
