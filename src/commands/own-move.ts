/**
 * The move out of the machine-local journal that this machine is carrying out. A `Move` trailer in the portable journal is
 * anybody's claim; only what stands here makes settling finish one by removing a machine-local file.
 */
import type { State } from '../events/state.js';

const fact = 'own-move';

/** Before the destination is committed: `eventId` is the event that stands there. */
export const beginMove = (state: State, eventId: string): void => state.setFact(fact, eventId);

/** After the source is committed, or when nothing of it is left to do. */
export const endMove = (state: State): void => {
  if (unfinishedMove(state) !== undefined) state.setFact(fact, '');
};

/** Undefined when none was begun, or the last one is done. */
export const unfinishedMove = (state: State): string | undefined => {
  const eventId = state.fact(fact);
  return eventId === '' ? undefined : eventId;
};
