/**
 * Runs git as a child, apart from the person's environment and configuration. Not through execa: a call takes 7 ms of
 * processor time where spawn takes 2.6, and loading it 32 ms; every write runs several children.
 */
import { existsSync } from 'node:fs';
import { Fault } from '../faults.js';
import { leastGitText } from './git-version.js';

/** git could not be run or failed; `stderr` is the end of its standard error. */
export class GitError extends Error {
  readonly code = 'git-failed';
  constructor(
    readonly args: readonly string[],
    readonly exitCode: number | null,
    readonly stderr: string,
    options?: ErrorOptions,
  ) {
    super(
      `git ${args.find((arg) => !arg.startsWith('-') && !arg.includes('=')) ?? ''} failed: ${stderr.trim() || `exit ${exitCode}`}`,
      options,
    );
  }
}

/**
 * No inherited GIT_* variable, no configuration but the repository's. Unless protocols are restricted, a repository
 * could name a remote from which git fetches objects by running a command of its choice.
 */
export const gitEnvironment = (protocols: 'none' | 'file' = 'none'): NodeJS.ProcessEnv => {
  const environment: NodeJS.ProcessEnv = {};
  for (const [key, value] of Object.entries(process.env)) if (!key.startsWith('GIT_')) environment[key] = value;
  return {
    ...environment,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: process.platform === 'win32' ? 'NUL' : '/dev/null',
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
  };
};

/** Settings that override the repository's own: its hooks, monitors and filters never run. */
export const gitSettings: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.quotePath=false',
  'core.autocrlf=false',
  'core.excludesFile=/dev/null',
  'core.attributesFile=/dev/null',
  'core.sharedRepository=false',
  'core.fsync=committed,loose-object',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'log.showSignature=false',
  'fastimport.unpackLimit=1',
  'gc.auto=0',
  'maintenance.auto=false',
  'safe.directory=*',
];

/** Without the second, git fails on an invalid .gitmodules, and omits submodules that it says to ignore. */
export const everyChange: readonly string[] = ['--no-renames', '--ignore-submodules=none'];

export type GitFolders = {
  readonly gitDir: string;
  readonly workTree: string;
};

export const gitArguments = ({ gitDir, workTree }: GitFolders, args: readonly string[]): string[] => [
  `--git-dir=${gitDir}`,
  `--work-tree=${workTree}`,
  ...gitSettings.flatMap((setting) => ['-c', setting]),
  ...args,
];

/** Loaded on first use: it loads net and streams too, 5 ms that a search without git saves. */
const childProcess = () => process.getBuiltinModule('node:child_process');

/** Returns a git command's standard output. Throws GitError. */
export const runGit = async (
  folders: GitFolders,
  args: readonly string[],
  input?: Iterable<Buffer | string>,
): Promise<Buffer> => {
  const out: Buffer[] = [];
  await streamGit(folders, args, (chunk) => out.push(chunk) > 0, input);
  return Buffer.concat(out);
};

/** Passes output to `take` as it arrives; when that returns false, git is ended, without an error. Throws GitError. */
export const streamGit = (
  folders: GitFolders,
  args: readonly string[],
  take: (chunk: Buffer) => boolean,
  input?: Iterable<Buffer | string>,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = childProcess().spawn('git', gitArguments(folders, args), {
      cwd: folders.workTree,
      // The only thing fetched here is a bundle, which is a file.
      env: gitEnvironment(args.includes('fetch') ? 'file' : 'none'),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    child.on('error', (cause) => reject(notStarted(folders, args, cause)));
    // When no more files may be opened, the pipes are undefined, whatever the types say.
    if (child.stdout === undefined) return;
    const errorTail = new OutputTail();
    let stopped = false;
    const stop = (): void => {
      stopped = true;
      child.stdout.removeAllListeners('data').resume();
      child.kill('SIGKILL');
    };
    child.stdout.on('data', (chunk: Buffer) => {
      try {
        if (!take(chunk)) stop();
      } catch (error) {
        stop();
        reject(error);
      }
    });
    child.stderr.on('data', (chunk: Buffer) => errorTail.push(chunk));
    child.on('close', (exitCode, signal) => {
      if (exitCode === 0 || stopped) resolve();
      else reject(new GitError(args, exitCode, `${errorTail.text()}${describeSignal(signal)}`));
    });
    // A git that ends early closes its input; its exit code says why, so the broken pipe is ignored.
    child.stdin.on('error', () => undefined);
    for (const chunk of input ?? []) child.stdin.write(chunk);
    child.stdin.end();
  });

/** Like runGit, but blocks: for a single small read in a command that has nothing else to do. */
export const runGitSync = (folders: GitFolders, args: readonly string[]): Buffer => {
  const result = childProcess().spawnSync('git', gitArguments(folders, args), {
    cwd: folders.workTree,
    env: gitEnvironment(),
    maxBuffer: 1024 * 1024 * 1024,
    windowsHide: true,
  });
  if (result.error !== undefined) throw notStarted(folders, args, result.error);
  if (result.status !== 0) {
    throw new GitError(
      args,
      result.status,
      `${result.stderr.subarray(-maxWordsBytes).toString('utf8')}${describeSignal(result.signal)}`,
    );
  }
  return result.stdout;
};

/** Describes the signal that killed git, which git could not report itself. */
const describeSignal = (signal: string | null): string => (signal === null ? '' : `git: killed by ${signal}`);

const notStarted = (folders: GitFolders, args: readonly string[], cause: Error): Error =>
  isMissing(cause)
    ? (folderMissing(folders, cause) ?? gitMissing(cause))
    : new GitError(args, null, String(cause), { cause });

/** Returns a fault when the working tree is missing: the system's error names the program for a missing folder, too. */
export const folderMissing = ({ workTree }: GitFolders, cause: unknown): Fault | undefined =>
  existsSync(workTree)
    ? undefined
    : new Fault(
        'journal-missing',
        `${workTree} is gone`,
        'restore it (mount its disk, or copy it from a backup), then repeat the command; anamnesis doctor says more',
        { cause },
      );

/** True when git is not on PATH or not executable. */
const isMissing = (cause: Error): boolean =>
  'code' in cause && (cause.code === 'ENOENT' || cause.code === 'EACCES') && 'path' in cause && cause.path === 'git';

export const gitMissing = (cause: unknown): Fault =>
  new Fault(
    'git-missing',
    'git could not be started',
    `install git (${leastGitText} or newer) and put it on PATH, then repeat the command`,
    { cause },
  );

/** git's own errors are a few lines, but it passes on a remote's messages without limit. */
export const maxWordsBytes = 64 * 1024;

/** Keeps only the end of a child process's output, however much it prints. */
export class OutputTail {
  #kept: Buffer = Buffer.alloc(0);
  /** All bytes pushed, kept or not. */
  bytes = 0;

  push(chunk: Buffer): void {
    this.bytes += chunk.length;
    this.#kept = Buffer.concat([this.#kept, chunk]).subarray(-maxWordsBytes);
  }

  text(): string {
    return this.#kept.toString('utf8');
  }
}

/** Journals have one branch. */
export const branch = 'refs/heads/main';

/** Our last head, by which a person's moves of the branch are told. It is written after main, and may lag behind it. */
export const headRef = 'refs/anamnesis/head';
