/** Rewrites a commit's message for a purge. Pure. */
import { type JournalEvent, purgedSubject } from '../../events/event.js';
import { parseMessage, quoteValue, unquoteValue } from '../../events/trailers.js';
import { purgeText, type Replacement, type TextMatcher } from './matcher.js';
import type { PurgeRule } from './rule.js';

export type PurgedMessage = {
  readonly message: string;
  readonly places: number;
  /** The trailer that can't do without the text. */
  readonly structural: string | undefined;
};

/** `titles` finds those that the purged notes ever had. Keeps the event's kind, id, notes and command. */
export const purgeMessage = (message: string, rule: PurgeRule, titles: TextMatcher | undefined): PurgedMessage => {
  const event = parseMessage(message);
  const start = event === undefined ? message.length : message.lastIndexOf('\n\nFormat: ');
  const words = wordsOf(event, rule, titles);
  const head = purgeHead(message.slice(0, start), event?.kind, words);
  const lines = message
    .slice(start)
    .split('\n')
    .map((line) => purgeLine(line, rule, words));
  return {
    message: head.text + lines.flatMap(({ line }) => line ?? []).join('\n'),
    places: head.places + lines.reduce((sum, { places }) => sum + places, 0),
    structural: lines.find(({ structural }) => structural !== undefined)?.structural,
  };
};

/** `Name <address> seconds zone`, of which the time stays. */
export const purgeIdentity = (line: string, matcher: TextMatcher | undefined): Replacement => {
  const end = line.lastIndexOf('>');
  const { text, places } = purgeText(line.slice(0, end), matcher);
  return { text: text + line.slice(end), places };
};

/** Purges the words of a message: a subject, a reason. */
type WordsPurge = (words: string) => Replacement;

/** Words about purged notes alone go; from others, and from a person's commit, only the titles of purged notes do. */
const wordsOf = (event: JournalEvent | undefined, rule: PurgeRule, titles: TextMatcher | undefined): WordsPurge => {
  const notes = event?.notes ?? [];
  // An earlier purge names only ids.
  const about = event?.kind === 'notes.purged' ? [] : notes.filter((id) => rule.notes.has(id));
  if (about.length > 0 && about.length === notes.length)
    return (words) => ({ text: purgedSubject, places: words === purgedSubject ? 0 : 1 });
  const named = about.length > 0 || event === undefined ? titles : undefined;
  return (words) => {
    const first = purgeText(words, rule.text);
    const second = purgeText(first.text, named);
    return { text: second.text, places: first.places + second.places };
  };
};

const purgeHead = (head: string, kind: string | undefined, purge: WordsPurge): Replacement => {
  const prefix = kind !== undefined && head.startsWith(`${kind}: `) ? `${kind}: ` : '';
  const { text, places } = purge(head.slice(prefix.length));
  return { text: prefix + text, places };
};

type PurgedLine = { readonly line: string | undefined; readonly places: number; readonly structural?: string };

const structuralKeys: ReadonlySet<string> = new Set(['Format', 'Event', 'Kind', 'At', 'Note', 'By', 'Undoes']);

const purgeLine = (line: string, { notes, text: matcher }: PurgeRule, purge: WordsPurge): PurgedLine => {
  const colon = line.indexOf(': ');
  const key = line.slice(0, colon);
  const value = colon === -1 ? undefined : unquoteValue(line.slice(colon + 2));
  if (value === undefined) {
    const { text, places } = purgeText(line, matcher);
    return { line: text, places };
  }
  if (structuralKeys.has(key)) {
    const isIn = matcher !== undefined && matcher.spans(value).length > 0;
    return { line, places: 0, ...(isIn ? { structural: key } : {}) };
  }
  if (key === 'Lost' && notes.has(value.slice(0, value.indexOf(' ')))) return { line: undefined, places: 1 };
  const { text, places } = key === 'Reason' ? purge(value) : purgeText(value, matcher);
  return { line: text === value ? line : `${key}: ${quoteValue(text)}`, places };
};
