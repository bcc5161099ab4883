/** SHA-256 of the projections' canonical dump: equal digests mean equal views, however they were built. */

import { createHash, type Hash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { type JournalName, journalNames } from '../events/note/note.js';
import { eventHistory } from './history/event-history.js';
import { noteIndex } from './index/note-index.js';
import type { Projection } from './projection.js';
import { projections } from './registry.js';

export type Digests = {
  /** Covers index and history of the portable journal: equal on all machines that share its head. */
  readonly digest: string;
  /** Covers the same of the local journal. */
  readonly localDigest: string;
  /** One for each projection, by name, over both journals. */
  readonly projections: Readonly<Record<string, string>>;
};

export type AllDigests = Digests & {
  /** Covers what index and history derive from both journals together: visibility, tags and the full-text terms. */
  readonly sharedDigest: string;
};

/** Those that `digest`, `localDigest` and `sharedDigest` cover: fixed, so that machines and backups compare. */
const founding: readonly Projection[] = [noteIndex, eventHistory];
const others = projections.filter((projection) => !founding.includes(projection));

/** Version of what those digests cover: where it is equal, equal journals give equal digests. */
export const digestVersion = founding.reduce((sum, { version }) => sum + version, 0);

export const digestsOf = (database: Database.Database): Digests => {
  const digests = foundingDigestsOf(database);
  return { ...digests, projections: { ...digests.projections, ...otherDigestsOf(database) } };
};

/** Like `digestsOf`, without the other projections. */
export const foundingDigestsOf = (database: Database.Database): Digests => {
  const ofJournal = { portable: createHash('sha256'), local: createHash('sha256') };
  const ofProjection = founding.map(({ name, digest }) => {
    const own = createHash('sha256');
    for (const journal of journalNames) {
      const hashes = [own, ofJournal[journal]];
      for (const query of digest.perJournal) updateAll(hashes, rowsOf(database, query, [journal]));
    }
    return [name, own.digest('hex')];
  });
  return {
    digest: ofJournal.portable.digest('hex'),
    localDigest: ofJournal.local.digest('hex'),
    projections: Object.fromEntries(ofProjection),
  };
};

/** Digests of the projections that `digest` and `localDigest` leave out, by name. */
export const otherDigestsOf = (database: Database.Database): Digests['projections'] =>
  Object.fromEntries(
    others.map(({ name, digest }) => {
      const own = createHash('sha256');
      for (const journal of journalNames)
        for (const query of digest.perJournal) updateAll([own], rowsOf(database, query, [journal]));
      for (const query of digest.shared) updateAll([own], rowsOf(database, query, []));
      return [name, own.digest('hex')];
    }),
  );

/** Costs a pass over all full-text terms. */
export const allDigestsOf = (database: Database.Database): AllDigests => {
  const shared = createHash('sha256');
  for (const { digest } of founding)
    for (const query of digest.shared) updateAll([shared], rowsOf(database, query, []));
  return { ...digestsOf(database), sharedDigest: shared.digest('hex') };
};

/** The digests that other versions of the program compute, too: the ones that a backup stores. */
export const comparableDigestsOf = (database: Database.Database): Omit<AllDigests, 'projections'> => {
  const { digest, localDigest, sharedDigest } = allDigestsOf(database);
  return { digest, localDigest, sharedDigest };
};

/** Names of the digests that differ; a projection covered by the first three is not named by itself. */
export const differingDigests = (one: AllDigests, other: AllDigests): readonly string[] => [
  ...(['digest', 'localDigest', 'sharedDigest'] as const).filter((key) => one[key] !== other[key]),
  ...others.map(({ name }) => name).filter((name) => one.projections[name] !== other.projections[name]),
];

const rowsOf = (database: Database.Database, query: string, args: readonly JournalName[]): Iterable<unknown> =>
  database
    .prepare(query)
    .pluck()
    .iterate(...args);

const rowsPerUpdate = 512;

const updateAll = (hashes: readonly Hash[], rows: Iterable<unknown>): void => {
  const update = (text: string | Uint8Array): void => {
    for (const hash of hashes) hash.update(text);
  };
  let part: unknown[] = [];
  for (const row of rows) {
    if (row instanceof Uint8Array) {
      update(row);
      continue;
    }
    part.push(row);
    if (part.length === rowsPerUpdate) {
      update(`${part.join('\n')}\n`);
      part = [];
    }
  }
  update(`${part.join('\n')}\n\0`);
};
