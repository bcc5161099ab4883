/** A git child written to and read in small pieces, for histories that don't fit in memory. */
import { PassThrough, type Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { GitError, type GitFolders, gitArguments, gitEnvironment, OutputTail } from './git-process.js';

export type GitPipe = {
  /** Waits while git is behind. Resolves immediately when git has ended; `ended` tells how. */
  write(chunk: Buffer | string): Promise<void>;
  /** Flushes, then ends git's input. */
  close(): Promise<void>;
  /** Must be read to its end, or git waits forever. */
  readonly output: AsyncIterable<Buffer>;
  /** Resolves when git succeeds; rejects with GitError when it fails. */
  readonly ended: Promise<void>;
  kill(): void;
};

/** Time for a failing git to report its error. */
const graceMs = 100;
/** Small writes are collected up to this size before they are sent. */
const chunkBytes = 64 * 1024;

export const openGitPipe = (folders: GitFolders, args: readonly string[]): GitPipe => {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn('git', gitArguments(folders, args), {
    cwd: folders.workTree,
    env: gitEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const errorTail = new OutputTail();
  child.stderr.on('data', (chunk: Buffer) => errorTail.push(chunk));
  // A git that ends early closes its input; its exit code says why.
  child.stdin.on('error', () => undefined);
  const input = new PipeInput(child.stdin);
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', (cause) => reject(new GitError(args, null, String(cause))));
    child.on('close', (exitCode) => {
      input.stop();
      if (exitCode === 0) resolve();
      else reject(new GitError(args, exitCode, errorTail.text()));
    });
  });
  // Callers who await `ended` see the error; on an abandoned pipe it must not count as unhandled.
  ended.catch(() => undefined);
  return {
    write: (chunk) => input.write(chunk),
    close: () => input.close(),
    // When a child ends, Node discards output that nothing has begun to read.
    output: child.stdout.pipe(new PassThrough()),
    ended,
    kill: () => {
      child.kill('SIGKILL');
    },
  };
};

/** Collects small writes, and waits while git is behind. */
class PipeInput {
  #pending: Buffer[] = [];
  #size = 0;
  #hasEnded = false;
  #proceed: () => void = () => undefined;

  constructor(private readonly stdin: Writable) {
    stdin.on('drain', () => this.#proceed());
  }

  stop(): void {
    this.#hasEnded = true;
    this.#proceed();
  }

  async write(chunk: Buffer | string): Promise<void> {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    this.#pending.push(bytes);
    this.#size += bytes.length;
    if (this.#size >= chunkBytes) await this.#flush();
  }

  async #flush(): Promise<void> {
    const chunk = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#size = 0;
    if (chunk.length === 0 || this.#hasEnded || this.stdin.write(chunk)) return;
    await new Promise<void>((resolve) => {
      this.#proceed = resolve;
    });
  }

  async close(): Promise<void> {
    await this.#flush();
    this.stdin.end();
  }
}

/** Runs git, writing its input while reading its output; returns the result of `read`. Throws GitError. */
export const pipeThroughGit = async <Answer>(
  folders: GitFolders,
  args: readonly string[],
  input: Iterable<string>,
  read: (output: AsyncIterable<Buffer>) => Promise<Answer>,
): Promise<Answer> => {
  const pipe = openGitPipe(folders, args);
  const feeding = (async () => {
    for (const line of input) await pipe.write(line);
    await pipe.close();
  })();
  feeding.catch(() => undefined);
  try {
    const answer = await read(pipe.output);
    await pipe.ended;
    return answer;
  } catch (error) {
    // If git failed, its own error says more than the truncated output.
    throw (
      (await Promise.race([
        pipe.ended.then(
          () => error,
          (cause: unknown) => cause,
        ),
        sleep(graceMs, error),
      ])) ?? error
    );
  } finally {
    pipe.kill();
  }
};
