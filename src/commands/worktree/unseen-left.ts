/**
 * Unseen versions whose files can't be parsed yet. Nothing can be merged until they can, and by then the commit that took a
 * version's place lies before the checkpoint.
 */
import type { GitJournal } from '../../events/git/git-journal.js';
import type { Unseen } from './unseen-versions.js';
import type { Store } from './write-store.js';

type Kept = readonly (readonly [path: string, base: string | null, version: string | null, after: string | null])[];

const factOf = (journal: GitJournal): string => `unseen-${journal.name}`;

/** As of the checkpoint: commits that a person made since have yet to be followed. */
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
