/** One run of several machines: a seeded series of steps, and what is wrong at its end. */

import { performStep } from './machines-commands.js';
import { endTroubles, workingTroubles } from './machines-end.js';
import { type Fleet, type FleetOptions, maxSkewMs, openFleet, Trouble } from './machines-fleet.js';
import {
  adoptStep,
  foreignCommitStep,
  foreignMergeStep,
  foreignPullStep,
  foreignPushStep,
  handDeleteStep,
  handEditStep,
  importStep,
} from './machines-hand.js';
import { isKind, type Kind, takeKind } from './machines-kinds.js';
import { childStep, switchRemote, syncAndWriteStep, syncStep, syncTogetherStep } from './machines-sync.js';

const weights = {
  command: 44,
  'same note': 5,
  'hand edit': 8,
  'hand deletion': 1,
  adopt: 2,
  import: 2,
  sync: 18,
  'sync together': 1.5,
  'sync and write': 3,
  process: 7,
  'remote away': 1.5,
  clock: 2,
  'foreign commit': 2,
  'foreign merge': 1,
  'foreign pull': 1,
  'foreign push': 1.5,
} as const;

/** The weight of all further kinds together. */
const kindsWeight = 40;

const maxAwaySteps = 12;

export type RunResult = { readonly troubles: readonly string[]; readonly lines: readonly string[] };

export type RunOptions = FleetOptions & {
  readonly steps: number;
  /** Further kinds of step, by people and strangers; empty for only the steps above. */
  readonly kinds: readonly Kind[];
  /** Takes the kinds in turn, each after two other steps, so that a short run has them all. */
  readonly inTurn?: boolean | undefined;
};

export const runMachines = async (options: RunOptions): Promise<RunResult> => {
  const fleet = await openFleet(options);
  const { kinds, inTurn = false } = options;
  const table: Readonly<Record<string, number>> = {
    ...weights,
    ...(inTurn ? {} : Object.fromEntries(kinds.map((kind) => [kind, kindsWeight / kinds.length]))),
  };
  const nextName = (): string =>
    (inTurn && fleet.step % 3 === 0 ? kinds[(fleet.step / 3 - 1) % kinds.length] : undefined) ??
    fleet.random.weighted(table);
  try {
    let backAt = 0;
    for (fleet.step = 1; fleet.step <= options.steps; fleet.step += 1) {
      fleet.clockMs += 1_000 + fleet.random.below(600_000);
      if (!fleet.isReachable && fleet.step >= backAt) switchRemote(fleet, true);
      const name = nextName();
      if (name === 'remote away') {
        backAt = fleet.step + 1 + fleet.random.below(maxAwaySteps);
        switchRemote(fleet, false);
      } else if (isKind(name)) await takeKind(fleet, fleet.random.pick(fleet.machines), name);
      else await takeStep(fleet, name);
      if (process.env['CLOSELY'] === '1') await lookClosely(fleet);
    }
    return { troubles: await endTroubles(fleet), lines: fleet.lines };
  } catch (error) {
    const said =
      error instanceof Trouble
        ? error.message
        : `step ${fleet.step}: ${error instanceof Error ? error.stack : String(error)}`;
    return { troubles: [said], lines: fleet.lines };
  } finally {
    for (const { memory } of fleet.machines) await memory.finish().catch(() => undefined);
    if (process.env['KEEP'] === undefined) fleet.remove();
  }
};

/** Slow, but finds the step at which something went wrong. */
const lookClosely = async (fleet: Fleet): Promise<void> => {
  for (const machine of fleet.machines) {
    const [trouble] = await workingTroubles(machine);
    if (trouble !== undefined) fleet.fail(trouble);
  }
};

const takeStep = async (fleet: Fleet, name: string): Promise<void> => {
  const { random } = fleet;
  const machine = random.pick(fleet.machines);
  switch (name) {
    case 'command':
      await performStep(fleet, machine);
      return;
    case 'same note':
      // Each machine separately, from what all of them know.
      if (fleet.isReachable) for (const one of fleet.machines) await syncStep(fleet, one);
      for (const one of fleet.machines) await performStep(fleet, one);
      return;
    case 'hand edit':
      return handEditStep(fleet, machine);
    case 'hand deletion':
      return handDeleteStep(fleet, machine);
    case 'adopt':
      return adoptStep(fleet, machine);
    case 'import':
      return importStep(fleet, machine);
    case 'sync':
      return syncStep(fleet, machine);
    case 'sync together':
      return syncTogetherStep(fleet);
    case 'sync and write':
      return syncAndWriteStep(fleet, machine);
    case 'process':
      return childStep(fleet, machine);
    case 'clock':
      machine.skewMs = Math.round((random.below(2001) / 1000 - 1) * maxSkewMs);
      return;
    case 'foreign commit':
      return foreignCommitStep(fleet, machine);
    case 'foreign merge':
      return foreignMergeStep(fleet, machine, async () => {
        await performStep(fleet, machine);
      });
    case 'foreign pull':
      return fleet.isReachable ? foreignPullStep(fleet, machine) : undefined;
    case 'foreign push':
      return foreignPushStep(fleet);
  }
};
