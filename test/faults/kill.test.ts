import { beforeAll, describe, expect, it } from 'vitest';
import { bundleChild } from '../support/children.js';
import { byLength, isLong } from '../support/run-length.js';
import { type KillCounts, newCounts, runStore } from './support/kill-run.js';
import { reportLine } from './support/report.js';

/** With seed 9 the first store shares a remote with another machine and the second has none. */
const seed = Number(process.env['SEED'] ?? 9);
const kills = Number(process.env['KILLS'] ?? byLength(5, 40, 2000));
const killsPerStore = Math.min(kills, byLength(5, 20, 100));
/** Stores run at the same time: one for each core of a small machine. */
const lanes = byLength(1, 2, 2);

describe('a process killed before, during or after any side effect', () => {
  let program = '';
  beforeAll(async () => {
    program = await bundleChild('killed-writer');
  });

  it(`loses no acknowledged write, leaves no half-written note, and the next command succeeds (${kills} kills, SEED=${seed})`, async () => {
    const counts = newCounts();
    const seeds = Array.from({ length: Math.ceil(kills / killsPerStore) }, (_, at) => seed + at);
    const problems: string[] = [];
    const startedMs = performance.now();
    const work = async (): Promise<void> => {
      for (let next = seeds.shift(); next !== undefined; next = seeds.shift()) {
        const run = { program, seed: next, kills: killsPerStore, checkEvery: 15, counts };
        await runStore(run).catch((error: unknown) => {
          problems.push(String(error));
          // A long run reports it when it happens, not an hour later.
          console.error(`SEED=${run.seed} KILLS=${killsPerStore}: ${String(error)}`);
        });
      }
    };
    await Promise.all(Array.from({ length: lanes }, work));
    report(counts, problems.length, Math.round((performance.now() - startedMs) / 1000));
    expect(problems).toEqual([]);
    expect(counts.kills).toBeGreaterThanOrEqual(kills);
  }, 7_200_000);
});

/** Writes the summary line for `npm run test:long`; a long run also prints how often each command was killed. */
const report = (
  { kills: all, byKind, byPoint, fromOutside, beside, commands }: KillCounts,
  failed: number,
  seconds: number,
) => {
  const points = `${byPoint.size} different points, ${fromOutside} at any moment from outside, ${beside} beside another writer`;
  const lost = failed === 0 ? 'nothing lost' : `${failed} stores FAILED`;
  const line = `kills: ${all} (${points}), ${commands} commands acknowledged, ${lost}, ${seconds} s, seed ${seed}`;
  reportLine(line);
  if (isLong) console.log(line, byKind, byPoint);
};
