/**
 * Runs the git commands that reach another machine. Only these read the person's git configuration, for the credentials,
 * addresses and ssh settings in it; hooks, monitors and signing stay off.
 */
import { GitError, type GitFolders, gitSettings } from './git-process.js';
import { hideCredentials } from './remote-address.js';

export type NetworkOptions = {
  /** The person sits at a terminal: ssh may ask for a passphrase there. */
  readonly interactive?: boolean | undefined;
  /** Given up after so long without a sign of life, in milliseconds. */
  readonly idleMs?: number | undefined;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
};

/** Standard output. Throws GitError, without credentials in its words; exitCode null when the other side was silent for too long. */
export const runNetworkGit = (
  { gitDir, workTree }: GitFolders,
  args: readonly string[],
  { interactive = false, idleMs = usualIdleMs, signal }: NetworkOptions = {},
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { spawn } = process.getBuiltinModule('node:child_process');
    const settings = [...gitSettings, ...networkSettings].flatMap((setting) => ['-c', setting]);
    // Away from a terminal it gets a session of its own: whatever it starts can't ask there, and ends with it.
    const alone = !interactive && process.platform !== 'win32';
    const child = spawn('git', [`--git-dir=${gitDir}`, `--work-tree=${workTree}`, ...settings, ...args], {
      cwd: workTree,
      env: networkEnvironment(process.env, interactive),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: alone,
      windowsHide: true,
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let silent = false;
    const end = (): void => {
      silent = true;
      try {
        if (alone && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
        else child.kill('SIGTERM');
      } catch {
        // It ended by itself.
      }
    };
    let timer = setTimeout(end, idleMs);
    const alive = (): void => {
      clearTimeout(timer);
      timer = setTimeout(end, idleMs);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      out.push(chunk);
      alive();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      err.push(chunk);
      alive();
    });
    child.on('error', (cause) => {
      clearTimeout(timer);
      reject(new GitError(args, null, String(cause)));
    });
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (exitCode === 0) {
        resolve(Buffer.concat(out));
        return;
      }
      const words = withoutProgress(Buffer.concat(err).toString('utf8'));
      const text = silent ? `no answer for ${Math.round(idleMs / 1000)} s\n${words}` : words;
      // push --porcelain tells on standard output which ref was refused.
      reject(
        new GitError(args, silent ? null : exitCode, hideCredentials(`${text}${Buffer.concat(out).toString('utf8')}`)),
      );
    });
  });

const usualIdleMs = 60_000;

const networkSettings: readonly string[] = [
  'protocol.ext.allow=never',
  // What git itself would refuse to check out never comes here, and so never goes on to anybody else.
  'fetch.fsckObjects=true',
  'fetch.recurseSubmodules=false',
  'push.recurseSubmodules=no',
  'push.gpgSign=false',
  'push.followTags=false',
  'push.default=nothing',
];

/** What of the person's git variables says how to reach a remote; the rest would lead git to another repository. */
const passedOn = /^GIT_(?:SSH|ASKPASS|SSL|PROXY|HTTP|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)$|TRACE)/;

const networkEnvironment = (from: NodeJS.ProcessEnv, interactive: boolean): NodeJS.ProcessEnv => {
  const environment: NodeJS.ProcessEnv = {};
  for (const [key, value] of Object.entries(from)) {
    if (!key.startsWith('GIT_') || passedOn.test(key)) environment[key] = value;
  }
  return {
    ...environment,
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
    ...(interactive ? {} : { SSH_ASKPASS_REQUIRE: 'never', GCM_INTERACTIVE: 'never' }),
  };
};

const withoutProgress = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .filter(
      (line) =>
        !/^(?:remote: )?(?:Enumerating|Counting|Compressing|Receiving|Resolving|Writing|Unpacking|Total|Delta) /.test(
          line,
        ),
    )
    .join('\n');
