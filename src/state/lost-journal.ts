/** `local/` was there and is gone: removed, or on a disk that is not mounted. A new, empty one takes its place without a word. */
import { journalFolder } from '../events/note/note.js';
import type { State } from './state.js';

const fact = 'lost-local';
const folder = `${journalFolder.local}/`;

/** Before a new one is made: the commit that the old one was at, if it had notes. */
export const noteLostLocal = (state: State): void => {
  const last = state.checkout('local');
  if (last === undefined) return;
  state.setFact(fact, last);
  state.forgetCheckout('local');
};

/** The old folder lies where the new one lay, of whose commits it knows nothing. */
export const takeBackLocal = (state: State): void => {
  state.forgetCheckout('local');
  forgetLostLocal(state);
};

/** The last commit known of it; undefined where none is missed. */
export const readLostLocal = (state: State): string | undefined => state.fact(fact) || undefined;

/** A person says that its notes are gone for good. False where none is missed. */
export const forgetLostLocal = (state: State): boolean => {
  if (readLostLocal(state) === undefined) return false;
  state.setFact(fact, '');
  return true;
};

export const lostLocal = {
  message: `${folder} with the machine-local notes is gone, and a new one took its place`,
  next: `move the new ${folder} away, put the old one back (mount its disk, or take it from a backup), and bring in what was written meanwhile, which stays here: anamnesis import FOLDER (the one moved away); if its notes are gone for good, run: anamnesis adopt --lost-local`,
  left: `it is new, and only the old ${folder}, which is gone, could tell whether it is machine-local: put that back, or move this file away`,
} as const;
