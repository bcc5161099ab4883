/** The facts in `state.db` about an unfinished purge: never the text itself. */

import type { State } from '../state/state.js';
import { formatRecords, type PurgeRecord, parseRecords } from './rule/record.js';

export type UnfinishedPurge = {
  readonly at: string;
  /** `note <id>`, `a literal` or `a pattern`; undefined for purges of other machines that were followed. */
  readonly what: string | undefined;
  /** Ids of the purges that were followed. */
  readonly followed: readonly string[];
  /** Their proven part: fingerprints and ids of notes. */
  readonly records?: readonly PurgeRecord[] | undefined;
};

const fact = 'purge';

export const beginPurge = (state: State, purge: UnfinishedPurge): void =>
  state.setFact(fact, JSON.stringify({ ...purge, records: purge.records && formatRecords(purge.records) }));

export const endPurge = (state: State): void => state.setFact(fact, '');

export const readUnfinished = (state: State): UnfinishedPurge | undefined => {
  const text = state.fact(fact);
  if (text === undefined || text === '') return undefined;
  try {
    const { at, what, followed, records }: Readonly<Record<string, unknown>> = { ...JSON.parse(text) };
    return {
      at: String(at),
      what: typeof what === 'string' ? what : undefined,
      followed: Array.isArray(followed) ? followed.map(String) : [],
      records: typeof records === 'string' ? parseRecords(records) : undefined,
    };
  } catch {
    return undefined;
  }
};
