/**
 * Notes which edited portable files a move takes along to the local journal, before the move is recorded. If the
 * process is killed after that, the note has the text, and the file may be removed. For a move that was never recorded,
 * the fact is ignored.
 */
import type { BlobId } from '../events/note/note.js';
import type { State } from './state.js';

const fact = 'taken-along';

export type MovedFiles = ReadonlyMap<string, BlobId>;

/** `files` are versions by portable path. */
export const keepMovedEdits = (state: State, eventId: string, files: MovedFiles): void => {
  if (files.size > 0) state.setFact(fact, JSON.stringify([eventId, ...files]));
};

/** `isRecorded` is true for an event that the local journal has. */
export const readMovedEdits = (state: State, isRecorded: (eventId: string) => boolean): MovedFiles => {
  const text = state.fact(fact) ?? '';
  // Older versions wrote one line without the event, and nothing tells whether that move was recorded.
  if (!text.startsWith('[')) return new Map();
  const [eventId, ...files]: readonly [string, ...(readonly [string, BlobId])[]] = JSON.parse(text);
  return new Map(isRecorded(eventId) ? files : []);
};

/** Called once the files are gone: if they are saved again, they are a person's own. */
export const forgetMovedEdits = (state: State): void => {
  if ((state.fact(fact) ?? '') !== '') state.setFact(fact, '');
};
