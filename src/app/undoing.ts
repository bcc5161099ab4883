/** Finds the event to undo and what undid it already, and restores a note's text from a point in history. */

import type { EventJson } from '../answers/history-schema.js';
import type { CommitOfJournal } from '../commands/command.js';
import { idAmbiguous, type Refusal } from '../commands/refusals.js';
import { movedAcross, otherScope, type UndoEvent } from '../commands/undo.js';
import { groupBy } from '../events/group-by.js';
import { type NoteId, scopeOf } from '../events/note/note.js';
import { isUlid } from '../events/ulid-form.js';
import { whereMoved } from '../projections/history/gone-notes.js';
import { eventWithId, type ListedEvent, lastEvents, listEvents, notesOfEvent } from '../projections/history/query.js';
import { eventIdsLike, shortEventIds } from '../projections/short-ids.js';
import type { Answer, Asker, Memory } from '../store/memory.js';
import type { Lookup, Reading } from '../store/reading.js';
import { maxChoices } from '../store/resolve-id.js';
import { resolveRevision } from '../store/revision.js';
import { eventJson, readShortIds } from './history.js';

export type Undoing = {
  readonly undone: EventJson;
  readonly answer: Exclude<Answer, { readonly status: 'refused' }>;
  /** Notes that were changed back; a warning names each that stays as it is. */
  readonly notes: readonly NoteId[];
};

type UndoneEvent = Pick<Undoing, 'answer'> & { readonly undone: ListedEvent };

export const undoEvent = async (memory: Memory, given: string | undefined, asker?: Asker): Promise<Lookup<Undoing>> => {
  const found = await findAndUndo(memory, given, asker);
  if (!found.ok) return found;
  const { undone, answer } = found.answer;
  const undoing = answer.event?.id;
  const { noteCount, notes } = await memory.liveIndex.ask((database) => ({
    noteCount: notesOfEvent(database, undone).length,
    notes: [undoing ?? []].flat().flatMap((id) => {
      const event = eventWithId(database, id);
      return event === undefined ? [] : notesOfEvent(database, event);
    }),
  }));
  const json = eventJson({ ...undone, noteCount }, await readShortIds(memory, [undone]));
  return { ok: true, answer: { undone: json, answer, notes } };
};

/** `given`: an event's id, beginning or end; else, of the last 500, this machine's newest, not undone or undoing. */
const findAndUndo = async (memory: Memory, given: string | undefined, asker?: Asker): Promise<Lookup<UndoneEvent>> => {
  if (memory.isEmpty()) return { ok: false, refusal: given === undefined ? nothingToUndo : eventUnknown(given) };
  const history = await readUndoings(memory);
  const found = await (given === undefined ? lastEvent(memory, history) : resolveEvent(memory, given));
  if (!found.ok) return found;
  const event = found.answer;
  const moved = await readMoved(memory, event);
  if (moved !== undefined)
    return { ok: false, refusal: movedAcross(event.id, moved, otherScope(scopeOf(event.journal))) };
  const answer = await memory.perform(await planUndo(memory, event, history), asker);
  return answer.status === 'refused'
    ? { ok: false, refusal: answer.refusal }
    : { ok: true, answer: { undone: event, answer } };
};

/** The note that took the place of one that this event forgot, as the second half of a move to the other journal. */
const readMoved = (memory: Reading, event: ListedEvent): Promise<NoteId | undefined> =>
  memory.liveIndex.ask((database) => {
    const [note] = event.kind === 'note.forgotten' ? notesOfEvent(database, event) : [];
    return note === undefined ? undefined : whereMoved(database, note, event)?.as;
  });

/** Restores the text that a note had at a point. Throws Fault 'unknown-revision' if there is no such point. */
export const restoreAt = async (memory: Memory, id: NoteId, point: string, asker?: Asker): Promise<Answer> => {
  const commits: CommitOfJournal = memory.isEmpty() ? {} : await resolveRevision(memory, point);
  return memory.perform({ kind: 'restore-at', id, point: point.trim(), commits }, asker);
};

/** Limits: the events of this machine that are read, and the undoings of all machines. */
const maxEvents = 500;
const maxUndoings = 10_000;

/** The undoings that hold, by the id of the event that each undid: one that was itself undone doesn't. */
type Undoings = ReadonlyMap<string, readonly ListedEvent[]>;

/** Only an undoing in the event's own journal counts; no clock tells which of several came first. */
const readUndoings = async (memory: Reading): Promise<Undoings> => {
  const byTarget = await memory.liveIndex.ask((database) => {
    const undoings = listEvents(database, { kind: 'event.undone' }, maxUndoings).filter(
      ({ undoes, journal }) => undoes !== undefined && eventWithId(database, undoes)?.journal === journal,
    );
    return groupBy(undoings, ({ undoes }) => undoes ?? '');
  });
  const holds = ({ id }: ListedEvent, above: readonly string[] = []): boolean =>
    !(byTarget.get(id) ?? []).some((one) => !above.includes(one.id) && holds(one, [...above, id]));
  return new Map([...byTarget].map(([id, undoings]) => [id, undoings.filter((one) => holds(one))]));
};

const lastEvent = async (memory: Reading, undoings: Undoings): Promise<Lookup<ListedEvent>> => {
  const event = await memory.liveIndex.ask((database) =>
    lastEvents(database, { machine: memory.settings.machine }, maxEvents).find(
      ({ id, kind }) => kind !== 'event.undone' && kind !== 'machines.merged' && (undoings.get(id) ?? []).length === 0,
    ),
  );
  return event === undefined ? { ok: false, refusal: nothingToUndo } : { ok: true, answer: event };
};

const resolveEvent = (memory: Reading, given: string): Promise<Lookup<ListedEvent>> => {
  const id = given.trim().toUpperCase();
  if (!/^[0-9A-HJKMNP-TV-Z]{4,26}$/.test(id)) return Promise.resolve({ ok: false, refusal: notAnEventId(given) });
  return memory.liveIndex.ask((database) => {
    const ids = isUlid(id) ? [id] : eventIdsLike(database, id);
    const [first, ...others] = ids.slice(0, maxChoices).flatMap((one) => eventWithId(database, one) ?? []);
    if (first === undefined) return { ok: false, refusal: eventUnknown(given.trim()) };
    if (others.length === 0) return { ok: true, answer: first };
    const shortIds = shortEventIds(database, ids.slice(0, maxChoices));
    const choices = [first, ...others].map((event) => ({
      shortId: shortIds.get(event.id) ?? event.id,
      title: `${event.kind}: ${event.subject}`,
    }));
    return { ok: false, refusal: idAmbiguous(given.trim(), 'events', choices, ids.length) };
  });
};

const planUndo = (memory: Reading, given: ListedEvent, undoings: Undoings): Promise<UndoEvent> => {
  const { id, kind, subject, project, move, journal, commit } = given;
  return memory.liveIndex.ask((database) => ({
    kind: 'undo',
    event: { id, kind, subject, project, move },
    journal,
    commit,
    notes: notesOfEvent(database, given),
    done: [...new Set((undoings.get(id) ?? []).flatMap((one) => notesOfEvent(database, one)))],
  }));
};

const nothingToUndo: Refusal = {
  code: 'nothing-to-undo',
  message: 'this machine recorded no event that can be undone',
  next: 'anamnesis log shows the events of all machines; undo takes the id of one',
};

const eventUnknown = (given: string): Refusal => ({
  code: 'event-unknown',
  message: `there is no event ${given}`,
  next: 'anamnesis log and anamnesis history NOTE show events and their ids',
});

const notAnEventId = (given: string): Refusal => ({
  code: 'id-invalid',
  message: `${JSON.stringify(given)} is not an event id`,
  next: 'give the id that log and history print, or at least 4 characters of its beginning or its end',
});
