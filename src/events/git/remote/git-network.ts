/** git commands that reach another machine: only these read the person's configuration, without hooks or signing. */
import type { ChildProcess } from 'node:child_process';
import { GitError, type GitFolders, gitSettings, OutputTail } from '../git-process.js';
import { hideCredentials, showAddress } from './remote-address.js';

export type NetworkOptions = {
  /** A person is at a terminal: ssh may ask for a passphrase. */
  readonly interactive?: boolean | undefined;
  /** Gives up after this many milliseconds without output. */
  readonly idleMs?: number | undefined;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
};

/** Throws GitError without credentials, its exitCode null when git was ended: for silence, size or `signal`. */
export const runNetworkGit = (
  { gitDir, workTree }: GitFolders,
  args: readonly string[],
  { interactive = false, idleMs = usualIdleMs, signal }: NetworkOptions = {},
  input?: string,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { spawn } = process.getBuiltinModule('node:child_process');
    const settings = [...gitSettings, ...networkSettings].flatMap((setting) => ['-c', setting]);
    // Without a terminal, git gets its own session: nothing it starts can prompt, and all of it can be ended together.
    const isDetached = !interactive && process.platform !== 'win32';
    const child = spawn('git', [`--git-dir=${gitDir}`, `--work-tree=${workTree}`, ...settings, ...args], {
      cwd: workTree,
      env: networkEnvironment(process.env, interactive),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: isDetached,
      windowsHide: true,
    });
    const call = new NetworkCall(child, isDetached, idleMs);
    // A git that ends early closes its input; its exit code says why.
    child.stdin?.on('error', () => undefined).end(input);
    const abort = (): void => call.end('it was asked to stop');
    signal?.addEventListener('abort', abort);
    if (signal?.aborted === true) abort();
    child.on('error', (cause) => {
      call.finish();
      reject(new GitError(args, null, String(cause)));
    });
    child.on('close', (exitCode) => {
      call.finish();
      signal?.removeEventListener('abort', abort);
      if (exitCode === 0 && call.endReason === undefined) resolve(call.output());
      else reject(failure(args, call.endReason === undefined ? exitCode : null, call.words()));
    });
  });

/** What a git says, which is ended when that is too much, or nothing for too long. */
class NetworkCall {
  endReason: string | undefined;
  readonly #out: Buffer[] = [];
  readonly #outTail = new OutputTail();
  readonly #words = new OutputTail();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly child: ChildProcess,
    private readonly isDetached: boolean,
    private readonly idleMs: number,
  ) {
    this.#restartTimer();
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#outTail.push(chunk);
      if (this.#outTail.bytes <= maxAnswerBytes) this.#out.push(chunk);
      else this.end(`it answered with more than ${maxAnswerBytes} bytes`);
      this.#restartTimer();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#words.push(chunk);
      if (this.#words.bytes > maxTalkBytes) this.end(`it said more than ${maxTalkBytes} bytes`);
      this.#restartTimer();
    });
  }

  #restartTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(`no answer for ${Math.round(this.idleMs / 1000)} s`), this.idleMs);
  }

  end(why: string): void {
    this.endReason ??= why;
    try {
      if (this.isDetached && this.child.pid !== undefined) process.kill(-this.child.pid, 'SIGTERM');
      else this.child.kill('SIGTERM');
    } catch {
      // It has already ended.
    }
  }

  finish(): void {
    clearTimeout(this.#timer);
  }

  output(): Buffer {
    return Buffer.concat(this.#out);
  }

  /** push --porcelain reports on standard output which ref was refused. */
  words(): string {
    const said = withoutProgress(this.#words.text());
    return `${this.endReason === undefined ? said : `${this.endReason}\n${said}`}${this.#outTail.text()}`;
  }
}

/** git repeats the address in its errors; the address may contain a quote or a blank. */
const failure = (args: readonly string[], exitCode: number | null, words: string): GitError => {
  const addresses = args.filter((arg) => arg.includes('://'));
  const hidden = addresses.reduce((text, address) => text.replaceAll(address, () => showAddress(address)), words);
  const shown = args.map((arg) => (addresses.includes(arg) ? showAddress(arg) : arg));
  return new GitError(shown, exitCode, hideCredentials(hidden));
};

const usualIdleMs = 60_000;
/** For a remote's refs, or the results of a push: one line per machine. */
const maxAnswerBytes = 4 * 1024 * 1024;
/** For progress and messages of the remote: enough for days. */
const maxTalkBytes = 64 * 1024 * 1024;

const networkSettings: readonly string[] = [
  'protocol.ext.allow=never',
  // Trees that git would refuse to check out are never received, and so never passed on.
  'fetch.fsckObjects=true',
  'fetch.recurseSubmodules=false',
  'push.recurseSubmodules=no',
  'push.gpgSign=false',
  'push.followTags=false',
  'push.default=nothing',
];

/** The person's git variables that say how to reach a remote; others would point git to another repository. */
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

/** Drops progress, which is overwritten after a CR; ssh also ends its lines with a CR before the LF. */
const withoutProgress = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .filter(
      (line) =>
        !/^(?:remote: )?(?:Enumerating|Counting|Compressing|Receiving|Resolving|Writing|Unpacking|Total|Delta) /.test(
          line,
        ),
    )
    .join('\n');
