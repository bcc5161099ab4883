/** The state of syncing, kept in `state.db`: the last exchange and any current trouble. */
import type { State } from './state.js';

export type LastSync = { readonly at: string; readonly head: string | null; readonly detail: string };

export type SyncTrouble = {
  readonly code: string;
  readonly message: string;
  readonly next: string;
  /** When it began (`since`), and when it last occurred (`at`). */
  readonly since: string;
  readonly at: string;
  /** Number of attempts that failed in a row. */
  readonly failures: number;
  /** When background sync tries again, in epoch milliseconds; a person may sync at any time. */
  readonly nextAtMs: number;
};

const lastFact = 'sync:last';
const troubleFact = 'sync:trouble';

export const readLastSync = (state: State): LastSync | undefined => parse<LastSync>(state.fact(lastFact), 'at');
export const readTrouble = (state: State): SyncTrouble | undefined =>
  parse<SyncTrouble>(state.fact(troubleFact), 'code');

export const writeLastSync = (state: State, last: LastSync): void => {
  state.setFact(lastFact, JSON.stringify(last));
  if (readTrouble(state) !== undefined) state.setFact(troubleFact, '');
};

export const forgetSync = (state: State): void => {
  state.setFact(lastFact, '');
  state.setFact(troubleFact, '');
};

const firstPauseMs = 30_000;
const longestPauseMs = 3_600_000;

/** Each failure doubles the pause, up to an hour; a fifth of it is random, so that machines don't retry together. */
export const writeTrouble = (
  state: State,
  { code, message, next }: Pick<SyncTrouble, 'code' | 'message' | 'next'>,
  nowMs: number,
  at: string,
): void => {
  const before = readTrouble(state);
  const failures = (before?.failures ?? 0) + 1;
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 10));
  const nextAtMs = Math.round(nowMs + pauseMs * (0.9 + Math.random() * 0.2));
  const since = before?.code === code ? before.since : at;
  state.setFact(troubleFact, JSON.stringify({ code, message, next, since, at, failures, nextAtMs }));
};

/** A fact in another format counts as missing: a newer version may have written it. */
const parse = <Fact extends object>(text: string | undefined, key: string & keyof Fact): Fact | undefined => {
  if (text === undefined || text === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && key in value ? (value as Fact) : undefined;
  } catch {
    return undefined;
  }
};
