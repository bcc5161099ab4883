/** Runs the command line with a home folder and an environment that hold nothing else: here, or as a process. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptProgram } from '../support/built-program.js';
import { type Ran, runHere } from '../support/command-line.js';
import { removeFolder } from '../support/remove-folder.js';

export type { Ran } from '../support/command-line.js';

/** Any value: each test says what it expects of an answer. */
export type Json = ReturnType<typeof JSON.parse>;

export type RunOptions = {
  readonly input?: string | Buffer;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
};

export type TestHome = {
  /** The home folder, which holds all the others. */
  readonly folder: string;
  /** Path of the store, which does not exist yet. */
  readonly store: string;
  /** Working folder, whose project is `shop`. */
  readonly work: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs the command in this process, from the sources. */
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Returns the JSON that the command prints with `--json`; throws unless it ends with `code` (default 0). */
  json(args: readonly string[], options?: RunOptions & { readonly code?: number }): Promise<Json>;
  /** Writes notes with these titles, which are their texts as well. */
  write(...titles: readonly string[]): Promise<readonly [Json, ...Json[]]>;
  /** Runs the command as if on a terminal of 80 columns; the `stdout` returned holds both streams. */
  onTerminal(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ran>;
  /** Starts the built program, for tests of what only a process has. */
  spawn(args: readonly string[], options?: RunOptions & { readonly program?: string }): Ran;
  /** Starts it on a real terminal, which `script` opens. */
  spawnOnTerminal(args: readonly string[], env?: NodeJS.ProcessEnv): Ran;
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
  const run: TestHome['run'] = (args, options = {}) =>
    runHere(args, { cwd: options.cwd ?? work, env: { ...env, ...options.env }, input: options.input });
  const json: TestHome['json'] = async (args, options = {}) => {
    const ran = await run([...args, '--json'], options);
    if (ran.code !== (options.code ?? 0)) throw new Error(`${args.join(' ')} ended with ${ran.code}: ${ran.stderr}`);
    return JSON.parse(ran.stdout);
  };
  return {
    folder,
    store,
    work,
    env,
    run,
    json,
    async write(...titles) {
      const notes: Json[] = [];
      for (const title of titles) notes.push(await json(['write', title, '--body', title]));
      return notes as [Json, ...Json[]];
    },
    onTerminal: (args, more = {}) => runHere(args, { cwd: work, env: { ...env, TERM: 'xterm', ...more }, columns: 80 }),
    spawn(args, options = {}) {
      const ran = spawnSync(process.execPath, [options.program ?? keptProgram, ...args], {
        cwd: options.cwd ?? work,
        env: { ...env, ...options.env },
        encoding: 'utf8',
        ...(options.input === undefined ? { stdio: ['ignore', 'pipe', 'pipe'] } : { input: options.input }),
      });
      return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
    },
    spawnOnTerminal(args, more = {}) {
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
