/** Resolves a point in time, as a person types it, to a commit of each journal. */
import { Fault } from '../events/faults.js';
import type { Journal } from '../events/journal.js';
import { type JournalName, journalNames } from '../events/note/note.js';
import { parseTime } from '../events/time.js';
import { isUlid, timeOfUlid } from '../events/ulid-form.js';
import { eventWithId, type ListedEvent } from '../projections/history/query.js';
import { eventIdsLike } from '../projections/short-ids.js';
import type { Reading } from './reading.js';

export type Revision = Readonly<Partial<Record<JournalName, string>>>;

/**
 * `text` is a commit (or a prefix, HEAD, a rescue ref, ~2, ^), an event id (or its beginning or end), or a date: the newest commit at
 * or before it in head order, a bare date means its end. The other journal is read as of that time. Throws Fault
 * 'unknown-revision'.
 */
export const resolveRevision = async (reading: Reading, text: string): Promise<Revision> => {
  const given = text.trim();
  if (given.toUpperCase() === 'HEAD') return headsOf(reading);
  if (isUlid(given.toUpperCase())) {
    const id = given.toUpperCase();
    const event = await reading.liveIndex.ask((database) => eventWithId(database, id));
    if (event === undefined) throw unknown(text, 'no event has this id');
    return atEvent(reading, event);
  }
  const time = /^\d{4}-\d{2}-\d{2}$/.test(given) ? parseTime(`${given}T23:59:59Z`) : parseTime(given);
  if (time !== undefined) return atTime(reading, time);
  const event = await eventLike(reading, given.toUpperCase());
  if (!/^(?:[0-9a-f]{4,64}|HEAD|refs\/anamnesis\/rescue\/\w+)(?:~\d*|\^)*$/i.test(given)) {
    if (event !== undefined) return atEvent(reading, event);
    throw unknown(
      text,
      'it is neither a commit, nor an event id, nor a date such as 2026-06-24 or 2026-06-24T18:33:07Z',
    );
  }
  for (const name of journalNames) {
    const journal = reading.journals[name];
    const commit = journal.exists() ? await journal.resolve(given.replace(/^head/i, 'refs/heads/main')) : undefined;
    if (commit === undefined) continue;
    return { ...(await atTime(reading, await journal.timeOf(commit))), [name]: commit };
  }
  if (event !== undefined) return atEvent(reading, event);
  throw unknown(text, 'neither journal has such a commit');
};

/** Finds the one event whose id begins or ends with the text. */
const eventLike = async (reading: Reading, text: string): Promise<ListedEvent | undefined> => {
  if (!/^[0-9A-HJKMNP-TV-Z]{4,25}$/.test(text)) return undefined;
  return reading.liveIndex.ask((database) => {
    const [id, ...others] = eventIdsLike(database, text);
    return id === undefined || others.length > 0 ? undefined : eventWithId(database, id);
  });
};

const atEvent = async (reading: Reading, { id, at, journal, commit }: ListedEvent): Promise<Revision> => ({
  ...(await atTime(reading, Math.max(parseTime(at) ?? 0, timeOfUlid(id)))),
  [journal]: commit,
});

const headsOf = (reading: Reading): Revision => {
  const heads: Partial<Record<JournalName, string>> = {};
  for (const name of journalNames) {
    const journal = reading.journals[name];
    const head = journal.exists() ? journal.head() : undefined;
    if (head !== undefined) heads[name] = head;
  }
  return heads;
};

const atTime = async (reading: Reading, timeMs: number): Promise<Revision> => {
  const found: Partial<Record<JournalName, string>> = {};
  for (const name of journalNames) {
    const journal: Journal = reading.journals[name];
    const commit = journal.exists() ? await journal.commitAt(timeMs) : undefined;
    if (commit !== undefined) found[name] = commit;
  }
  return found;
};

const unknown = (text: string, why: string): Fault =>
  new Fault(
    'unknown-revision',
    `${JSON.stringify(text)} names no point in this store's history: ${why}`,
    'anamnesis log shows events and their times',
  );
