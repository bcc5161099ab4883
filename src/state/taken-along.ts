/**
 * Which text of an edited portable file a move takes along to the local journal. It is noted before the move is recorded:
 * killed after that, the note has the text, and the file may go. Of a move that was never recorded it says nothing.
 */
import type { BlobId } from '../events/note/note.js';
import type { State } from './state.js';

const fact = 'taken-along';

export type TakenAlong = ReadonlyMap<string, BlobId>;

/** By portable path. */
export const keepTakenAlong = (state: State, eventId: string, files: TakenAlong): void => {
  if (files.size > 0) state.setFact(fact, JSON.stringify([eventId, ...files]));
};

/** `isRecorded` tells whether the local journal has an event. */
export const readTakenAlong = (state: State, isRecorded: (eventId: string) => boolean): TakenAlong => {
  const text = state.fact(fact) ?? '';
  // Before it named the event it was one line, and nothing tells whether that move was recorded.
  if (!text.startsWith('[')) return new Map();
  const [eventId, ...files]: readonly [string, ...(readonly [string, BlobId])[]] = JSON.parse(text);
  return new Map(isRecorded(eventId) ? files : []);
};

/** Once the files are gone: saved again they are a person's own. */
export const forgetTakenAlong = (state: State): void => {
  if ((state.fact(fact) ?? '') !== '') state.setFact(fact, '');
};
