/**
 * npm run test:client: the tests in test/client, with the real Claude Code from npm. It is no dependency (364 MB): it is
 * installed on demand below .cache/claude-code/, once per version, and found there without a network. Arguments go to
 * vitest.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, root, run, say } from './setup.mjs';

const clientPackage = '@anthropic-ai/claude-code';
/** The version that these tests were written against; a newer one may send other payloads. */
const version = '2.1.330';
const cache = join(root, '.cache', 'claude-code');

const main = async () => {
  const client = findClient(join(cache, version)) ?? installClient();
  if (client.binary === undefined) {
    const isWanted = process.env.ANAMNESIS_TEST_CLIENT === '1';
    say(`${isWanted ? 'anamnesis' : 'NOT RUN'}: tests with Claude Code ${version}: ${client.problem}`);
    process.exit(isWanted ? 1 : 0);
  }
  await ensureBuilt();
  const vitest = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'vitest.cmd' : 'vitest');
  run(vitest, ['run', 'test/client', ...process.argv.slice(2)], {
    shell: process.platform === 'win32',
    env: { ...process.env, ANAMNESIS_CLIENT_BINARY: client.binary },
  });
};

/** Undefined when there is none in the folder, or one that cannot say its version. */
const findClient = (folder) => {
  const binary = join(folder, 'node_modules', '.bin', process.platform === 'win32' ? 'claude.cmd' : 'claude');
  if (!existsSync(binary)) return undefined;
  const asked = spawnSync(binary, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' });
  return asked.status === 0 && asked.stdout.startsWith(`${version} `) ? { binary } : undefined;
};

/** Into a folder of its own, then renamed: a killed installation leaves nothing that looks whole. */
const installClient = () => {
  say(`installing Claude Code ${version} (364 MB) below .cache/claude-code/`);
  mkdirSync(cache, { recursive: true });
  removeLeftovers();
  const folder = join(cache, `.installing-${process.pid}`);
  const wanted = join(cache, version);
  try {
    mkdirSync(folder);
    const manifest = { private: true, allowScripts: { [clientPackage]: true } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const problem = runNpm(folder);
    if (problem !== undefined) return { problem };
    if (findClient(folder) === undefined) return { problem: `what npm installed does not answer ${version}` };
    // A copy that another run of this script installed meanwhile is as good, and may be in use.
    const theirs = findClient(wanted);
    if (theirs !== undefined) return theirs;
    rmSync(wanted, { recursive: true, force: true });
    renameSync(folder, wanted);
    return findClient(wanted) ?? { problem: `it cannot be started from ${wanted}` };
  } catch (error) {
    return findClient(wanted) ?? { problem: error.message };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const runNpm = (folder) => {
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', '--save-exact'];
  args.push(`${clientPackage}@${version}`);
  const npm = process.env.npm_execpath;
  const options = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], timeout: 600_000 };
  const result =
    npm !== undefined && /\.[cm]?js$/.test(npm)
      ? spawnSync(process.execPath, [npm, ...args], options)
      : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (result.error !== undefined) return `npm could not be started: ${result.error.message}`;
  if (result.status === 0) return undefined;
  return `npm could not install it: ${result.stderr.trim().split('\n').slice(0, 3).join(' / ')}`;
};

/** Folders of installations that were killed. */
const removeLeftovers = () => {
  for (const name of readdirSync(cache)) {
    const pid = /^\.installing-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(cache, name), { recursive: true, force: true });
  }
};

const isRunning = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

await main();
