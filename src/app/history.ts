/** Use cases for the store's history: its events, the difference between two points, and undo. */
import type { ActivityAnswer } from '../answers/history-schema.js';
import { noteUnknown } from '../commands/refusals.js';
import { journalFolder, journalNames, type NoteId } from '../events/note/note.js';
import { formatTime } from '../events/time.js';
import type { ActivityKey } from '../projections/history/activity.js';
import {
  type EventFilter,
  eventsOfCommand,
  eventWithId,
  type ListedEvent,
  notesOfEvent,
} from '../projections/history/query.js';
import { shortEventIds } from '../projections/short-ids.js';
import { type EventJson, eventJson } from '../store/event-json.js';
import type { Asker } from '../store/memory.js';
import type { Found, Reading } from '../store/reading.js';
import type { EventPatch } from './note-diff.js';
import type { DiffAnswer } from './store-diff.js';
import type { Stores } from './stores.js';
import type { Undoing } from './undoing.js';

export type { ActivityKey, EventFilter, EventJson };

export type EventList = { readonly events: readonly EventJson[]; readonly total: number };

export type ActivityAsked = {
  readonly by: ActivityKey;
  /** Number of UTC days, ending today. */
  readonly days: number;
  readonly project?: string | undefined;
};

export type { ActivityAnswer };

export type Undone = Omit<Undoing, 'undone'> & {
  readonly undone: EventJson;
  /** Notes that were changed back; a warning names each that stays as it is. */
  readonly notes: readonly NoteId[];
};

export type History = {
  /** Newest first unless asked otherwise; `note` may be the beginning or the end of an id. */
  events(filter: EventFilter, limit: number): Promise<Found<EventList>>;
  /** Newest first; refused if no event names the note. */
  ofNote(given: string, limit: number): Promise<Found<EventList>>;
  activity(asked: ActivityAsked): Promise<ActivityAnswer>;
  diff(from: string, to: string): Promise<DiffAnswer>;
  /** Returns a unified diff of the note's file for each of these events, in order. */
  patches(note: NoteId, events: readonly EventJson[]): Promise<readonly EventPatch[]>;
  /** Returns a note's changes between two points; without `from`, those of the last event that changed its file. */
  diffOfNote(note: NoteId, from: string | undefined, to: string): Promise<readonly string[]>;
  /** `given` is an event's id, its beginning or its end; undefined means the last event of this machine. */
  undo(given: string | undefined, asker?: Asker): Promise<Found<Undone>>;
};

const maxEventsBack = 20;

export const openHistory = (stores: Stores): History => ({
  async events({ note: given, ...filter }, limit) {
    const reading = await stores.toRead();
    const note = given === undefined ? undefined : await reading.resolveId(given);
    if (note?.ok === false) return note;
    return { ok: true, answer: await readEvents(reading, { ...filter, note: note?.answer }, limit) };
  },
  async ofNote(given, limit) {
    const reading = await stores.toRead();
    const note = await reading.resolveId(given);
    if (!note.ok) return note;
    const answer = await readEvents(reading, { note: note.answer }, limit);
    return answer.total === 0 ? { ok: false, refusal: noteUnknown(note.answer) } : { ok: true, answer };
  },
  async activity({ by, days, project }) {
    const { countActivity, noActivity } = await import('../projections/history/activity.js');
    const { journals, liveIndex } = await stores.toRead();
    const from = formatTime(Date.now() - (days - 1) * 86_400_000).slice(0, 10);
    const isEmpty = !journalNames.some((name) => journals[name].exists());
    const { lastDay, ...counts } = isEmpty ? noActivity : await liveIndex.ask(countActivity({ by, from, project }));
    return { by, from, project: project ?? null, ...counts, last_day: lastDay };
  },
  async diff(from, to) {
    const { diffStore } = await import('./store-diff.js');
    return diffStore(await stores.toWrite(), from, to);
  },
  async patches(note, events) {
    const { patchesWithCopies } = await import('./note-diff.js');
    return patchesWithCopies(await stores.toWrite(), note, events);
  },
  async diffOfNote(note, from, to) {
    const { patchOfNote, patchesOfNote } = await import('./note-diff.js');
    const memory = await stores.toWrite();
    if (from === undefined) {
      // Skips events that leave the text alone, such as a recorded conflict.
      const events = await memory.events({ note }, maxEventsBack);
      const patches = await patchesOfNote(
        memory,
        note,
        events.map(({ commit, journal }) => ({ commit, journal: journalFolder[journal] })),
      );
      return patches.find((patch) => patch.length > 0) ?? [];
    }
    const { resolveRevision } = await import('../store/revision.js');
    return patchOfNote(memory, note, await resolveRevision(memory, from), await resolveRevision(memory, to));
  },
  async undo(given, asker) {
    const { undoEvent } = await import('./undoing.js');
    const memory = await stores.toWrite();
    const found = await undoEvent(memory, given, asker);
    if (!found.ok) return found;
    const { undone } = found.answer;
    // A command that writes to both journals records an event in each.
    const undoing = found.answer.answer.event?.id;
    const { touched, notes } = await memory.liveIndex.ask((database) => {
      const notesOf = (event: ListedEvent | undefined): readonly NoteId[] => {
        const events = event?.commandId === undefined ? [] : eventsOfCommand(database, event.commandId);
        return [...new Set([event ?? [], events].flat().flatMap((one) => notesOfEvent(database, one)))];
      };
      return {
        touched: notesOf(undone),
        notes: notesOf(undoing === undefined ? undefined : eventWithId(database, undoing)),
      };
    });
    const json = eventJson({ ...undone, noteCount: touched.length }, await shortIdsOf(memory, [undone]));
    return { ok: true, answer: { ...found.answer, undone: json, notes } };
  },
});

const readEvents = async (reading: Reading, filter: EventFilter, limit: number): Promise<EventList> => {
  const events = await reading.events(filter, limit);
  const shortIds = await shortIdsOf(reading, events);
  return { events: events.map((event) => eventJson(event, shortIds)), total: events.length };
};

const shortIdsOf = async (reading: Reading, events: readonly ListedEvent[]): Promise<ReadonlyMap<string, string>> => {
  const ids = events.map(({ id }) => id);
  // Querying the index of a missing store would create one.
  return ids.length === 0 ? new Map() : reading.liveIndex.ask((database) => shortEventIds(database, ids));
};
