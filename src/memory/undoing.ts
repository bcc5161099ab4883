/** Which event is meant by an undo, what undid it already, and which text a note had at a point. */
import type { CommitOfJournal, UndoEvent } from '../commands/command.js';
import type { Refusal } from '../commands/refusals.js';
import { journalNames, type NoteId } from '../events/note.js';
import { isUlid } from '../events/ulid-form.js';
import {
  eventsOfCommand,
  eventsWithPrefix,
  eventWithId,
  type ListedEvent,
  lastEvents,
  listEvents,
  notesOfEvent,
} from '../projections/history/query.js';
import type { Answer, Asker, Memory } from './memory.js';
import type { Found, Reading } from './reading.js';
import { resolveRevision } from './revision.js';

export type Undoing = {
  /** The event that was to be taken back. */
  readonly undone: ListedEvent;
  readonly answer: Exclude<Answer, { readonly status: 'refused' }>;
};

/**
 * `given` is an event's id or the beginning of one; undefined is the newest event of this machine that is neither an
 * undoing nor undone, among the last 500. Both events of a move between the journals stand for the whole move. Makes no
 * store.
 */
export const undoEvent = async (memory: Memory, given: string | undefined, asker?: Asker): Promise<Found<Undoing>> => {
  if (isEmpty(memory)) return { ok: false, refusal: given === undefined ? nothingToUndo : eventUnknown(given) };
  const history = await readUndoings(memory);
  const found = given === undefined ? await lastEvent(memory, history) : await resolveEvent(memory, given);
  if (!found.ok) return found;
  const { command, event } = await planUndo(memory, found.answer, history);
  const answer = await memory.perform(command, asker);
  if (answer.status === 'refused') return { ok: false, refusal: answer.refusal };
  return { ok: true, answer: { undone: event, answer } };
};

/** Gives a note its text of that point back. Throws Fault 'unknown-revision' when the point is none. */
export const restoreAt = async (memory: Memory, id: NoteId, point: string, asker?: Asker): Promise<Answer> => {
  const commits: CommitOfJournal = isEmpty(memory) ? {} : await resolveRevision(memory, point);
  return memory.perform({ kind: 'restore-at', id, point: point.trim(), commits }, asker);
};

/** How many events of this machine are looked through, and how many undoings of all machines. */
const mostEvents = 500;
const mostUndoings = 10_000;

type Undoings = {
  /** Ids of the events that are undone now. */
  readonly undone: ReadonlySet<string>;
  /** Undoings that hold, by the event that they took back. */
  readonly byEvent: ReadonlyMap<string, readonly ListedEvent[]>;
};

/** An undoing that was itself undone, by one that holds, does not hold. Which came first is told by no clock. */
const readUndoings = (memory: Reading): Promise<Undoings> =>
  memory.keeper.ask((database) => {
    const undoings = listEvents(database, { kind: 'event.undone' }, mostUndoings);
    const twins = groupBy(undoings, ({ commandId, id }) => commandId ?? id);
    const byTarget = groupBy(undoings, ({ undoes }) => undoes ?? '');
    const holds = (undoing: ListedEvent, above: readonly string[] = []): boolean => {
      const ids = (twins.get(undoing.commandId ?? undoing.id) ?? []).map(({ id }) => id);
      const undoneBy = ids.flatMap((id) => byTarget.get(id) ?? []);
      return !undoneBy.some((one) => !above.includes(one.id) && holds(one, [...above, ...ids]));
    };
    const holding = undoings.filter((undoing) => undoing.undoes !== undefined && holds(undoing));
    const byEvent = groupBy(holding, ({ undoes }) => undoes ?? '');
    return { undone: new Set(byEvent.keys()), byEvent };
  });

const groupBy = (
  events: readonly ListedEvent[],
  keyOf: (event: ListedEvent) => string,
): ReadonlyMap<string, readonly ListedEvent[]> => {
  const groups = new Map<string, ListedEvent[]>();
  for (const event of events) {
    const group = groups.get(keyOf(event)) ?? [];
    group.push(event);
    groups.set(keyOf(event), group);
  }
  return groups;
};

const lastEvent = (memory: Reading, { undone }: Undoings): Promise<Found<ListedEvent>> =>
  memory.keeper.ask((database) => {
    for (const event of lastEvents(database, { machine: memory.settings.machine }, mostEvents)) {
      if (event.kind === 'event.undone') continue;
      if (!twinsOf(event, eventsOfCommand(database, event.commandId ?? '')).some(({ id }) => undone.has(id)))
        return { ok: true, answer: event };
    }
    return { ok: false, refusal: nothingToUndo };
  });

const resolveEvent = (memory: Reading, given: string): Promise<Found<ListedEvent>> => {
  const id = given.trim().toUpperCase();
  if (!/^[0-9A-HJKMNP-TV-Z]{4,26}$/.test(id)) return Promise.resolve({ ok: false, refusal: notAnEventId(given) });
  return memory.keeper.ask((database) => {
    const whole = isUlid(id) ? eventWithId(database, id) : undefined;
    const [first, ...others] = whole === undefined ? eventsWithPrefix(database, id, 5) : [whole];
    if (first === undefined) return { ok: false, refusal: eventUnknown(given.trim()) };
    if (others.length > 0) return { ok: false, refusal: eventAmbiguous(given.trim(), [first, ...others]) };
    return { ok: true, answer: first };
  });
};

const planUndo = (
  memory: Reading,
  given: ListedEvent,
  { byEvent }: Undoings,
): Promise<{ readonly event: ListedEvent; readonly command: UndoEvent }> =>
  memory.keeper.ask((database) => {
    const twins = twinsOf(given, eventsOfCommand(database, given.commandId ?? ''));
    const event = twins.find(({ move }) => move !== undefined) ?? twins.find(isNamedByCommand) ?? given;
    const done = twins.flatMap(({ id }) => byEvent.get(id) ?? []).flatMap((one) => notesOfEvent(database, one));
    const { id, kind, subject, project, move } = event;
    return {
      event,
      command: {
        kind: 'undo',
        event: { id, kind, subject, project, move },
        commits: twins.map(({ journal, commit }) => ({ journal, commit })),
        notes: [...new Set(twins.flatMap((one) => notesOfEvent(database, one)))],
        done: [...new Set(done)],
      },
    };
  });

const isNamedByCommand = ({ id, commandId }: ListedEvent): boolean => id === commandId;

/** The event with the one that the same command recorded in the other journal. */
const twinsOf = (event: ListedEvent, ofCommand: readonly ListedEvent[]): readonly ListedEvent[] => {
  const others = ofCommand.filter(
    ({ id, journal, kind, machine }) =>
      id !== event.id && journal !== event.journal && kind === event.kind && machine === event.machine,
  );
  return [event, ...others.slice(0, 1)];
};

const nothingToUndo: Refusal = {
  code: 'nothing-to-undo',
  message: 'this machine recorded no event that could be undone',
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
  next: 'give the 26 characters that log and history print, or the beginning of them',
});

const eventAmbiguous = (given: string, events: readonly ListedEvent[]): Refusal => ({
  code: 'id-ambiguous',
  message: `${given} is the beginning of more than one event: ${events.map(({ id }) => id).join(', ')}`,
  next: 'give more characters',
});

/** Asking the index of a store that is not there would make one. */
const isEmpty = ({ journals }: Reading): boolean => !journalNames.some((name) => journals[name].exists());
