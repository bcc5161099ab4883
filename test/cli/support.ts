/** Runs the built program as a process with a home folder and an environment that hold nothing else. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptProgram } from '../support/built-program.js';
import { removeFolder } from '../support/remove-folder.js';

export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Any value: each test says what it expects of an answer. */
export type Json = ReturnType<typeof JSON.parse>;

export type RunOptions = {
  readonly input?: string | Buffer;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly program?: string;
};

export type TestHome = {
  /** The home folder, which holds all the others. */
  readonly folder: string;
  /** Path of the store, which does not exist yet. */
  readonly store: string;
  /** Working folder, whose project is `shop`. */
  readonly work: string;
  readonly env: NodeJS.ProcessEnv;
  run(args: readonly string[], options?: RunOptions): Ran;
  /** Returns the JSON that the command prints with `--json`; throws unless it ends with `code` (default 0). */
  json(args: readonly string[], options?: RunOptions & { readonly code?: number }): Json;
  /** Runs the command on a terminal that `script` opens; the `stdout` returned holds both streams. */
  onTerminal(args: readonly string[], env?: NodeJS.ProcessEnv): Ran;
  remove(): void;
};

export const openHome = (): TestHome => {
  const folder = mkdtempSync(join(tmpdir(), 'anamnesis-cli-'));
  const store = join(folder, 'store');
  const work = join(folder, 'shop');
  mkdirSync(work);
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    TMPDIR: folder,
    TZ: 'UTC',
    ANAMNESIS_HOME: store,
    ANAMNESIS_MACHINE_ID: 'testbox',
  };
  const run = (args: readonly string[], options: RunOptions = {}): Ran => {
    const ran = spawnSync(process.execPath, [options.program ?? keptProgram, ...args], {
      cwd: options.cwd ?? work,
      env: { ...env, ...options.env },
      encoding: 'utf8',
      ...(options.input === undefined ? { stdio: ['ignore', 'pipe', 'pipe'] } : { input: options.input }),
    });
    return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
  };
  return {
    folder,
    store,
    work,
    env,
    run,
    json(args, options = {}) {
      const ran = run([...args, '--json'], options);
      if (ran.code !== (options.code ?? 0)) throw new Error(`${args.join(' ')} ended with ${ran.code}: ${ran.stderr}`);
      return JSON.parse(ran.stdout);
    },
    onTerminal(args, more = {}) {
      const line = [process.execPath, keptProgram, ...args]
        .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
        .join(' ');
      const ran = spawnSync('script', ['-qec', `stty cols 80; ${line}`, '/dev/null'], {
        cwd: work,
        env: { ...env, SHELL: '/bin/sh', TERM: 'xterm', ...more },
        encoding: 'utf8',
        input: '',
      });
      return { code: ran.status, stdout: ran.stdout.replaceAll('\r\n', '\n'), stderr: ran.stderr };
    },
    remove: () => removeFolder(folder),
  };
};

export const hasProgram = (name: string): boolean => spawnSync(name, ['--version']).error === undefined;

/** The keys that every note of an answer has. */
export const noteKeys = [
  'id',
  'type',
  'title',
  'project',
  'machine_id',
  'scope',
  'user_id',
  'workspace_id',
  'prov_source',
  'confidence',
  'tags',
  'created_at',
  'updated_at',
  'version',
] as const;

export const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
