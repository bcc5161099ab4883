/** First step of `npm start` and `npm test`: installs what is missing, builds what is stale. No dependencies. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Installs packages and builds dist/ if they are out of date; a second call does nothing and takes milliseconds. */
export const ensureBuilt = async () => {
  ensureNode();
  ensureInstalled();
  const wanted = hashSources();
  const stamp = join(root, 'dist', '.sources');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('building dist/');
  run(process.execPath, [join(root, 'scripts', 'build.mjs')]);
  writeFileSync(stamp, wanted);
};

export const run = (command, args, options = {}) => {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (result.error !== undefined) fail(`${command} could not be started: ${result.error.message}`);
  if (result.status !== 0) fail(`${[command, ...args].join(' ')} failed`, result.status ?? 1);
};

export const say = (line) => process.stderr.write(`${line}\n`);

const fail = (message, code = 1) => {
  say(`anamnesis: ${message}`);
  process.exit(code);
};

const ensureNode = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Node ${process.versions.node} is too old: 20.19 or newer is needed`);
  const git = spawnSync('git', ['--version'], { encoding: 'utf8' });
  if (git.status !== 0) fail('git is missing: install it and try again');
};

const ensureInstalled = () => {
  if (isInstalled()) return;
  say('installing packages (better-sqlite3 may be compiled, which takes about a minute)');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  // Headers for compiling stay in this folder too: nothing outside it is touched except npm's own cache.
  const env = { ...headersBesideNode(), ...process.env };
  env.npm_config_devdir ??= join(root, '.cache', 'node-gyp');
  if (npm !== undefined && /\.[cm]?js$/.test(npm)) run(process.execPath, [npm, ...args], { env });
  else run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { env, shell: process.platform === 'win32' });
  if (!isInstalled()) fail('packages are still missing after npm ci');
};

/**
 * Without a network, compiling better-sqlite3 fails for lack of Node's headers, though most installations include
 * them. node-gyp reads the first name; older ones, and npm before 12, only the second.
 */
const headersBesideNode = () => {
  const prefix = join(dirname(realpathSync(process.execPath)), '..');
  if (!existsSync(join(prefix, 'include', 'node', 'node.h'))) return {};
  return { npm_package_config_node_gyp_nodedir: prefix, npm_config_nodedir: prefix };
};

/** Whether every package of the lock file is there in its version, and the native one loads in this Node. */
const isInstalled = () => {
  const wanted = readLock(join(root, 'package-lock.json'));
  const there = readLock(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === undefined || there === undefined) return false;
  for (const [path, { version, optional }] of Object.entries(wanted)) {
    if (path !== '' && optional !== true && there[path]?.version !== version) return false;
  }
  try {
    const Database = createRequire(join(root, 'package.json'))('better-sqlite3');
    new Database(':memory:').close();
    return true;
  } catch {
    return false;
  }
};

const readLock = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
};

const hashSources = () => {
  const hash = createHash('sha256').update(process.versions.modules);
  const add = (path) => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
    else hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0');
  };
  for (const name of ['src', 'scripts/build.mjs', 'package.json', 'package-lock.json', 'tsconfig.json'])
    add(join(root, name));
  return hash.digest('hex');
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureBuilt();
