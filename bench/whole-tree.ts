/** Commands that look at every file: whole processes compared with bare Node and `git status` in the same store. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { median, type Row, timeProcess } from './measure.js';

const runs = 9;
const commands = ['sync', 'status', 'adopt'] as const;
/** How many times as long as `git status`, which also looks at every file, they may take in addition to bare Node. */
const timesGit = 2.5;

/** The store must have nothing to do, and rows older than two seconds: otherwise files would be read too. */
export const measureWholeTree = (
  cli: string,
  home: string,
  size: number,
  environment: NodeJS.ProcessEnv,
  add: (row: Row) => void,
): void => {
  for (const command of ['sync', 'adopt']) timeProcess([cli, command], environment);
  const bare: number[] = [];
  const git: number[] = [];
  const times = new Map<string, number[]>(commands.map((command) => [command, []]));
  for (let at = 0; at < runs; at += 1) {
    bare.push(timeProcess(['-e', '0'], environment));
    git.push(timeGitStatus(join(home, 'memory')));
    for (const command of commands) times.get(command)?.push(timeProcess([cli, command], environment));
  }
  const [node, status] = [median(bare), median(git)];
  add({ what: `bare node -e 0, beside whole-tree commands, ${size}`, measured: node, unit: 'ms' });
  add({ what: `git status, ${size}`, measured: status, unit: 'ms' });
  for (const [command, each] of times) {
    add({
      what: `${command} with nothing to do, ${size}`,
      measured: median(each),
      unit: 'ms',
      limit: size >= 10_000 ? node + timesGit * status : undefined,
      note: `bare node + ${((median(each) - node) / status).toFixed(1)} x git status`,
    });
  }
};

const timeGitStatus = (folder: string): number => {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync('git', ['-C', folder, 'status', '--porcelain']);
  if (status !== 0 || stdout.length > 0) throw new Error(`git status: ${stdout}${stderr}`);
  return performance.now() - started;
};
