/** Child processes of tests: small programs beside this file, bundled once per test file and run by Node itself. */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';

/** Bundles `test/support/<name>.ts` and returns the path of the bundle. */
export const bundleChild = async (name: string): Promise<string> => {
  const outfile = outfileOf(name);
  await bundle({ entryPoints: [join(process.cwd(), 'test', 'support', `${name}.ts`)], outfile });
  return outfile;
};

/**
 * Returns the path of a program that exists while the tests of this file run: `source` bundled, with imports relative
 * to the top of the repository.
 */
export const programOf = (name: string, source: string): string => {
  const outfile = outfileOf(name);
  beforeAll(() => bundle({ stdin: { contents: source, resolveDir: process.cwd(), loader: 'ts' }, outfile }));
  afterAll(() => rmSync(outfile, { force: true }));
  return outfile;
};

/** Below node_modules, so that native modules resolve. */
const outfileOf = (name: string): string =>
  join(process.cwd(), 'node_modules', '.cache', 'anamnesis-test', `${name}-${process.pid}.mjs`);

const bundle = async (options: BuildOptions): Promise<void> => {
  await build({
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['better-sqlite3', 'piscina'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'error',
    ...options,
  });
};

export type ChildResult = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
};

export const startChild = (
  file: string,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): { child: ChildProcess; ended: Promise<ChildResult> } => {
  const child = spawn(process.execPath, [...nodeOptions, file, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<ChildResult>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended };
};
