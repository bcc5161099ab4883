/** Finds the event to undo and what undid it already, and restores a note's text from a point in history. */

import type { CommitOfJournal } from '../commands/command.js';
import { idAmbiguous, type Refusal } from '../commands/refusals.js';
import type { UndoEvent } from '../commands/undo.js';
import { groupBy } from '../events/group-by.js';
import { journalNames, type NoteId } from '../events/note/note.js';
import { isUlid } from '../events/ulid-form.js';
import { eventWithId, type ListedEvent, lastEvents, listEvents, notesOfEvent } from '../projections/history/query.js';
import { eventIdsLike, shortEventIds } from '../projections/short-ids.js';
import type { Answer, Asker, Memory } from '../store/memory.js';
import type { Found, Reading } from '../store/reading.js';
import { maxChoices } from '../store/resolve-id.js';
import { resolveRevision } from '../store/revision.js';
import { isProven } from './proven-undoings.js';

export type Undoing = {
  /** The event to be undone. */
  readonly undone: ListedEvent;
  readonly answer: Exclude<Answer, { readonly status: 'refused' }>;
};

/**
 * `given` is an event's id, its beginning or its end. Undefined means, among the last 500, the newest event of this
 * machine that is neither an undoing nor undone and has something left to undo; never an older one of a note whose
 * newest event was undone by hand. Doesn't create a store.
 */
export const undoEvent = async (memory: Memory, given: string | undefined, asker?: Asker): Promise<Found<Undoing>> => {
  if (isEmpty(memory)) return { ok: false, refusal: given === undefined ? nothingToUndo : eventUnknown(given) };
  const history = await readUndoings(memory);
  const newest = await newestId(memory);
  const passed = new Set<string>();
  const notesPassed = new Set<NoteId>();
  let first: Undoing | undefined;
  for (;;) {
    const found = await (given === undefined ? lastEvent(memory, history, passed) : resolveEvent(memory, given));
    if (!found.ok) return found;
    const notes = await memory.liveIndex.ask((database) => notesOfEvent(database, found.answer));
    // If a note's newest event was taken back by hand or elsewhere, the event before it isn't the one meant.
    if (first !== undefined && notes.some((note) => notesPassed.has(note))) return { ok: true, answer: first };
    const event = found.answer;
    const command = await planUndo(memory, event, history);
    const answer = await memory.perform(command, asker);
    if (answer.status === 'refused') return { ok: false, refusal: answer.refusal };
    // A hand edit that was adopted first is now the newest event, and nobody asked to go back beyond it.
    const isPassed = given === undefined && answer.status === 'unchanged' && (await newestId(memory)) === newest;
    if (!isPassed) return { ok: true, answer: { undone: event, answer } };
    first ??= { undone: event, answer };
    passed.add(found.answer.id);
    for (const note of notes) notesPassed.add(note);
  }
};

const newestId = (memory: Reading): Promise<string | undefined> =>
  memory.liveIndex.ask((database) => lastEvents(database, { machine: memory.settings.machine }, 1)[0]?.id);

/** Restores the text that a note had at a point. Throws Fault 'unknown-revision' if there is no such point. */
export const restoreAt = async (memory: Memory, id: NoteId, point: string, asker?: Asker): Promise<Answer> => {
  const commits: CommitOfJournal = isEmpty(memory) ? {} : await resolveRevision(memory, point);
  return memory.perform({ kind: 'restore-at', id, point: point.trim(), commits }, asker);
};

/** Limits: the events of this machine that are read, and the undoings of all machines. */
const maxEvents = 500;
const maxUndoings = 10_000;

/** `claims` are the ids that undoings name; `holding` returns the undoings of an event that hold. */
type Undoings = { readonly claims: ReadonlySet<string>; readonly holding: HoldingUndoings };
type HoldingUndoings = (eventId: string) => Promise<readonly ListedEvent[]>;

/**
 * An undoing doesn't hold if it was itself undone by one that holds; no clock tells which came first. One that the
 * files don't prove doesn't count; proof is looked up only when asked for.
 */
const readUndoings = async (memory: Reading): Promise<Undoings> => {
  const claimed = await memory.liveIndex.ask((database) =>
    listEvents(database, { kind: 'event.undone' }, maxUndoings).flatMap((undoing) => {
      const event = undoing.undoes === undefined ? undefined : eventWithId(database, undoing.undoes);
      return event === undefined ? [] : [{ ...undoing, target: event }];
    }),
  );
  const byTarget = groupBy(claimed, ({ undoes }) => undoes ?? '');
  const proofs = new Map<string, Promise<boolean>>();
  const isTrue = ({ id, journal, commit, target }: (typeof claimed)[number]): Promise<boolean> => {
    const proof =
      proofs.get(id) ??
      Promise.resolve(
        journal === 'local' ||
          (target.journal === journal && isProven(memory.journals[journal], target.commit, commit)),
      );
    proofs.set(id, proof);
    return proof;
  };
  const holds = async (undoing: (typeof claimed)[number], above: readonly string[] = []): Promise<boolean> => {
    if (!(await isTrue(undoing))) return false;
    for (const one of byTarget.get(undoing.id) ?? [])
      if (!above.includes(one.id) && (await holds(one, [...above, undoing.id]))) return false;
    return true;
  };
  const holding: HoldingUndoings = async (id) => {
    const found: ListedEvent[] = [];
    for (const one of byTarget.get(id) ?? []) if (await holds(one)) found.push(one);
    return found;
  };
  return { claims: new Set(byTarget.keys()), holding };
};

const lastEvent = async (
  memory: Reading,
  { claims, holding }: Undoings,
  passed: ReadonlySet<string>,
): Promise<Found<ListedEvent>> => {
  const candidates = await memory.liveIndex.ask((database) => {
    const found: ListedEvent[] = [];
    for (const event of lastEvents(database, { machine: memory.settings.machine }, maxEvents)) {
      if (event.kind === 'event.undone' || event.kind === 'machines.merged' || passed.has(event.id)) continue;
      found.push(event);
      if (!claims.has(event.id)) break;
    }
    return found;
  });
  for (const event of candidates) if ((await holding(event.id)).length === 0) return { ok: true, answer: event };
  return { ok: false, refusal: nothingToUndo };
};

const resolveEvent = (memory: Reading, given: string): Promise<Found<ListedEvent>> => {
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

const planUndo = async (memory: Reading, given: ListedEvent, { holding }: Undoings): Promise<UndoEvent> => {
  const undoings = await holding(given.id);
  const { id, kind, subject, project, move, journal, commit } = given;
  return memory.liveIndex.ask((database) => ({
    kind: 'undo',
    event: { id, kind, subject, project, move },
    journal,
    commit,
    notes: notesOfEvent(database, given),
    done: [...new Set(undoings.flatMap((one) => notesOfEvent(database, one)))],
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

/** Querying the index of a missing store would create one. */
const isEmpty = ({ journals }: Reading): boolean => !journalNames.some((name) => journals[name].exists());
