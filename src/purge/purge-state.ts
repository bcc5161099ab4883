/** The facts in `state.db` about a purge under way: never the text itself. */

import type { State } from '../state/state.js';

export type UnfinishedPurge = {
  readonly at: string;
  /** `note <id>`, `a literal` or `a pattern`. */
  readonly what: string;
  /** The head that may be on the remote already, though it is not ours yet. */
  readonly pushed?: string | undefined;
};

const fact = 'purge';

export const beginPurge = (state: State, purge: UnfinishedPurge): void => state.setFact(fact, JSON.stringify(purge));

export const endPurge = (state: State): void => state.setFact(fact, '');

export const readUnfinished = (state: State): UnfinishedPurge | undefined => {
  const text = state.fact(fact);
  if (text === undefined || text === '') return undefined;
  try {
    const { at, what, pushed }: Readonly<Record<string, unknown>> = { ...JSON.parse(text) };
    // One without `what` followed another machine's purge, in a version that did so.
    if (typeof what !== 'string') return undefined;
    return { at: String(at), what, pushed: typeof pushed === 'string' ? pushed : undefined };
  } catch {
    return undefined;
  }
};

const unpublishedFact = 'purge:unpublished';

/** Sets the remote's head that the purged history is to replace there; undefined once it has. */
export const setUnpublished = (state: State, head: string | undefined): void =>
  state.setFact(unpublishedFact, head ?? '');

export const readUnpublished = (state: State): string | undefined => state.fact(unpublishedFact) || undefined;
