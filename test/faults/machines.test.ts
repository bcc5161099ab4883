/**
 * Randomised: several stores share one remote, and anything may happen to them. To repeat a failure, run SEED=… STEPS=…
 * MACHINES=… KINDS=… npx vitest run test/faults/machines.test.ts; KEEP=1 keeps the stores, CLOSELY=1 checks them after
 * each step. KINDS lists the further kinds of step (support/machines-kinds.ts), separated by commas, or is `all` or
 * `none`; IN_TURN=1 takes them in turn. RUNS repeats a given run with the seeds that follow.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleChild } from '../support/children.js';
import { byLength } from '../support/run-length.js';
import { temporaryFolder } from '../support/store.js';
import { isKind, type Kind, kinds } from './support/machines-kinds.js';
import { runMachines } from './support/machines-run.js';
import { reportLine } from './support/report.js';

const given = (name: string): number | undefined => {
  const text = process.env[name];
  return text === undefined || text === '' ? undefined : Number(text);
};

type Run = {
  readonly seed: number;
  readonly machines: number;
  readonly steps: number;
  readonly kinds: readonly Kind[];
  readonly inTurn?: boolean;
};

const kindsNamed = (names: string): readonly Kind[] => {
  if (names === 'all') return kinds;
  const named = names.split(',').filter((name) => name !== 'none');
  const unknown = named.filter((name) => !isKind(name));
  if (unknown.length > 0) throw new Error(`KINDS does not know ${unknown.join(' ')}; it knows ${kinds.join(' ')}`);
  return named.filter(isKind);
};
const asked = process.env['KINDS'];
const machineCounts = [2, 3, 4, 5, 6];
const longRuns = (first: number): readonly Run[] => [
  ...machineCounts.map((machines) => ({ seed: first + machines, machines, steps: byLength(0, 40, 1000), kinds: [] })),
  ...machineCounts.map((machines) => ({ seed: first + 100 + machines, machines, steps: byLength(0, 30, 600), kinds })),
];
const shortRuns: readonly Run[] = [
  { seed: 1, machines: 3, steps: 60, kinds: [] },
  { seed: 2, machines: 2, steps: 3 * kinds.length, kinds, inTurn: true },
];
const seed = given('SEED');
const givenRuns = (first: number): readonly Run[] =>
  Array.from({ length: given('RUNS') ?? 1 }, (_, at) => ({
    seed: first + at,
    machines: given('MACHINES') ?? 2 + ((first + at) % 5),
    steps: given('STEPS') ?? 120,
    kinds: kindsNamed(asked ?? 'all'),
    inTurn: process.env['IN_TURN'] === '1',
  }));
/** In a long run, SEED alone repeats all runs from another first seed. */
const isWhole =
  byLength(false, true, true) &&
  ['STEPS', 'MACHINES', 'RUNS', 'KINDS'].every((name) => process.env[name] === undefined);
const runs = isWhole ? longRuns(seed ?? 100) : seed === undefined ? shortRuns : givenRuns(seed);

describe('many machines on one remote', () => {
  let child = '';
  beforeAll(async () => {
    child = await bundleChild('killed-machine');
  });

  it.each(runs)(
    'end up equal and lose nothing: seed $seed, $machines machines, $steps steps, further kinds: $kinds.length',
    async (run) => {
      const sinceMs = performance.now();
      const { troubles, lines } = await runMachines({ ...run, child });
      const seconds = ((performance.now() - sinceMs) / 1000).toFixed(0);
      const ended = troubles.length === 0 ? 'equal, nothing lost' : `FAILED: ${troubles.length} troubles`;
      reportLine(`machines: ${run.machines}, ${run.steps} steps, ${ended}, ${seconds} s, seed ${run.seed}`);
      if (troubles.length > 0) {
        const file = join(temporaryFolder(), 'steps.log');
        writeFileSync(file, `${lines.join('\n')}\n`);
        const names = run.kinds.length === kinds.length ? 'all' : run.kinds.join(',') || 'none';
        const again = `SEED=${run.seed} STEPS=${run.steps} MACHINES=${run.machines} KINDS=${names}${run.inTurn === true ? ' IN_TURN=1' : ''}`;
        console.error(
          `${again}\n${troubles.join('\n')}\nall steps: ${file}\nthe last ones:\n${lines.slice(-Number(process.env['LINES'] ?? 40)).join('\n')}`,
        );
      }
      expect(troubles).toEqual([]);
    },
    1_800_000,
  );
});
