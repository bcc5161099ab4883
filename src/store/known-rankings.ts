/**
 * The rankings of the last questions, for a process that lives on: agents ask the same again within a session. One holds for the
 * index that it was taken from, until the next note expires, and for whoever asks with the same options and the same access.
 */
import type Database from 'better-sqlite3';
import { reflectedBy } from '../projections/index/note-versions.js';
import { nextExpiry } from '../projections/index/rows.js';
import type { Searched } from './searching.js';

export type KnownRankings = {
  /** `key` says all that the ranking depends on beside the index and the moment. */
  rank(database: Database.Database, key: string, nowSeconds: number, run: () => Searched): Searched;
};

const most = 64;

export const openKnownRankings = (): KnownRankings => {
  const known = new Map<string, { readonly found: Searched; readonly untilSeconds: number }>();
  let reflects: string | undefined;
  return {
    rank(database, key, nowSeconds, run) {
      const now = reflectedBy(database);
      // Rankings of an earlier index are dropped at once: their notes may have been purged.
      if (now !== reflects) known.clear();
      reflects = now;
      const before = known.get(key);
      known.delete(key);
      const isGood = before !== undefined && nowSeconds < before.untilSeconds;
      const entry = isGood ? before : { found: run(), untilSeconds: nextExpiry(database, nowSeconds) };
      // `after:7d` means something else tomorrow.
      if (entry.found.about.read_as === undefined) known.set(key, entry);
      const [oldest] = known.keys();
      if (known.size > most && oldest !== undefined) known.delete(oldest);
      return entry.found;
    },
  };
};
