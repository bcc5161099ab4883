/** Syncs in this process, and processes that are killed. */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { purgeEverywhere } from '../../../src/app/purge-everywhere.js';
import { type SyncAnswer, syncStore } from '../../../src/sync/syncing.js';
import { startChild } from '../../support/children.js';
import { type Acknowledgement, acknowledge, type Planned, performStep, planCommand } from './machines-commands.js';
import { type Fleet, filesOfNote, type Machine, tokensOfNote } from './machines-fleet.js';
import { tokensIn } from './machines-ledger.js';
import { takenIn } from './machines-private.js';
import { historyOf } from './machines-texts.js';

export const syncStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { outcome, detail } = await syncOnce(fleet, machine);
  const [, why, id = ''] =
    (outcome === 'refused'
      ? /nothing was published: .* (holds a secret|note (\w+) is machine-local)/.exec(detail)
      : null) ?? [];
  const isHeldBack = why !== undefined;
  if (isHeldBack && id === '') await purgeSecrets(fleet, machine);
  else if (isHeldBack) await purgeFromMemory(fleet, machine, id);
  const last = isHeldBack ? await syncOnce(fleet, machine) : { outcome, detail };
  const wanted = fleet.isReachable ? 'synced' : 'offline';
  if (last.outcome !== wanted)
    fleet.fail(`${machine.name} sync answered ${last.outcome} instead of ${wanted}: ${last.detail}`);
  if (last.outcome === 'synced') takenIn(fleet, machine);
};

/** The way out when a person moved the file of an unpublished note to local/: what memory/ held of it goes. */
const purgeFromMemory = async ({ ledger, log }: Fleet, machine: Machine, id: string): Promise<void> => {
  const { portable } = machine.memory.journals;
  const before = tokensIn(historyOf(portable));
  await purgeEverywhere(machine.memory, { what: { kind: 'note', id }, journal: 'portable' }, { hereOnly: true });
  const after = tokensIn(historyOf(portable));
  for (const token of before) if (!after.has(token)) ledger.texts.delete(token);
  log(machine, `purge of ${id} in memory/`);
};

/** The way out that a sync names when a person's commit holds a secret. */
const purgeSecrets = async (fleet: Fleet, machine: Machine): Promise<void> => {
  for (const text of fleet.ledger.secrets) {
    const done = await purgeEverywhere(machine.memory, { what: { kind: 'literal', text } });
    fleet.log(machine, `purge of a secret → ${done.ok ? 'done' : done.refusal.code}`);
  }
};

const syncOnce = async (fleet: Fleet, machine: Machine): Promise<SyncAnswer> => {
  const answer = await syncStore(machine.memory).catch((error: unknown) =>
    fleet.fail(`${machine.name} sync failed: ${error instanceof Error ? error.stack : String(error)}`),
  );
  const { outcome, pushed, pulled, conflicted, merged, head, detail } = answer;
  fleet.log(
    machine,
    `sync → ${outcome} pushed ${pushed} pulled ${pulled} merged ${merged} conflicted ${conflicted} ${head} ${detail}`,
  );
  return answer;
};

/** All machines sync at once: one pushes first, and the others have to try again. */
export const syncTogetherStep = async (fleet: Fleet): Promise<void> => {
  await Promise.all(fleet.machines.map((machine) => syncStep(fleet, machine)));
};

/** Runs commands while the same machine syncs. */
export const syncAndWriteStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const planned: Planned[] = [];
  for (let count = 0; count < 3; count += 1) {
    const one = await planCommand(fleet, machine);
    if (addsOnly(one)) planned.push(one);
  }
  const sync = syncStep(fleet, machine);
  for (const one of planned) await performStep(fleet, machine, one);
  await sync;
};

/** Makes the remote unreachable, or reachable again. */
export const switchRemote = (fleet: Fleet, isReachable: boolean): void => {
  if (fleet.isReachable === isReachable) return;
  const away = `${fleet.remote}.away`;
  if (isReachable) renameSync(away, fleet.remote);
  else renameSync(fleet.remote, away);
  fleet.isReachable = existsSync(fleet.remote);
  fleet.log(undefined, fleet.isReachable ? 'the remote is back' : 'the remote is away');
};

/** Syncs with a remote that rejects pushes: what was merged stays unpublished here and may conflict once more. */
export const closedStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  if (!fleet.isReachable) return;
  const hook = join(fleet.remote, 'hooks', 'pre-receive');
  writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const { outcome, detail } = await syncStore(machine.memory);
  rmSync(hook);
  fleet.log(machine, `sync with a remote that rejects pushes → ${outcome} ${detail}`);
};

const addsOnly = ({ command, brings }: Planned): boolean =>
  command.kind === 'write' || (command.kind === 'tag' && brings.length > 0);

/** The child's orders; see test/support/killed-machine.ts. */
export type ChildTask = {
  readonly home: string;
  readonly machine: string;
  readonly nowMs: number;
  /** The step at which it kills itself; 0 for never. */
  readonly killAt: number;
  readonly actions: readonly (
    | Planned['command']
    | { readonly kind: 'sync' }
    | { readonly kind: 'adopt' }
    | { readonly kind: 'take-back'; readonly event: string }
  )[];
};

/** A child process runs a few commands and syncs, and is killed at a step, from outside, or not at all. */
export const childStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random, ledger } = fleet;
  const planned: (Planned | undefined)[] = [];
  const actions: ChildTask['actions'][number][] = [];
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    if (random.chance(0.5)) {
      planned.push(undefined);
      actions.push({ kind: random.chance(0.85) ? 'sync' : 'adopt' });
      continue;
    }
    const one = await planCommand(fleet, machine);
    // An edit of the earlier text would rightly remove, unseen, what a sync has just brought.
    if (actions.some(({ kind }) => kind === 'sync') && !addsOnly(one)) continue;
    planned.push(one);
    actions.push(one.command);
    // If the child is killed, it is not known whether the command ran, and on which text.
    const ids = 'id' in one.command ? [one.command.id] : [];
    ledger.takeOut([...ids.flatMap((id) => [...tokensOfNote(machine, id)]), ...one.takes]);
    ledger.takeOut(one.brings.map(({ token }) => token));
    for (const id of ids)
      if (filesOfNote(machine, id).some(({ journal }) => journal === 'portable')) ledger.exposed.add(id);
  }
  const way = random.weighted({ step: 6, timer: 4, none: 2 });
  const task: ChildTask = {
    home: machine.home,
    machine: machine.name,
    nowMs: fleet.clockMs + machine.skewMs,
    killAt: way === 'step' ? 1 + random.below(30) : 0,
    actions,
  };
  const { child, ended } = startChild(fleet.child, [JSON.stringify(task)]);
  const timer = way === 'timer' ? setTimeout(() => child.kill('SIGKILL'), 150 + random.below(350)) : undefined;
  const { code, signal, stdout, stderr } = await ended;
  clearTimeout(timer);
  fleet.log(machine, `a child process (${way} ${task.killAt}) ended with ${signal ?? code}`);
  if (stderr !== '' || (code !== 0 && signal !== 'SIGKILL')) {
    fleet.fail(`${machine.name} a child process ended with ${code} ${signal}: ${stderr}`);
  }
  for (const line of stdout.split('\n').filter((text) => text.endsWith('}'))) {
    const { at, outcome, detail, ...answer }: ChildLine = JSON.parse(line);
    const one = planned[at];
    if (one !== undefined) acknowledge(fleet, machine, one, answer);
    else {
      fleet.log(machine, `its ${actions[at]?.kind} → ${outcome} ${detail ?? ''}`);
      if (
        actions[at]?.kind === 'sync' &&
        outcome !== (fleet.isReachable ? 'synced' : 'offline') &&
        outcome !== 'missing'
      )
        fleet.fail(`${machine.name} sync of its child process answered ${outcome}: ${detail}`);
    }
  }
};

export type ChildLine = Acknowledgement & {
  /** Index of the action. */
  readonly at: number;
  readonly outcome?: string | undefined;
  readonly detail?: string | undefined;
};
