/**
 * Randomised: several stores on one remote, and whatever can happen to them. A failure is repeated with
 * SEED=… STEPS=… MACHINES=… npx vitest run test/faults/machines.test.ts; KEEP=1 leaves the stores
 * where they are, CLOSELY=1 looks after each step.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleChild } from '../support/children.js';
import { temporaryFolder } from '../support/store.js';
import { runMachines } from './support/machines-run.js';
import { reportLine } from './support/report.js';

const given = (name: string): number | undefined => {
  const text = process.env[name];
  return text === undefined || text === '' ? undefined : Number(text);
};
const isLong = process.env['ANAMNESIS_TEST_FAULTS'] === '1';

type Run = { readonly seed: number; readonly machines: number; readonly steps: number };
const longRuns: readonly Run[] = [2, 3, 4, 5, 6].map((machines) => ({ seed: 100 + machines, machines, steps: 1000 }));
const shortRuns: readonly Run[] = [{ seed: 1, machines: 3, steps: 120 }];
const seed = given('SEED');
const runs =
  seed === undefined
    ? isLong
      ? longRuns
      : shortRuns
    : [{ seed, machines: given('MACHINES') ?? 2 + (seed % 5), steps: given('STEPS') ?? 120 }];

describe('many machines on one remote', () => {
  let child = '';
  beforeAll(async () => {
    child = await bundleChild('killed-machine');
  });

  it.each(runs)(
    'are alike at the end and lose nothing: seed $seed, $machines machines, $steps steps',
    async (run) => {
      const sinceMs = performance.now();
      const { troubles, lines } = await runMachines({ ...run, child });
      const seconds = ((performance.now() - sinceMs) / 1000).toFixed(0);
      const ended = troubles.length === 0 ? 'equal, nothing lost' : `FAILED: ${troubles.length} troubles`;
      reportLine(`machines: ${run.machines}, ${run.steps} steps, ${ended}, ${seconds} s, seed ${run.seed}`);
      if (troubles.length > 0) {
        const file = join(temporaryFolder(), 'steps.log');
        writeFileSync(file, `${lines.join('\n')}\n`);
        const again = `SEED=${run.seed} STEPS=${run.steps} MACHINES=${run.machines}`;
        console.error(
          `${again}\n${troubles.join('\n')}\nall steps: ${file}\nthe last ones:\n${lines.slice(-40).join('\n')}`,
        );
      }
      expect(troubles).toEqual([]);
    },
    1_800_000,
  );
});
