/** The record that a purge leaves in the history: who erased, and when, without the text itself. Pure. */

import type { JournalEvent } from '../../events/event.js';
import { isObjectId } from '../../events/note/blob-id.js';
import type { NoteId } from '../../events/note/note.js';
import { formatMessage, parseMessage } from '../../events/trailers.js';
import { isUlid } from '../../events/ulid-form.js';
import { type Fingerprint, formatFingerprint, parseFingerprint } from './fingerprint.js';

export type PurgeRecord = {
  /** Id of the purge, the same in both journals and on every machine; also the salt of the fingerprints. */
  readonly purge: string;
  /** Head of the journal before the purge. */
  readonly oldHead: string;
  readonly notes: readonly NoteId[];
  readonly texts: readonly Fingerprint[];
  /** SHA-256 of the pattern, where there was one. */
  readonly pattern: string | undefined;
  readonly places: number;
};

/** Formats the commit message of a `notes.purged` event. */
export const formatPurge = (event: JournalEvent, record: PurgeRecord): string =>
  `${formatMessage(event)}${linesOf(record).join('\n')}\nSigned-off-by: ${event.user ?? 'self'} <anamnesis@${event.machine}>\n`;

export type ReadPurge = { readonly event: JournalEvent; readonly record: PurgeRecord };

/** Returns undefined for any other message, and for an incomplete one. */
export const parsePurge = (message: string): ReadPurge | undefined => {
  const event = parseMessage(message);
  const record = event?.kind === 'notes.purged' ? readRecord(message) : undefined;
  return event === undefined || record === undefined ? undefined : { event, record };
};

/** Content of a purge's ref, on the remote and here: the event's record, and the heads between which it leads. */
export type PublishedPurge = {
  readonly record: PurgeRecord;
  /** The journal's head with the event. After a race with another machine the event may be on another commit. */
  readonly newHead: string;
  /** The remote's head at the time, as far as this machine knew; only that may be replaced. */
  readonly remoteHead: string | undefined;
};

export const purgeRefs = 'refs/anamnesis/purges/';

export const formatPublished = (
  message: string,
  { newHead, remoteHead }: Pick<PublishedPurge, 'newHead' | 'remoteHead'>,
): string => {
  const told = message
    .slice(message.lastIndexOf('\n\nFormat: ') + 2)
    .trimEnd()
    .split('\n');
  const lines = told.filter((line) => publishedKeys.has(line.slice(0, line.indexOf(': '))));
  const heads = [`New-Head: ${newHead}`, ...(remoteHead === undefined ? [] : [`Remote-Head: ${remoteHead}`])];
  return `purge.recorded: ${readLines(message).get('Purge')?.[0] ?? ''}\n\n${[...lines, ...heads].join('\n')}\n`;
};

export const parsePublished = (message: string): PublishedPurge | undefined => {
  const record = readRecord(message);
  const lines = readLines(message);
  const [newHead = ''] = lines.get('New-Head') ?? [];
  const [remoteHead] = lines.get('Remote-Head') ?? [];
  if (record === undefined || !isObjectId(newHead) || isObjectId(remoteHead ?? newHead) === false) return undefined;
  return { record, newHead, remoteHead };
};

/** Formats records as text, for this machine only. */
export const formatRecords = (records: readonly PurgeRecord[]): string =>
  records.map((record) => linesOf(record).join('\n')).join('\n\n');

/** Skips incomplete records and those that name nothing. */
export const parseRecords = (text: string): readonly PurgeRecord[] =>
  text.split('\n\n').flatMap((one) => readRecord(`\n\nFormat: 1\n${one}`) ?? []);

/** Whether both records say the same about what was erased. */
export const isSamePurge = (one: PurgeRecord, other: PurgeRecord): boolean =>
  linesOf(one).join('\n') === linesOf(other).join('\n');

const publishedKeys: ReadonlySet<string> = new Set([
  ...['Format', 'At', 'User', 'Machine', 'Purge', 'Old-Head', 'Purged', 'Places', 'Signed-off-by'],
]);

const linesOf = ({ purge, oldHead, notes, pattern, texts, places }: PurgeRecord): readonly string[] => [
  `Purge: ${purge}`,
  `Old-Head: ${oldHead}`,
  ...notes.map((id) => `Purged: note ${id}`),
  ...(pattern === undefined ? [] : [`Purged: pattern sha256:${pattern}`]),
  ...texts.map((text) => `Purged: text ${formatFingerprint(text)}`),
  `Places: ${places}`,
];

const readLines = (message: string): ReadonlyMap<string, readonly string[]> => {
  const all = new Map<string, string[]>();
  for (const line of message.slice(message.lastIndexOf('\n\nFormat: ') + 2).split('\n')) {
    const colon = line.indexOf(': ');
    const key = line.slice(0, colon);
    const lines = all.get(key);
    if (lines === undefined) all.set(key, [line.slice(colon + 2)]);
    else lines.push(line.slice(colon + 2));
  }
  return all;
};

/** Limit of texts or notes in a record: ours name one note or some 200 texts, each searched for in every file. */
const maxNamed = 1000;

const readRecord = (message: string): PurgeRecord | undefined => {
  const lines = readLines(message);
  const one = (key: string): string => lines.get(key)?.[0] ?? '';
  const purged = (lines.get('Purged') ?? []).map((line) => ({
    kind: line.slice(0, line.indexOf(' ')),
    rest: line.slice(line.indexOf(' ') + 1),
  }));
  const texts = purged.filter(({ kind }) => kind === 'text').map(({ rest }) => parseFingerprint(rest));
  const notes = purged.filter(({ kind }) => kind === 'note').map(({ rest }) => rest);
  const [pattern] = purged.filter(({ kind }) => kind === 'pattern').map(({ rest }) => rest.replace(/^sha256:/, ''));
  if (!isUlid(one('Purge')) || !isObjectId(one('Old-Head')) || !notes.every(isUlid)) return undefined;
  if (texts.length > maxNamed || notes.length > maxNamed) return undefined;
  const whole = texts.filter((text) => text !== undefined);
  if (whole.length !== texts.length || (notes.length + whole.length === 0 && pattern === undefined)) return undefined;
  const places = Number(one('Places')) || 0;
  return { purge: one('Purge'), oldHead: one('Old-Head'), notes, texts: whole, pattern, places };
};
