/** Runs a program to its deadline, with bounded output, and kills what it started too, which execa doesn't. */
import { ChildProcess, spawn } from 'node:child_process';

export type ProgramRun = {
  /** A `.cmd` or `.bat` is passed to the Windows command interpreter. */
  readonly file: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Its standard input. */
  readonly input: string;
  readonly timeoutMs: number;
  /** Limit for standard output; a program that exceeds it is killed. */
  readonly maxBytes: number;
};

export type ProgramEnd =
  | { readonly kind: 'ended'; readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'not-started'; readonly code: string };

export const runProgram = (run: ProgramRun): Promise<ProgramEnd> =>
  new Promise((resolve) => {
    const child = start(run);
    if (!(child instanceof ChildProcess)) {
      resolve(child);
      return;
    }
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let outBytes = 0;
    let errBytes = 0;
    const killAll = (): void => killGroup(child);
    const finish = (end: ProgramEnd): void => {
      clearTimeout(timer);
      process.off('exit', killAll);
      resolve(end);
    };
    const stop = (end: ProgramEnd): void => {
      killAll();
      // A child of the program may hold the pipes open after the program is gone.
      child.stdout?.destroy();
      child.stderr?.destroy();
      finish(end);
    };
    const timer = setTimeout(() => stop({ kind: 'timed-out' }), run.timeoutMs);
    process.on('exit', killAll);
    child.stdout?.on('data', (chunk: Buffer) => {
      outBytes += chunk.byteLength;
      if (outBytes > run.maxBytes) stop({ kind: 'too-long' });
      else out.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      errBytes += chunk.byteLength;
      if (errBytes <= maxErrorBytes) err.push(chunk);
    });
    child.on('error', (error) => finish({ kind: 'not-started', code: codeOf(error) }));
    child.on('close', (exitCode) =>
      finish({
        kind: 'ended',
        exitCode,
        stdout: Buffer.concat(out).toString('utf8'),
        stderr: Buffer.concat(err).toString('utf8'),
      }),
    );
    // A program that ends without reading closes its input; its exit code says why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(run.input);
  });

/** For `cmd.exe /d /s /c`. A `.cmd` parses its arguments twice, so escapes double; a line break becomes a space. */
export const formatCommandLine = (file: string, args: readonly string[]): string => {
  const caret = (text: string): string => text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
  const quote = (arg: string): string =>
    `"${arg
      .replace(/[\r\n]+/g, ' ')
      .replace(/(?<!\\)(\\*)"/g, '$1$1\\"')
      .replace(/(?<!\\)(\\+)$/, '$1$1')}"`;
  return `"${[caret(file), ...args.map((arg) => caret(caret(quote(arg))))].join(' ')}"`;
};

const maxErrorBytes = 64 * 1024;

const start = ({ file, args, folder, environment }: ProgramRun): ChildProcess | ProgramEnd => {
  const options = { cwd: folder, env: environment, windowsHide: true };
  try {
    return /\.(?:cmd|bat)$/i.test(file)
      ? spawn(environment['ComSpec'] ?? 'cmd.exe', ['/d', '/s', '/c', formatCommandLine(file, args)], {
          ...options,
          windowsVerbatimArguments: true,
        })
      : // A process group of its own, so that what it starts can be killed with it.
        spawn(file, [...args], { ...options, detached: process.platform !== 'win32' });
  } catch (error) {
    // Arguments that can't be passed to any program: too long, or with a NUL in them.
    return { kind: 'not-started', code: codeOf(error) };
  }
};

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown');

const killGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already exited.
  }
};
