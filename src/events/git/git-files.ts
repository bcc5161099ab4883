/** Reads and repairs parts of a repository without a git child: its head, its stale locks, its packs. */

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { denialInText } from '../environment-faults.js';
import { codeOf } from '../error-code.js';
import { readAtOnce, refusePipes } from '../worktree/plain-files.js';
import { GitError } from './git-process.js';
import { branch } from './journal-ref.js';

/** Commit id of the branch, undefined before the first commit. Costs one small read (about 15 microseconds). */
export const readHead = (gitDir: string): string | undefined => readRef(gitDir, branch);

/** The same for any ref that is no symbolic one. */
export const readRef = (gitDir: string, ref: string): string | undefined => {
  const loose = readText(join(gitDir, ref))?.trim();
  if (loose !== undefined && loose !== '') return loose;
  const packed = readText(join(gitDir, 'packed-refs'));
  const line = packed?.split('\n').find((text) => text.endsWith(` ${ref}`));
  return line?.slice(0, line.indexOf(' '));
};

/**
 * Points a ref at a commit as git does: through its lock, and on the disk before it takes the old one's place. Throws
 * GitError when another git holds the lock.
 */
export const writeRef = (gitDir: string, ref: string, commit: string): void => {
  const path = join(gitDir, ref);
  const lock = `${path}.lock`;
  mkdirSync(dirname(path), { recursive: true });
  let handle: number;
  try {
    handle = openSync(lock, 'wx');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new GitError(['update-ref'], null, `Unable to create '${lock}': File exists.`);
  }
  try {
    try {
      writeSync(handle, `${commit}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(lock, path);
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  }
};

/** The names behind `prefix`, which ends in a slash, of the refs right below it: loose ones, and those that git has packed. */
export const refsBelow = (gitDir: string, prefix: string): ReadonlySet<string> => {
  const folder = join(gitDir, prefix);
  const packed = readText(join(gitDir, 'packed-refs'))?.split('\n') ?? [];
  return new Set([
    ...(existsSync(folder) ? readdirSync(folder) : []),
    ...packed.flatMap((line) =>
      line.includes(` ${prefix}`) ? [line.slice(line.indexOf(' ') + 1 + prefix.length)] : [],
    ),
  ]);
};

/** False when no ref stands below `prefix`, which ends in a slash. */
export const hasRefsBelow = (gitDir: string, prefix: string): boolean =>
  existsSync(join(gitDir, prefix)) || readText(join(gitDir, 'packed-refs'))?.includes(` ${prefix}`) === true;

/** HEAD when it isn't on the branch: another branch's name or a commit id; undefined when all is well. */
export const readOtherHead = (gitDir: string): string | undefined => {
  const head = readText(join(gitDir, 'HEAD'))?.trim();
  if (head === '') refusePipes(gitDir);
  return head === `ref: ${branch}` ? undefined : (head ?? 'no HEAD file');
};

/** The command to type where HEAD isn't on the branch: git refuses to switch in the middle of a rebase. */
export const nextForOtherHead = (gitDir: string, folder: string): string => {
  const isThere = (name: string): boolean => existsSync(join(gitDir, name));
  const git = `git -C ${folder}`;
  if (isThere('rebase-merge') || isThere('rebase-apply'))
    return `a rebase is under way there: finish it, or run: ${git} rebase --abort`;
  if (isThere('BISECT_LOG')) return `a bisect is under way there; run: ${git} bisect reset`;
  for (const [file, command] of underWay)
    if (isThere(file)) return `a ${command} is under way there: finish it, or run: ${git} ${command} --abort`;
  return `run: ${git} switch main`;
};

const underWay = [
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
] as const;

export const hasRemote = (gitDir: string): boolean =>
  /^[^\S\r\n]*\[[^\S\r\n]*remote\b/im.test(readText(join(gitDir, 'config')) ?? '') ||
  existsSync(join(gitDir, 'refs', 'remotes'));

/** Syncs a folder's entries to disk; git syncs the files of a pack and a ref, but not the folders they stand in. */
export const syncFolder = (folder: string): void => {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** When the branch was last moved, in epoch milliseconds; 0 where that is not known. */
export const movedAtMs = (gitDir: string): number =>
  statSync(join(gitDir, branch), { throwIfNoEntry: false })?.mtimeMs ?? 0;

export const countPacks = (gitDir: string): number =>
  readdirSync(join(gitDir, 'objects', 'pack')).filter((name) => name.endsWith('.pack')).length;

const lockFiles = ['index.lock', 'HEAD.lock', 'config.lock', 'packed-refs.lock', `${branch}.lock`, 'shallow.lock'];
const staleLockMs = 10_000;

/**
 * Removes lock files that a killed git left, older than ten seconds. Only for the holder of the write lock. Answers
 * the names of the ones removed.
 */
export const removeStaleLocks = (gitDir: string, nowMs: number): string[] => [
  ...removeStale(gitDir, lockFiles, nowMs),
  ...removeStaleRefLocks(gitDir, nowMs),
];

/** The same for the refs below `refs/anamnesis`; needs no write lock, because only a sync and a purge change them. */
export const removeStaleRefLocks = (gitDir: string, nowMs: number): string[] =>
  removeStale(gitDir, locksOfOurRefs(gitDir), nowMs);

const removeStale = (gitDir: string, names: readonly string[], nowMs: number): string[] =>
  names.filter((name) => {
    const path = join(gitDir, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || nowMs - stat.mtimeMs < staleLockMs) return false;
    rmSync(path, { force: true });
    return true;
  });

/** A fetch that was killed leaves them, and the next one would fail for ever. */
const locksOfOurRefs = (gitDir: string): readonly string[] => {
  const folder = join('refs', 'anamnesis');
  if (!existsSync(join(gitDir, folder))) return [];
  return readdirSync(join(gitDir, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.lock'))
    .map((name) => join(folder, name));
};

/** Temporary packs and objects, and the marks and crash reports of fast-import, older than an hour. Answers the paths removed. */
export const removeStaleObjects = (gitDir: string, nowMs: number): string[] =>
  removeHalfWritten(gitDir, ({ mtimeMs }) => nowMs - mtimeMs >= staleObjectMs);

/**
 * Runs a git that writes packs. When the machine denies it something, what it left half written goes at once: a full disk
 * needs that room. After any other failure another git may be writing there.
 */
export const withoutLeftovers = async <Answer>(gitDir: string, run: () => Promise<Answer>): Promise<Answer> => {
  const startedMs = Date.now();
  try {
    return await run();
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    if (denialInText(said) === undefined) throw error;
    try {
      removeHalfWritten(gitDir, ({ birthtimeMs, mtimeMs }) => (birthtimeMs || mtimeMs) >= startedMs - coarseClockMs);
    } catch {
      // Why git failed is what counts; upkeep removes them in an hour.
    }
    throw error;
  }
};

/** Files are dated by a clock that stands still for some milliseconds. */
const coarseClockMs = 20;

const removeHalfWritten = (gitDir: string, isLeft: (stat: Stats) => boolean): string[] => {
  const objects = join(gitDir, 'objects');
  const packs = join(objects, 'pack');
  const loose = namesIn(objects).filter((name) => name.length === 2);
  const found = [
    ...loose.flatMap((folder) =>
      namesIn(join(objects, folder))
        .filter((name) => name.startsWith('tmp_obj_'))
        .map((name) => join(objects, folder, name)),
    ),
    ...namesIn(packs)
      .filter((name) => name.startsWith('tmp_') || (name.endsWith('.keep') && isOfFastImport(join(packs, name))))
      .map((name) => join(packs, name)),
    ...namesIn(gitDir)
      .filter((name) => name.startsWith('fast_import_crash_'))
      .map((name) => join(gitDir, name)),
  ];
  return found.filter((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || !isLeft(stat)) return false;
    rmSync(path, { force: true });
    return true;
  });
};

/** A person's git may pack the objects of a folder, and remove it, at any moment. */
const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
};

/** A mark of fast-import for the time that it runs; left behind, it would keep the pack from ever being packed again. */
const isOfFastImport = (keepFile: string): boolean => {
  const said = readText(keepFile)?.trim();
  // A full disk leaves an empty one, of a pack that never came to be; a person's own mark may be empty too.
  return said === 'fast-import' || (said === '' && !existsSync(keepFile.replace(/\.keep$/, '.pack')));
};

const staleObjectMs = 3_600_000;

const readText = (path: string): string | undefined => {
  try {
    return readAtOnce(path, 'utf8');
  } catch (error) {
    // A folder stands where refs have one more part to their names.
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error))) return undefined;
    throw error;
  }
};
