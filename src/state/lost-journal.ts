/** Tracks a lost `local/`: removed, or on a disk that is not mounted. A new, empty one silently takes its place. */
import { journalFolder } from '../events/note/note.js';
import type { State } from './state.js';

const fact = 'lost-local';
const folder = `${journalFolder.local}/`;

/** Called before a new one is made: notes the commit that the old one was at, if it had notes. */
export const noteLostLocal = (state: State): void => {
  const last = state.checkout('local');
  if (last === undefined) return;
  state.setFact(fact, last);
  state.forgetCheckout('local');
};

/** Called when the old folder is back: it knows nothing of the commits of the new one. */
export const takeBackLocal = (state: State): void => {
  state.forgetCheckout('local');
  forgetLostLocal(state);
};

/** The last commit known of the lost one; undefined if none is lost. */
export const readLostLocal = (state: State): string | undefined => state.fact(fact) || undefined;

/** Called when a person gives up its notes. Returns false if none is lost. */
export const forgetLostLocal = (state: State): boolean => {
  if (readLostLocal(state) === undefined) return false;
  state.setFact(fact, '');
  return true;
};

export const lostLocal = {
  message: `${folder}, which held the machine-local notes, is gone, and a new one took its place`,
  next: `move the new ${folder} away, put the old one back (mount its disk, or take it from a backup), and bring in what was written meanwhile, which stays here: anamnesis import FOLDER (the one moved away); if its notes are gone for good, run: anamnesis adopt --lost-local`,
  left: `it is new, and only the old ${folder}, which is gone, could tell whether it is machine-local: put that back, or move this file away`,
} as const;
