/** Searches for every case of a set in the pool of threads. */
import { join } from 'node:path';
import { Fault } from '../events/faults.js';
import type { Timings } from '../projections/eval/bench-report.js';
import { percentile } from '../projections/eval/metrics.js';
import { currentGeneration } from '../projections/generation.js';
import type { Memory } from '../store/memory.js';
import type { EvalHow } from '../workers/eval-cases.js';
import type { Pool } from '../workers/pool.js';

export type FoundCase = { readonly ranked: readonly string[]; readonly ms: number };

/** The number of notes that are looked at of each case. */
const depth = 10;
const batchSize = 100;

export const searchAll = async (
  pool: Pool,
  indexFile: string,
  cases: readonly { readonly query: string; readonly project?: string | undefined }[],
  how: EvalHow,
): Promise<readonly FoundCase[]> => {
  const nowSeconds = Math.floor(Date.now() / 1000);
  // Each batch reads all notes where there is no index.
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
