/** Undoes an event: its notes say again what they said before it. Pure. */
import { parseMove } from '../events/move-trailer.js';
import { type JournalName, type NoteId, type Scope, scopeOf } from '../events/note/note.js';
import { type Decide, type EventEffects, type Handler, type KnownNotes, quiet, record, refuse } from './command.js';
import { addUp } from './redact-fields.js';
import { type Refusal, supersedeCycle } from './refusals.js';
import { findCycle } from './revert.js';
import { isAt, type UndoOutcome, undoEffect } from './undo-effect.js';

export type UndoEvent = {
  readonly kind: 'undo';
  readonly event: {
    readonly id: string;
    readonly kind: string;
    readonly subject: string;
    readonly project?: string | undefined;
    /** The value of the event's own `Move` trailer. */
    readonly move?: string | undefined;
  };
  readonly journal: JournalName;
  readonly commit: string;
  readonly notes: readonly NoteId[];
  /** Those of them that an earlier undo has already restored. */
  readonly done: readonly NoteId[];
};

/**
 * Quiet when nothing differs from before the event, or an earlier undo restored it. Later changes are merged in, and
 * win where both set a value. What can't be restored stays: among others with a warning, alone as a refusal.
 */
const decideUndo: Decide<UndoEvent> = ({ event, done }, notes) => {
  if (event.kind === 'notes.purged') return refuse(purgeStays(event.id));
  const effects = notes.effectsOf(event.id);
  const isDone = new Set(done);
  const open = effects.notes.filter(({ id }) => !isDone.has(id));
  const { id } = event;
  if (effects.joins) return refuse(joinsMachines(id));
  const scope = crossedTo(event, effects);
  if (scope !== undefined) return refuse(movedAcross(id, effects.notes[0]?.id ?? 'NOTE', scope));
  const undone = refuseCycles(
    open.map((effect) => undoEffect(id, effect, notes.find(effect.id))),
    notes,
  );
  const changed = undone.filter((one) => one.kind === 'changed');
  const stays = undone.filter((one) => one.kind === 'stays');
  const broughtBack = new Set(changed.flatMap(({ changes }) => changes.map(({ path }) => path)));
  const warnings = [
    ...effects.unreadable.flatMap((path) =>
      broughtBack.has(path) ? [] : `${path} stays as it is: it was not a readable note before or after that event`,
    ),
    ...stays.map(({ id, refusal }) => `note ${id} stays as it is: ${refusal.message}`),
    ...changed.flatMap(({ id, kept }) =>
      kept.length === 0 ? [] : [`${kept.join(', ')} of note ${id} changed again since and stays as it is`],
    ),
  ];
  const [only, ...others] = changed;
  if (only === undefined) {
    if (stays[0] !== undefined) return refuse(stays[0].refusal);
    const isDoneAlready = open.length === 0 && effects.notes.length > 0;
    return quiet(undefined, isDoneAlready ? [`event ${event.id} was undone already`] : warnings);
  }
  const changes = changed.flatMap((one) => one.changes);
  const written = changes.filter(({ bytes }) => bytes !== undefined);
  // One note may return to a path that another one leaves.
  const removed = changes.filter((one) => one.bytes === undefined && !written.some((other) => isAt(other, one)));
  return record(
    {
      kind: 'event.undone',
      subject: `${event.kind}: ${event.subject}`,
      notes: changed.map(({ id }) => id),
      project: event.project,
      undoes: event.id,
    },
    [...written, ...removed],
    others.length === 0 && only.after !== undefined ? only.id : undefined,
    { masked: addUp(changed.flatMap(({ masked }) => masked)), warnings },
  );
};

export const undoHandler: Handler<UndoEvent> = {
  touches: ({ notes }) => notes,
  decide: decideUndo,
  noteOf: () => undefined,
};

/** A note that would come to supersede one that supersedes it stays as it is. */
const refuseCycles = (undone: readonly UndoOutcome[], notes: KnownNotes): readonly UndoOutcome[] => {
  const planned = new Map(
    undone.flatMap((one) => (one.kind === 'changed' ? [[one.id, one.after?.supersedes ?? []] as const] : [])),
  );
  return undone.map((one) => {
    if (one.kind !== 'changed') return one;
    const there = one.now?.supersedes ?? [];
    const added = one.after?.supersedes.filter((id) => !there.includes(id)) ?? [];
    const cyclic = findCycle(notes, one.id, added, planned);
    return cyclic === undefined ? one : { kind: 'stays', id: one.id, refusal: supersedeCycle(cyclic, one.id) };
  });
};

/** The scope to which an old event moved notes, in versions that let a note change its journal. */
const crossedTo = ({ kind, move }: UndoEvent['event'], { notes }: EventEffects): Scope | undefined => {
  const from = move === undefined ? undefined : parseMove(move)?.journal;
  if (from !== undefined) return otherScope(scopeOf(from));
  const moved = kind === 'note.moved' ? notes.find(({ before, after }) => !(before && after)) : undefined;
  if (moved?.after !== undefined) return scopeOf(moved.after.place.journal);
  return moved?.before === undefined ? undefined : otherScope(scopeOf(moved.before.place.journal));
};

export const otherScope = (scope: Scope): Scope => (scope === 'portable' ? 'machine-local' : 'portable');

/** `id` is the note that the move left, and `scope` where that is. */
export const movedAcross = (eventId: string, id: NoteId, scope: Scope): Refusal => ({
  code: 'moved-across',
  message: `event ${eventId} made note ${id} ${scope}, and that is not taken back by an undo`,
  next: `move it back: anamnesis move ${id} --scope ${otherScope(scope)}`,
});

const joinsMachines = (eventId: string): Refusal => ({
  code: 'event-joins',
  message: `event ${eventId} joins what two machines did, so there is no single change to take back`,
  next: 'bring older texts back note by note: anamnesis restore NOTE --at POINT',
});

const purgeStays = (eventId: string): Refusal => ({
  code: 'purge-stays',
  message: `event ${eventId} is a purge, and what it purged no longer exists`,
  next: 'undo another event by its id (anamnesis log shows them), or restore a backup',
});
