/** Use cases for the store's history: its events, and how many there are. */
import type { ActivityAnswer, EventJson } from '../answers/history-schema.js';
import { noteUnknown } from '../commands/refusals.js';
import { journalFolder } from '../events/note/note.js';
import { formatTime } from '../events/time.js';
import { type ActivityKey, countActivity, noActivity } from '../projections/history/activity.js';
import type { EventFilter, ListedEvent } from '../projections/history/query.js';
import { shortEventIds } from '../projections/short-ids.js';
import type { Lookup, Reading } from '../store/reading.js';

export type { ActivityKey, EventFilter };

export type EventList = { readonly events: readonly EventJson[]; readonly total: number };

/** Newest first unless asked otherwise; `note` may be the beginning or the end of an id. */
export const readEvents = async (
  reading: Reading,
  { note: given, ...filter }: EventFilter,
  limit: number,
): Promise<Lookup<EventList>> => {
  const note = given === undefined ? undefined : await reading.resolveId(given);
  if (note?.ok === false) return note;
  const events = await reading.events({ ...filter, note: note?.answer }, limit);
  const shortIds = await readShortIds(reading, events);
  return { ok: true, answer: { events: events.map((event) => eventJson(event, shortIds)), total: events.length } };
};

/** Newest first; refused if no event names the note. */
export const readEventsOfNote = async (reading: Reading, given: string, limit: number): Promise<Lookup<EventList>> => {
  const found = await readEvents(reading, { note: given }, limit);
  if (!found.ok || found.answer.total > 0) return found;
  const note = await reading.resolveId(given);
  return note.ok ? { ok: false, refusal: noteUnknown(note.answer) } : note;
};

/** `days` is a number of UTC days, ending today. */
export const readActivity = async (
  reading: Reading,
  { by, days, project }: { readonly by: ActivityKey; readonly days: number; readonly project?: string | undefined },
): Promise<ActivityAnswer> => {
  const from = formatTime(Date.now() - (days - 1) * 86_400_000).slice(0, 10);
  const { lastDay, ...counts } = (await reading.ask(countActivity({ by, from, project }))) ?? noActivity;
  return { by, from, project: project ?? null, ...counts, last_day: lastDay };
};

export const readShortIds = async (
  reading: Reading,
  events: readonly Pick<ListedEvent, 'id'>[],
): Promise<ReadonlyMap<string, string>> => {
  const ids = events.map(({ id }) => id);
  return ids.length === 0 ? new Map() : ((await reading.ask((database) => shortEventIds(database, ids))) ?? new Map());
};

export type { EventJson };

/** Undefined keys don't appear in JSON. */
export const eventJson = (event: ListedEvent, shortIds: ReadonlyMap<string, string>): EventJson => ({
  id: event.id,
  short_id: shortIds.get(event.id) ?? event.id,
  kind: event.kind,
  at: event.at,
  machine: event.machine,
  subject: event.subject,
  note_count: event.noteCount,
  journal: journalFolder[event.journal],
  commit: event.commit,
  by: event.by,
  reason: event.reason,
  agent: event.agent,
  session: event.session,
  user: event.user,
  project: event.project,
  undoes: event.undoes,
  lost: event.lost,
});
