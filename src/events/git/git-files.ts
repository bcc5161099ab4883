/** Reads and repairs parts of a repository without a git child: its head, packs, and locks that a killed git left. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { denialInText } from '../environment-faults.js';
import { codeOf } from '../faults.js';
import { branch, GitError, headRef } from './git-process.js';

/** Returns the branch's commit id, undefined before the first commit. Costs one small read (about 15 microseconds). */
export const readHead = (gitDir: string): string | undefined => readRef(gitDir, branch);

/** Like `readHead`, for any ref that isn't symbolic. */
export const readRef = (gitDir: string, ref: string): string | undefined => {
  const loose = readText(join(gitDir, ref))?.trim();
  if (loose !== undefined && loose !== '') return loose;
  const packed = readText(join(gitDir, 'packed-refs'));
  const line = packed?.split('\n').find((text) => text.endsWith(` ${ref}`));
  return line?.slice(0, line.indexOf(' '));
};

/** As git does: under its lock, synced to disk before it replaces the old. Throws GitError while another holds it. */
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

/** Notes main's new commit as our last head. Not synced to disk: it may lag behind main. Needs the write lock. */
export const noteHead = (gitDir: string, commit: string | undefined): void => {
  if (commit === undefined) return;
  const path = join(gitDir, headRef);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, `${commit}\n`);
  renameSync(`${path}.new`, path);
};

/** Returns the names after `prefix`, which ends in a slash, of the refs directly below it, both loose and packed. */
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

/** Returns HEAD when it isn't on the branch (another branch's name or a commit id), else undefined. */
export const readOtherHead = (gitDir: string): string | undefined => {
  const head = readText(join(gitDir, 'HEAD'))?.trim();
  return head === `ref: ${branch}` ? undefined : (head ?? 'no HEAD file');
};

/** Returns the next step when HEAD isn't on the branch. git refuses to switch during a rebase. */
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

/** Syncs a folder's entries to disk; git syncs pack and ref files, but not their folders. */
export const syncFolder = (folder: string): void => {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** Returns when the branch last moved, in epoch milliseconds; 0 if unknown. */
export const movedAtMs = (gitDir: string): number =>
  statSync(join(gitDir, branch), { throwIfNoEntry: false })?.mtimeMs ?? 0;

export const countPacks = (gitDir: string): number =>
  readdirSync(join(gitDir, 'objects', 'pack')).filter((name) => name.endsWith('.pack')).length;

const lockFiles = [
  'index.lock',
  'HEAD.lock',
  'config.lock',
  'packed-refs.lock',
  `${branch}.lock`,
  'shallow.lock',
  'objects/info/commit-graph.lock',
];
const staleLockMs = 10_000;

/** Lock files over ten seconds old, left by a killed git. Needs the write lock. Returns the names removed. */
export const removeStaleLocks = (gitDir: string, nowMs: number): string[] => [
  ...removeStale(gitDir, lockFiles, nowMs),
  ...removeStaleRefLocks(gitDir, nowMs),
];

/** Removes stale locks of refs below `refs/anamnesis`; needs no write lock, because only sync and purge change them. */
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

/** A killed fetch leaves them, and every later fetch would fail. */
const locksOfOurRefs = (gitDir: string): readonly string[] => {
  const folder = join('refs', 'anamnesis');
  if (!existsSync(join(gitDir, folder))) return [];
  return readdirSync(join(gitDir, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.lock'))
    .map((name) => join(folder, name));
};

/** fast-import's marks and crash reports, temporary packs and objects, if over an hour old. Returns their paths. */
export const removeStaleObjects = (gitDir: string, nowMs: number): string[] => {
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
      .filter((name) => /^\.?tmp[-_]/.test(name) || (name.endsWith('.keep') && isOfFastImport(join(packs, name))))
      .map((name) => join(packs, name)),
    ...namesIn(gitDir)
      .filter((name) => name.startsWith('fast_import_crash_'))
      .map((name) => join(gitDir, name)),
  ];
  return found.filter((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || nowMs - stat.mtimeMs < staleObjectMs) return false;
    rmSync(path, { force: true });
    return true;
  });
};

/** Returns [] for a missing folder: a person's git may pack its objects and remove it at any moment. */
const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
};

/** True for the mark of a running fast-import; a leftover one would keep the pack from ever being repacked. */
const isOfFastImport = (keepFile: string): boolean => {
  const said = readText(keepFile)?.trim();
  // A full disk leaves an empty mark without a pack; a person's own mark may be empty too.
  return said === 'fast-import' || (said === '' && !existsSync(keepFile.replace(/\.keep$/, '.pack')));
};

const staleObjectMs = 3_600_000;

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // EISDIR and ENOTDIR: another ref's name has one part more or less than this one's.
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error))) return undefined;
    throw error;
  }
};

/** Retries for up to 15 s. Needs the write lock. */
export const retryWhileLocked = <Answer>(
  attempt: () => Promise<Answer>,
  gitDir: string,
  log: (line: string) => void,
): Promise<Answer> =>
  retry(attempt, () => {
    for (const name of removeStaleLocks(gitDir, Date.now()))
      log(`removed ${join(gitDir, name)}, which a killed git left behind`);
  });

/** Like `retryWhileLocked`, for changes of refs below `refs/anamnesis` only: needs no write lock. */
export const retryWhileRefLocked = <Answer>(attempt: () => Promise<Answer>, gitDir: string): Promise<Answer> =>
  retry(attempt, () => removeStaleRefLocks(gitDir, Date.now()));

const retry = async <Answer>(attempt: () => Promise<Answer>, removeStale: () => void): Promise<Answer> => {
  const deadline = Date.now() + 15_000;
  for (;;) {
    removeStale();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof GitError) || !isLocked(error.stderr) || Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
};

/** False when the lock can't be created because of a full disk or missing permission: waiting won't help. */
const isLocked = (stderr: string): boolean => lockedMessage.test(stderr) && denialInText(stderr) === undefined;

const lockedMessage = /\.lock': File exists|unable to (?:create|lock)|cannot lock ref/i;
