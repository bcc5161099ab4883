/** SHA-256 of the projections' canonical dump: equal digests mean equal views, whatever way they came about. */

import { createHash, type Hash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { type JournalName, journalNames } from '../events/note/note.js';
import { eventHistory } from './history/event-history.js';
import { noteIndex } from './index/note-index.js';
import type { Projection } from './projection.js';
import { projections } from './registry.js';

export type Digests = {
  /** Of index and history in the portable journal: equal on all machines that share its head. */
  readonly digest: string;
  /** Of the same in the machine-local journal. */
  readonly localDigest: string;
  /** Of each projection by its name, over both journals. */
  readonly projections: Readonly<Record<string, string>>;
};

export type AllDigests = Digests & {
  /** Of what both journals make together in index and history: visibility, tags and the full-text terms. */
  readonly sharedDigest: string;
};

/** Those that `digest`, `localDigest` and `sharedDigest` cover for ever, so that machines and backups can be compared. */
const founding: readonly Projection[] = [noteIndex, eventHistory];

/** Of what those digests cover: the same journals give the same digests wherever this number is the same. */
export const digestVersion = founding.reduce((sum, { version }) => sum + version, 0);

export const digestsOf = (database: Database.Database): Digests => {
  const ofJournal = { portable: createHash('sha256'), local: createHash('sha256') };
  const ofProjection = new Map(projections.map(({ name }) => [name, createHash('sha256')]));
  for (const projection of projections) {
    const isFounding = founding.includes(projection);
    const own = [ofProjection.get(projection.name) ?? createHash('sha256')];
    for (const journal of journalNames) {
      const hashes = isFounding ? [...own, ofJournal[journal]] : own;
      for (const query of projection.digest.perJournal) updateAll(hashes, rowsOf(database, query, [journal]));
    }
    if (!isFounding) for (const query of projection.digest.shared) updateAll(own, rowsOf(database, query, []));
  }
  return {
    digest: ofJournal.portable.digest('hex'),
    localDigest: ofJournal.local.digest('hex'),
    projections: Object.fromEntries([...ofProjection].map(([name, hash]) => [name, hash.digest('hex')])),
  };
};

/** Costs a pass over all terms. */
export const allDigestsOf = (database: Database.Database): AllDigests => {
  const shared = createHash('sha256');
  for (const { digest } of founding)
    for (const query of digest.shared) updateAll([shared], rowsOf(database, query, []));
  return { ...digestsOf(database), sharedDigest: shared.digest('hex') };
};

/** Those that other versions of the program have too: what a backup holds. */
export const comparableDigestsOf = (database: Database.Database): Omit<AllDigests, 'projections'> => {
  const { digest, localDigest, sharedDigest } = allDigestsOf(database);
  return { digest, localDigest, sharedDigest };
};

/** Names of the digests that differ; a projection that the first three cover is named by them. */
export const differingDigests = (one: AllDigests, other: AllDigests): readonly string[] => [
  ...(['digest', 'localDigest', 'sharedDigest'] as const).filter((key) => one[key] !== other[key]),
  ...projections
    .filter((projection) => !founding.includes(projection))
    .map(({ name }) => name)
    .filter((name) => one.projections[name] !== other.projections[name]),
];

const rowsOf = (database: Database.Database, query: string, args: readonly JournalName[]): Iterable<unknown> =>
  database
    .prepare(query)
    .pluck()
    .iterate(...args);

const rowsPerUpdate = 512;

const updateAll = (hashes: readonly Hash[], rows: Iterable<unknown>): void => {
  const update = (text: string): void => {
    for (const hash of hashes) hash.update(text);
  };
  let part: unknown[] = [];
  for (const row of rows) {
    part.push(row);
    if (part.length === rowsPerUpdate) {
      update(`${part.join('\n')}\n`);
      part = [];
    }
  }
  update(`${part.join('\n')}\n\0`);
};
