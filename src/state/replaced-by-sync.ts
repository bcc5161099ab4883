/**
 * Versions in whose place a sync put what it brought or merged. Where our commits were appended again these stand in no
 * history any more, while an editor may still have one of them open.
 */
import type { BlobId } from '../events/note/note.js';
import type { State } from './state.js';

export type Replaced = {
  readonly path: string;
  readonly before: BlobId;
  /** The version that took its place. */
  readonly after: BlobId;
};

const fact = 'replaced-by-sync';
/** As many files as a person may have open; a fact of some 15 kB. */
const maxKept = 100;

type Kept = readonly (readonly [path: string, before: BlobId, after: BlobId])[];

/** The newest first. */
export const readReplaced = (state: State): readonly Replaced[] => {
  const kept: Kept = JSON.parse(state.fact(fact) || '[]');
  return kept.map(([path, before, after]) => ({ path, before, after }));
};

export const keepReplaced = (state: State, replaced: readonly Replaced[]): void => {
  if (replaced.length === 0) return;
  const paths = new Set(replaced.map(({ path }) => path));
  const kept = [...replaced.toReversed(), ...readReplaced(state).filter(({ path }) => !paths.has(path))];
  state.setFact(fact, JSON.stringify(kept.slice(0, maxKept).map(({ path, before, after }) => [path, before, after])));
};
