/** Secrets that a person types into files and commits: none may ever reach the remote. */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { personsGit } from '../../support/store.js';
import { performStep } from './machines-commands.js';
import { type Fleet, type Machine, noteFiles } from './machines-fleet.js';
import { adoptStep, tryGit } from './machines-hand.js';
import { noteRewritten } from './machines-history.js';
import { mustNotLeak } from './machines-laws.js';
import type { Random } from './machines-random.js';
import { syncStep } from './machines-sync.js';

/** Makes a secret of a shape that is always recognised; the rest is as random as in real ones. */
export const newSecret = (random: Random): string => {
  const some = (count: number, from: string): string =>
    Array.from({ length: count }, () => from[random.below(from.length)]).join('');
  const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const any = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return random.chance(0.6) ? `ghp_${some(36, any)}` : `AKIA${some(16, upper)}`;
};

export const secretStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random, ledger } = fleet;
  await adoptStep(fleet, machine);
  await machine.memory.finish();
  const { folder, head } = machine.memory.journals.portable;
  const files = noteFiles(machine).filter(({ journal }) => journal === 'portable');
  if (files.length === 0 || head() === undefined) return;
  const { path, id } = random.pick(files);
  const secret = newSecret(random);
  ledger.secrets.add(secret);
  const way = random.weighted({
    adopted: 2,
    command: 2,
    commit: 3,
    amend: 4,
    'amend published': 3,
    reuse: 3,
    race: 4,
    other: 1,
  });
  fleet.log(machine, `a secret is typed into ${id} (${way}): ${secret}`);
  const commit = (...args: readonly string[]): void => {
    // A command may have merged two files meanwhile: appending would then make a new file without a note in it.
    if (existsSync(path)) appendFileSync(path, `the key is ${secret} now\n`);
    if (args.includes('--amend')) noteRewritten(fleet, folder, 1);
    const done = tryGit(fleet, machine, folder, 'commit', '-aq', ...args);
    fleet.log(machine, `a person's commit ${args.join(' ')}: ${done ? 'done' : 'git refused'}`);
  };
  const tag = async (): Promise<void> => {
    const token = ledger.newToken();
    const command = { kind: 'tag', id, add: [token], remove: [] } as const;
    await performStep(fleet, machine, { command, brings: [{ token, kind: 'tag' }], takes: [] }, { fileMayLag: true });
  };
  switch (way) {
    case 'adopted':
      appendFileSync(path, `the key is ${secret} now\n`);
      if (random.chance(0.5)) await adoptStep(fleet, machine);
      break;
    case 'command':
      appendFileSync(path, `the key is ${secret} now\n`);
      await tag();
      break;
    case 'commit':
      commit('-m', random.chance(0.5) ? 'mine' : `now with ${secret}`);
      break;
    case 'amend':
      // The newest event is one that the remote does not have.
      await tag();
      await machine.memory.finish();
      commit('--amend', '--no-edit');
      break;
    case 'amend published':
      if (fleet.isReachable) await syncStep(fleet, machine);
      await machine.memory.finish();
      commit('--amend', '--no-edit');
      break;
    case 'reuse': {
      const commits = personsGit(folder, 'log', '-20', '--no-merges', '--format=%H', 'main')
        .split('\n')
        .filter(Boolean);
      const reused = random.pick(commits);
      for (const event of eventsAt(folder, reused)) fleet.reusedEvents.add(event);
      commit('-C', reused);
      break;
    }
    case 'race': {
      const sync = syncStep(fleet, machine);
      await sleep(random.below(60));
      commit('-m', 'mine');
      await sync;
      break;
    }
    case 'other':
      writeFileSync(join(folder, 'README.txt'), `the key is ${secret} now\n`);
      tryGit(fleet, machine, folder, 'add', 'README.txt');
      commit('-m', 'mine');
  }
  if (random.chance(0.4)) await tag();
  await syncStep(fleet, machine);
  await syncStep(fleet, machine);
  mustNotLeak(fleet);
};

const eventsAt = (folder: string, commit: string): readonly string[] =>
  personsGit(folder, 'log', '-1', '--format=%(trailers:key=Event,valueonly)', commit).split('\n').filter(Boolean);
