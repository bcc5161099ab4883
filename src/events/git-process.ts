/** Runs git as a child process, shut off from whatever the person's environment and configuration would add. */
import { Fault } from './faults.js';

/** git could not be run or refused; `stderr` is git's own words. */
export class GitError extends Error {
  readonly code = 'git-failed';
  constructor(
    readonly args: readonly string[],
    readonly exitCode: number | null,
    readonly stderr: string,
  ) {
    super(
      `git ${args.find((arg) => !arg.startsWith('-') && !arg.includes('=')) ?? ''} failed: ${stderr.trim() || `exit ${exitCode}`}`,
    );
  }
}

/** The environment of every git child: nothing named GIT_* gets through, no configuration but the repository's. */
export const gitEnvironment = (): NodeJS.ProcessEnv => {
  const environment: NodeJS.ProcessEnv = {};
  for (const [key, value] of Object.entries(process.env)) if (!key.startsWith('GIT_')) environment[key] = value;
  return {
    ...environment,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: process.platform === 'win32' ? 'NUL' : '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
  };
};

/** Settings that win over the repository's own: its hooks, monitors and filters are never run. */
export const gitSettings: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.quotePath=false',
  'core.autocrlf=false',
  'core.excludesFile=/dev/null',
  'core.fsync=committed,loose-object',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'log.showSignature=false',
  'fastimport.unpackLimit=1',
  'gc.auto=0',
  'maintenance.auto=false',
  'safe.directory=*',
];

export type GitFolders = { readonly gitDir: string; readonly workTree: string };

export const gitArguments = ({ gitDir, workTree }: GitFolders, args: readonly string[]): string[] => [
  `--git-dir=${gitDir}`,
  `--work-tree=${workTree}`,
  ...gitSettings.flatMap((setting) => ['-c', setting]),
  ...args,
];

/** Loaded when git is first run: it brings net and streams, 5 ms that a search which needs no git does without. */
const childProcess = () => process.getBuiltinModule('node:child_process');

/** Standard output of a git command. Throws GitError. */
export const runGit = (
  folders: GitFolders,
  args: readonly string[],
  input?: Iterable<Buffer | string>,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const child = childProcess().spawn('git', gitArguments(folders, args), {
      cwd: folders.workTree,
      env: gitEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', (cause) =>
      reject(isMissing(cause) ? gitMissing(cause) : new GitError(args, null, String(cause))),
    );
    child.on('close', (exitCode) => {
      if (exitCode === 0) resolve(Buffer.concat(out));
      else reject(new GitError(args, exitCode, Buffer.concat(err).toString('utf8')));
    });
    // A git that ends early closes its input; its exit code says why, so the broken pipe itself is not news.
    child.stdin.on('error', () => undefined);
    for (const chunk of input ?? []) child.stdin.write(chunk);
    child.stdin.end();
  });

/** As runGit, but blocks: for a single small read in a command that has nothing else to do meanwhile. */
export const runGitSync = (folders: GitFolders, args: readonly string[]): Buffer => {
  const result = childProcess().spawnSync('git', gitArguments(folders, args), {
    cwd: folders.workTree,
    env: gitEnvironment(),
    maxBuffer: 1024 * 1024 * 1024,
    windowsHide: true,
  });
  if (result.error !== undefined) {
    throw isMissing(result.error) ? gitMissing(result.error) : new GitError(args, null, String(result.error));
  }
  if (result.status !== 0) throw new GitError(args, result.status, result.stderr.toString('utf8'));
  return result.stdout;
};

const isMissing = (cause: Error): boolean =>
  'code' in cause && cause.code === 'ENOENT' && 'path' in cause && cause.path === 'git';

const gitMissing = (cause: Error): Fault =>
  new Fault(
    'git-missing',
    'git could not be started',
    'install git (2.34 or newer) so that it is on PATH, then repeat the command',
    { cause },
  );
