/** Searches for every case of a set in the thread pool. */
import { join } from 'node:path';
import { Fault } from '../events/faults.js';
import type { Timings } from '../projections/eval/bench-report.js';
import { percentile } from '../projections/eval/metrics.js';
import { currentGeneration } from '../projections/generation.js';
import type { Memory } from '../store/memory.js';
import type { EvalHow } from '../workers/eval-cases.js';
import type { Pool } from '../workers/pool.js';

export type FoundCase = { readonly ranked: readonly string[]; readonly ms: number };

/** How many found notes of each case are considered. */
const depth = 10;
const batchSize = 100;

export const searchAll = async (
  pool: Pool,
  indexFile: string,
  cases: readonly { readonly query: string; readonly project?: string | undefined }[],
  how: EvalHow,
): Promise<readonly FoundCase[]> => {
  const nowSeconds = Math.floor(Date.now() / 1000);
  // Grep uses no index, so each batch would read all notes.
  const size = how.mode === 'grep' ? cases.length : batchSize;
  const batches: Promise<readonly FoundCase[]>[] = [];
  for (let at = 0; at < cases.length; at += size) {
    const part = cases.slice(at, at + size).map(({ query, project }) => ({ query, project }));
    batches.push(pool.run({ task: 'eval', indexFile, cases: part, k: depth, nowSeconds, how }));
  }
  return (await Promise.all(batches)).flat();
};

export const indexFileOf = (memory: Pick<Memory, 'settings'>): string => {
  const file = currentGeneration(join(memory.settings.home, 'index'));
  if (file === undefined) throw new Fault('store-missing', 'there is no index yet', 'run: anamnesis replay');
  return file;
};

export const timingsOf = (found: readonly FoundCase[]): Timings => {
  const ms = found.map((one) => one.ms);
  return { p50Ms: percentile(ms, 50), p95Ms: percentile(ms, 95) };
};
