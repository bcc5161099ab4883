/** Gives one process its orders, kills it, and collects its reports until then. */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order, Told } from './kill-orders.js';

export type KillFromOutside = { readonly at: number; readonly afterMs: number; readonly group: boolean };

export type ChildEnd = {
  readonly told: readonly Told[];
  readonly isKilled: boolean;
  readonly stderr: string;
  /** Process groups that may have git children which outlived it. */
  readonly groups: readonly number[];
};

/** `outside` kills it `afterMs` after item `at` of the order began. A process that runs for a minute is killed. */
export const runChild = (
  program: string,
  folder: string,
  order: Order,
  outside: KillFromOutside | undefined,
): Promise<ChildEnd> =>
  new Promise((resolve, reject) => {
    const file = join(folder, `order-${++orders}.json`);
    writeFileSync(file, JSON.stringify(order));
    const child = spawn(process.execPath, [program, file], {
      // Its own group, so that it can die with its git children or without them.
      detached: true,
      env: { ...process.env, HOME: order.userHome, ANAMNESIS_HOME: order.home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const group = child.pid;
    if (group === undefined) return reject(new Error(`${program} could not be started`));
    let stdout = '';
    let stderr = '';
    let timer: NodeJS.Timeout | undefined;
    const groups = (): number[] => [
      group,
      ...parse(stdout).flatMap((told) => (told.tell === 'group' ? [told.pid] : [])),
    ];
    const kill = (withGroup: boolean): void => {
      for (const pid of withGroup ? groups().map((one) => -one) : [group]) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It had already ended.
        }
      }
    };
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      if (outside === undefined || timer !== undefined || !stdout.includes(`{"tell":"began","at":${outside.at}}`))
        return;
      timer = setTimeout(() => kill(outside.group), outside.afterMs);
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const deadline = setTimeout(() => {
      stderr += `\nnot done after ${maxMs / 1000} s`;
      kill(true);
    }, maxMs);
    child.on('close', (_, signal) => {
      clearTimeout(timer);
      clearTimeout(deadline);
      rmSync(file);
      resolve({ told: parse(stdout), isKilled: signal === 'SIGKILL', stderr, groups: groups() });
    });
  });

const maxMs = 60_000;
let orders = 0;

/** Parses whole lines only: the last may be cut off. */
const parse = (stdout: string): readonly Told[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** False while a git child that outlived its process is still running. */
export const areGone = (groups: readonly number[]): boolean =>
  groups.every((group) => {
    try {
      process.kill(-group, 0);
      return false;
    } catch {
      return true;
    }
  });

export const allGone = async (groups: readonly number[]): Promise<void> => {
  const deadline = Date.now() + maxMs;
  while (!areGone(groups)) {
    if (Date.now() > deadline) throw new Error(`a git child of group ${groups.join(', ')} does not end`);
    await sleep(2);
  }
};
