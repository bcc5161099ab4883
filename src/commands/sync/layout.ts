/** Lays out what a sync brought, a little at a time, so that no write waits long. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { settle } from '../settle.js';
import type { Store } from '../store.js';
import { layoutFrom, layoutIsDone, pendingLayout } from './moving.js';

export type Exclusively = <Answer>(run: () => Promise<Answer>) => Promise<Answer>;

/** A write waits at most about so long for a slice. */
const sliceMs = 50;
const firstSlice = 50;
const largestSlice = 1000;

/** Answers how many paths were looked at. Killed in between, the next call begins again; what is there already is quick. */
export const layOutPending = async (store: Store, exclusively: Exclusively): Promise<number> => {
  const journal = store.journals.memory;
  const pending = pendingLayout(store);
  const head = journal.head();
  if (pending === undefined) return 0;
  const paths = head === undefined ? [] : (await journal.diff(layoutFrom(pending), head)).map(({ path }) => path);
  let size = firstSlice;
  for (let at = 0; at < paths.length; ) {
    const slice = paths.slice(at, at + size);
    const ms = await exclusively(async () => {
      const sinceMs = performance.now();
      await settle(store, 'memory', { look: slice, deletions: 'hold' });
      return performance.now() - sinceMs;
    });
    at += slice.length;
    if (ms < sliceMs / 2) size = Math.min(largestSlice, size * 2);
    else if (ms > sliceMs * 0.8) size = Math.max(10, Math.floor(size / 2));
    await nextTurn();
  }
  await exclusively(async () => {
    // The head may have moved on by a foreign commit; those paths were settled by whoever saw it.
    if (pendingLayout(store) === pending) layoutIsDone(store);
  });
  return paths.length;
};
