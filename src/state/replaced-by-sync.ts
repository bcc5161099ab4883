/**
 * Remembers versions that a sync replaced with what it brought or merged. If our commits were appended again, no
 * history has them any longer, while an editor may still have one open.
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
/** As many as the files that a person may have open, some changed by many syncs meanwhile; a fact of some 30 kB. */
const maxKept = 200;
/** A note that is edited all day elsewhere doesn't push out the others. */
const maxOfPath = 20;

type Kept = readonly (readonly [path: string, before: BlobId, after: BlobId])[];

/** Returns them newest first. */
export const readReplaced = (state: State): readonly Replaced[] => {
  const kept: Kept = JSON.parse(state.fact(fact) || '[]');
  return kept.map(([path, before, after]) => ({ path, before, after }));
};

/** A version that is replaced again is kept once, with the version that replaced it last. */
export const keepReplaced = (state: State, replaced: readonly Replaced[]): void => {
  if (replaced.length === 0) return;
  const kept = new Map<string, Replaced>();
  const countOf = new Map<string, number>();
  for (const one of [...replaced.toReversed(), ...readReplaced(state)]) {
    const key = `${one.before} ${one.path}`;
    const count = countOf.get(one.path) ?? 0;
    if (kept.size === maxKept) break;
    if (kept.has(key) || count === maxOfPath) continue;
    kept.set(key, one);
    countOf.set(one.path, count + 1);
  }
  state.setFact(fact, JSON.stringify([...kept.values()].map(({ path, before, after }) => [path, before, after])));
};

/** Returns the versions of a path that syncs replaced with one of these, directly or in several steps. */
export const findReplacedBy = (versions: Iterable<BlobId>, replaced: readonly Replaced[]): readonly BlobId[] => {
  const reached = new Set(versions);
  const found = new Set<BlobId>();
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { before, after } of replaced) {
      if (!reached.has(after)) continue;
      reached.add(before);
      found.add(before);
    }
  }
  return [...found];
};
