/**
 * A package that tests need but that is not a dependency, because it takes hundreds of megabytes: it is installed on
 * demand below .cache/, once per version, and then found there without a network.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, say } from './setup.mjs';

/**
 * Returns the result of `find` for the folder of the package, which is installed first if `find` returns undefined, or
 * `{ problem }` if that fails. `runsScripts` lets the package's own installation scripts run.
 */
export const ensureCached = ({ name, version, size, cache, runsScripts, find }) => {
  const folder = join(root, '.cache', cache);
  return find(join(folder, version)) ?? install({ name, version, size, folder, runsScripts, find });
};

/** Installs into a separate folder and renames it: a killed installation leaves nothing that looks whole. */
const install = ({ name, version, size, folder: cache, runsScripts, find }) => {
  say(`installing ${name} ${version} (${size}) below .cache/`);
  mkdirSync(cache, { recursive: true });
  removeLeftovers(cache);
  const folder = join(cache, `.installing-${process.pid}`);
  const wanted = join(cache, version);
  try {
    mkdirSync(folder);
    const manifest = { private: true, ...(runsScripts ? { allowScripts: { [name]: true } } : {}) };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const problem = runNpm(folder, [`${name}@${version}`, ...(runsScripts ? [] : ['--ignore-scripts'])]);
    if (problem !== undefined) return { problem };
    if (find(folder) === undefined) return { problem: `npm installed something other than ${name} ${version}` };
    // A copy that another run of this script installed meanwhile is as good, and may be in use.
    const theirs = find(wanted);
    if (theirs !== undefined) return theirs;
    rmSync(wanted, { recursive: true, force: true });
    renameSync(folder, wanted);
    return find(wanted) ?? { problem: `it cannot be used from ${wanted}` };
  } catch (error) {
    return find(wanted) ?? { problem: error.message };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const runNpm = (folder, more) => {
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', '--save-exact', ...more];
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

/** Removes the folders of installations that were killed. */
const removeLeftovers = (cache) => {
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
