/** Runs a command line in the test's own process, and leaves the process as it was. */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from '../../src/cli/command-line.js';
import { streams } from '../../src/cli/output.js';
import { keptProgram } from './built-program.js';

export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type Surroundings = {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string | Buffer | undefined;
  /** Of a terminal, which all streams then are; `stdout` holds what is printed to both. */
  readonly columns?: number;
  /** Runs the arguments in place of the whole command line. */
  readonly command?: (args: readonly string[]) => Promise<unknown>;
};

/** Commands of one process run one after the other, as they share its folder and its environment. */
export const runHere = async (args: readonly string[], given: Surroundings): Promise<Ran> => {
  const folder = mkdtempSync(join(tmpdir(), 'anamnesis-run-'));
  const [input, output, errors] = ['in', 'out', 'err'].map((name) => join(folder, name)) as [string, string, string];
  if (given.input !== undefined) writeFileSync(input, given.input);
  writeFileSync(output, '');
  writeFileSync(errors, '');
  const stdin = openSync(given.input === undefined ? '/dev/null' : input, 'r');
  const stdout = openSync(output, 'a');
  const stderr = given.columns === undefined ? openSync(errors, 'a') : stdout;
  const putBack = changeProcess(args, given);
  const before = { ...streams };
  Object.assign(streams, { stdin, stdout, stderr, columns: () => given.columns });
  try {
    await (given.command ?? runCommandLine)(args);
    const code = Number(process.exitCode ?? 0);
    return { code, stdout: readFileSync(output, 'utf8'), stderr: readFileSync(errors, 'utf8') };
  } finally {
    Object.assign(streams, before);
    putBack();
    for (const descriptor of new Set([stdin, stdout, stderr])) closeSync(descriptor);
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Changes what commands read of the process; returns a function that puts it back. */
const changeProcess = (args: readonly string[], { cwd, env }: Surroundings): (() => void) => {
  const before = { cwd: process.cwd(), env: { ...process.env }, argv: process.argv, exitCode: process.exitCode };
  const umask = process.umask(0o077);
  process.chdir(cwd);
  setEnvironment(env);
  process.argv = [process.execPath, keptProgram, ...args];
  process.exitCode = undefined;
  return () => {
    process.chdir(before.cwd);
    setEnvironment(before.env);
    process.argv = before.argv;
    process.exitCode = before.exitCode;
    process.umask(umask);
  };
};

const setEnvironment = (env: NodeJS.ProcessEnv): void => {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
};
