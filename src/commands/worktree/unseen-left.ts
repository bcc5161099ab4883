/**
 * Versions that a person's commit took the place of, of files that can't be read yet: until they can, nothing can be merged,
 * and by then git's log of HEAD tells nothing of that commit any more.
 */
import type { GitJournal } from '../../events/git/git-journal.js';
import type { Unseen } from './persons-commits.js';
import type { Store } from './write-store.js';

type Kept = readonly (readonly [path: string, base: string | null, version: string | null, after: string | null])[];

const factOf = (journal: GitJournal): string => `unseen-${journal.name}`;

/** As of the checkpoint: what a person has committed since is to be followed. */
export const readUnseenLeft = (store: Store, journal: GitJournal): ReadonlyMap<string, Unseen> => {
  const kept: Kept = JSON.parse(store.state.fact(factOf(journal)) || '[]');
  return new Map(
    kept.map(([path, base, version, after]) => [
      path,
      { base: base ?? undefined, version: version ?? undefined, after: after ?? undefined },
    ]),
  );
};

export const keepUnseenLeft = (store: Store, journal: GitJournal, unseen: ReadonlyMap<string, Unseen>): void => {
  const kept: Kept = [...unseen].map(([path, { base, version, after }]) => [
    path,
    base ?? null,
    version ?? null,
    after ?? null,
  ]);
  const fact = kept.length === 0 ? '' : JSON.stringify(kept);
  if (fact !== (store.state.fact(factOf(journal)) ?? '')) store.state.setFact(factOf(journal), fact);
};
