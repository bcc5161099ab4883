/**
 * Every moment at which this process changes something that outlives it: before and after each change of a file, each
 * SQLite commit and each git child that writes, halfway through each write, and at the named steps of the write path.
 * Node's and SQLite's own functions are wrapped, so that a side effect added to the code later is a point too.
 */
import childProcess, { type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import Database from 'better-sqlite3';

export type Points = {
  /** How many points were reached. */
  passed(): number;
  /** Makes the `count`th point from now the last. */
  arm(count: number): void;
  /** Reaches a point with its own name. */
  reach(label: string): void;
};

type Untyped = (this: unknown, ...args: unknown[]) => unknown;

export type Watcher = {
  /** Called at the armed point with its label; must not return. */
  die(label: string): void;
  /** Called when a git child starts that leads its own process group. */
  onGroup(pid: number): void;
};

export const watchSideEffects = ({ die, onGroup }: Watcher): Points => {
  let passed = 0;
  let last = Number.POSITIVE_INFINITY;
  // If half of the change can be made, it is made first.
  const reach = (label: string, half?: () => void): void => {
    passed += 1;
    if (passed !== last) return;
    half?.();
    die(label);
  };
  watchFiles(reach);
  watchSqlite(reach);
  watchGit(reach, onGroup);
  return {
    passed: () => passed,
    arm: (count) => {
      last = passed + count;
    },
    reach,
  };
};

type Reach = (label: string, half?: () => void) => void;

const watchFiles = (reach: Reach): void => {
  const functions = fs as unknown as Record<string, Untyped>;
  const wrap = (name: string, leavesTrace: (args: readonly unknown[]) => boolean): void => {
    const original = functions[name]!;
    functions[name] = function (...args) {
      if (!leavesTrace(args)) return original.apply(this, args);
      const label = `${name} ${shapeOf(args[0])}`;
      reach(`before ${label}`);
      const result = original.apply(this, args);
      reach(`after ${label}`);
      return result;
    };
  };
  const isThere = fs.existsSync;
  const there = ([path]: readonly unknown[]): boolean => typeof path === 'string' && isThere(path);
  for (const name of ['renameSync', 'linkSync', 'copyFileSync', 'truncateSync']) wrap(name, () => true);
  for (const name of ['rmSync', 'rmdirSync', 'unlinkSync']) wrap(name, there);
  wrap('mkdirSync', (args) => !there(args));
  wrap('openSync', ([, flags]) => typeof flags === 'string' && /[wax+]/.test(flags));

  const write = fs.writeFileSync;
  fs.writeFileSync = (file, data, options): void => {
    const label = `writeFileSync ${shapeOf(file)}`;
    const bytes =
      typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    reach(`before ${label}`);
    reach(`half of ${label}`, () => write(file, bytes.subarray(0, bytes.length >> 1), options));
    write(file, data, options);
    reach(`after ${label}`);
  };
  syncBuiltinESMExports();
};

const watchSqlite = (reach: Reach): void => {
  const probe = new Database(':memory:');
  const statement = Object.getPrototypeOf(probe.prepare('SELECT 1')) as Record<string, Untyped>;
  probe.close();
  const run = statement['run']!;
  statement['run'] = function (...args) {
    const { source, database } = this as Database.Statement;
    // Inside a transaction nothing is stored before its COMMIT.
    const leavesTrace = database.inTransaction ? /^\s*COMMIT/i.test(source) : changes.test(source);
    return leavesTrace ? around(`commit of ${nameOf(database)}`, () => run.apply(this, args)) : run.apply(this, args);
  };
  const around = (label: string, act: () => unknown): unknown => {
    reach(`before ${label}`);
    const result = act();
    reach(`after ${label}`);
    return result;
  };
  const { exec, pragma } = Database.prototype as unknown as Record<string, Untyped>;
  const prototype = Database.prototype as unknown as Record<string, Untyped>;
  prototype['exec'] = function (...args) {
    return around(`exec on ${nameOf(this as Database.Database)}`, () => exec!.apply(this, args));
  };
  prototype['pragma'] = function (...args) {
    const act = (): unknown => pragma!.apply(this, args);
    return /^\s*(?:journal_mode|user_version)\s*=/.test(String(args[0]))
      ? around(`pragma on ${nameOf(this as Database.Database)}`, act)
      : act();
  };
};

const changes = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP)\b/i;

const nameOf = ({ name }: Database.Database): string => basename(name).replace(/^v\d+-\d{6}/, 'index');

/** git commands that only read. */
const readers = new Set(
  'version ls-tree ls-files diff-tree diff cat-file log rev-list rev-parse show merge-base for-each-ref count-objects fsck ls-remote'.split(
    ' ',
  ),
);

const watchGit = (reach: Reach, onGroup: Watcher['onGroup']): void => {
  const spawn = childProcess.spawn as unknown as Untyped;
  const watched: Untyped = function (...given) {
    const name = commandOf(given[1]);
    if (given[0] !== 'git' || readers.has(name)) return spawn.apply(this, given);
    reach(`before git ${name}`);
    const child = spawn.apply(this, given) as ChildProcess;
    const { detached } = (given[2] ?? {}) as { detached?: boolean };
    if (detached === true && child.pid !== undefined) onGroup(child.pid);
    watchInput(child, name, reach);
    reach(`git ${name} has begun`);
    child.on('close', () => reach(`after git ${name}`));
    return child;
  };
  childProcess.spawn = watched as unknown as typeof childProcess.spawn;
  const spawnSync = childProcess.spawnSync as unknown as Untyped;
  const watchedSync: Untyped = function (...given) {
    const name = commandOf(given[1]);
    if (given[0] !== 'git' || readers.has(name)) return spawnSync.apply(this, given);
    reach(`before git ${name}`);
    const result = spawnSync.apply(this, given);
    reach(`after git ${name}`);
    return result;
  };
  childProcess.spawnSync = watchedSync as unknown as typeof childProcess.spawnSync;
  syncBuiltinESMExports();
};

/** Git's input may end anywhere: halfway through each chunk, and before and after its end. */
const watchInput = ({ stdin }: ChildProcess, name: string, reach: Reach): void => {
  if (stdin === null) return;
  const write = stdin.write.bind(stdin) as Untyped;
  const end = stdin.end.bind(stdin) as Untyped;
  stdin.write = ((chunk: Buffer | string, ...rest: unknown[]): boolean => {
    const bytes = Buffer.from(chunk as string);
    reach(`half of the input of git ${name}`, () => write(bytes.subarray(0, bytes.length >> 1)));
    return write(chunk, ...rest) as boolean;
  }) as typeof stdin.write;
  stdin.end = ((...args: unknown[]) => {
    reach(`before the end of the input of git ${name}`);
    const result = end(...args);
    reach(`after the end of the input of git ${name}`);
    return result;
  }) as typeof stdin.end;
};

/** Returns the first word that is neither an option nor the value of one. */
const commandOf = (args: unknown): string => {
  const words = Array.isArray(args) ? args.map(String) : [];
  return words.find((word, at) => !word.startsWith('-') && words[at - 1] !== '-c') ?? '';
};

/** Returns a path without the parts that differ from run to run. */
const shapeOf = (path: unknown): string =>
  String(path)
    .replace(/^.*\/(memory|local|index|spool|logs|backups)(?=\/|$)/, '$1')
    .replace(/[0-9A-HJKMNP-TV-Z]{26}/g, '<id>')
    .replace(/\/[0-9A-HJKMNP-TV-Z]{2}(?=\/|$)/g, '/<fan>')
    .replace(/\d+/g, 'N')
    .replace(/^\/.*\//, '');
