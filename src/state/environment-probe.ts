/** Examines the machine after a failure: what is denied where, which git this is, and whether SQLite fits this Node. */
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Denial, environmentFault, installCommand } from '../events/environment-faults.js';
import { Fault } from '../events/faults.js';
import { gitEnvironment } from '../events/git/git-process.js';
import { gitTooOld, isTooOld, parseGitVersion } from '../events/git/git-version.js';
import { damageFault } from '../events/git/journal-damage.js';
import { journalFolder } from '../events/note/note.js';

/**
 * The fault if the machine, its git or a damaged journal is to blame, or the error itself if it is one; else undefined.
 * Examines the disk, and asks git for its version, only if the error leaves that open.
 */
export const faultOf = (error: unknown, home: string): Fault | undefined => {
  if (error instanceof Fault) return error;
  return (
    nativePartFault(error) ??
    environmentFault(error, home, () => findDenial(home)) ??
    faultOfOldGit(error) ??
    damageFault(error)
  );
};

/** One sentence for a log, in plain words if the machine is to blame. */
export const describeError = (error: unknown, home: string): string =>
  faultOf(error, home)?.message ?? (error instanceof Error ? error.message : String(error));

/** Finds the first permission or space that a command writing to the store would lack. */
export const findDenial = (home: string): Denial | undefined => {
  for (const path of places.map((name) => join(home, name))) {
    const denial = findAccessDenial(path);
    if (denial !== undefined) return denial;
  }
  return findShortage(home) ?? findLimit();
};

/** The paths that a command opens by name. */
const places = [
  ...['', 'state.db', 'lock.db', 'agents.db', 'config.json', 'index', 'spool'],
  ...Object.values(journalFolder).flatMap((journal) =>
    ['', '.git', '.git/HEAD', '.git/config', '.git/refs/heads', '.git/refs/heads/main', '.git/objects/pack'].map(
      (name) => join(journal, name),
    ),
  ),
];

const findAccessDenial = (path: string): Denial | undefined => {
  try {
    const isFolder = statSync(path).isDirectory();
    accessSync(path, constants.R_OK | constants.W_OK | (isFolder ? constants.X_OK : 0));
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EROFS') return { kind: 'read-only', path };
    return code === 'EACCES' || code === 'EPERM' ? { kind: 'not-permitted', path } : undefined;
  }
};

/** SQLite needs 32 KiB beside a database even to read it, and the failed operation may have freed its space since. */
const littleBytes = 256 * 1024;
const fewFiles = 8;

const findShortage = (home: string): Denial | undefined => {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(nearestFolder(home));
    if (bavail * bsize < littleBytes) return { kind: 'disk-full' };
    // Some file systems do not count files at all.
    return files > 0 && ffree < fewFiles ? { kind: 'inodes-gone' } : undefined;
  } catch {
    return undefined;
  }
};

/** The failed operation has closed its files since, so a limit not much above what is open now counts as reached. */
const filesOfACommand = 48;

/** Checks the limits of this process, as Linux reports them. */
const findLimit = (): Denial | undefined => {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const softLimit = (name: string): number =>
      Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(limits)?.[1] ?? Infinity);
    if (readdirSync('/proc/self/fd').length + filesOfACommand > softLimit('Max open files')) {
      return { kind: 'too-many-files' };
    }
    return softLimit('Max file size') < Infinity ? { kind: 'file-too-large' } : undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EMFILE'
      ? { kind: 'too-many-files' }
      : undefined;
  }
};

const nearestFolder = (path: string): string => {
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  return isThere || dirname(path) === path ? path : nearestFolder(dirname(path));
};

/** An old git rejects unknown options with various messages, so after any failure of git its version is checked. */
const faultOfOldGit = (error: unknown): Fault | undefined => {
  if (!(error instanceof Error)) return undefined;
  if (!('code' in error) || error.code !== 'git-failed') return faultOfOldGit(error.cause);
  const { stdout } = process
    .getBuiltinModule('node:child_process')
    .spawnSync('git', ['version'], { env: gitEnvironment(), encoding: 'utf8', windowsHide: true });
  const version = parseGitVersion(stdout ?? '');
  return version !== undefined && isTooOld(version) ? gitTooOld(version, error) : undefined;
};

/** Says what to run; undefined for other errors. `program` is the file that Node was started with. */
export const nativePartFault = (error: unknown, program = process.argv[1] ?? ''): Fault | undefined => {
  if (!(error instanceof Error) || !('code' in error) || !isNativePart.test(error.message)) return undefined;
  const folder = findInstalled(program);
  if (folder === undefined) {
    return fault('the package better-sqlite3 is missing', `run: ${installCommand}`, error);
  }
  // npm always runs the install script of a package that is named in the command.
  const rebuild = `run: npm --prefix ${folder} rebuild better-sqlite3`;
  const [, builtFor] = /NODE_MODULE_VERSION (\d+)/.exec(error.message) ?? [];
  if (builtFor !== undefined) {
    const message = `this is not the Node that anamnesis was installed with: better-sqlite3 was built for modules of version ${builtFor}, and this is Node ${process.version} (${process.versions.modules})`;
    return fault(message, rebuild, error);
  }
  const compiled = `${rebuild} (if no prebuilt one fits, it is compiled, which takes Python 3 and a C++ compiler)`;
  if (error.code === 'MODULE_NOT_FOUND') {
    return fault(
      'the native part of better-sqlite3 is missing: its install script did not run or failed',
      compiled,
      error,
    );
  }
  const [why = ''] = error.message.trim().split('\n');
  return fault(`the native part of better-sqlite3 does not load: ${why}`, compiled, error);
};

const isNativePart = /better[-_]sqlite3/;

const fault = (message: string, next: string, cause: Error): Fault =>
  new Fault('native-part-missing', message, next, { cause });

/** The folder that holds `node_modules/better-sqlite3` for this program: its own, or that of a project around it. */
const findInstalled = (program: string): string | undefined => {
  // A globally installed program is a link.
  const file = existsSync(program) ? realpathSync(program) : program;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', 'better-sqlite3', 'package.json'))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
};
