/**
 * Caches the rankings of recent queries in a long-lived process: agents repeat queries within a session. An entry is
 * valid for the index that it was computed from, until the next note expires, for the same options and access.
 */
import type Database from 'better-sqlite3';
import { reflectedBy } from '../projections/index/note-versions.js';
import { nextExpiry } from '../projections/index/rows.js';
import type { Searched } from './searching.js';

export type KnownRankings = {
  /** `key` covers everything that the ranking depends on besides the index and the time. */
  rank(database: Database.Database, key: string, nowSeconds: number, run: () => Searched): Searched;
};

const most = 64;

export const openKnownRankings = (): KnownRankings => {
  const known = new Map<string, { readonly found: Searched; readonly untilSeconds: number }>();
  let reflects: string | undefined;
  return {
    rank(database, key, nowSeconds, run) {
      const now = reflectedBy(database);
      // Rankings of an earlier index are dropped immediately: their notes may have been purged.
      if (now !== reflects) known.clear();
      reflects = now;
      const before = known.get(key);
      known.delete(key);
      const isGood = before !== undefined && nowSeconds < before.untilSeconds;
      const entry = isGood ? before : { found: run(), untilSeconds: nextExpiry(database, nowSeconds) };
      // `after:7d` means another day tomorrow.
      if (entry.found.about.read_as === undefined) known.set(key, entry);
      const [oldest] = known.keys();
      if (known.size > most && oldest !== undefined) known.delete(oldest);
      return entry.found;
    },
  };
};
