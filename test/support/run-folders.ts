/** Folders of one test run: files that test files make for each other stay until the last test file is done. */
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { copyWordLists } from '../../scripts/word-lists.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** For stores that are made once and copied. */
    readonly templateFolder: string;
    /** For built programs: below node_modules, where native modules are found. */
    readonly bundleFolder: string;
  }
}

export default (project: TestProject): (() => void) => {
  const templateFolder = mkdtempSync(join(tmpdir(), 'anamnesis-test-templates-'));
  const caches = join(process.cwd(), 'node_modules', '.cache', 'anamnesis-test');
  mkdirSync(caches, { recursive: true });
  const bundleFolder = mkdtempSync(join(caches, 'run-'));
  // Some tests continue as the user nobody, who runs programs in it.
  chmodSync(bundleFolder, 0o755);
  for (const folder of [caches, bundleFolder]) copyWordLists(folder);
  copyProgram(join(bundleFolder, 'dist'));
  project.provide('templateFolder', templateFolder);
  project.provide('bundleFolder', bundleFolder);
  return () => {
    for (const folder of [templateFolder, bundleFolder]) rmSync(folder, { recursive: true, force: true });
  };
};

/** Copies the built program if there is one: most tests need no build. */
const copyProgram = (folder: string): void => {
  const built = join(process.cwd(), 'dist');
  if (!existsSync(join(built, 'cli.js'))) return;
  cpSync(built, folder, { recursive: true, filter: (path) => basename(path) !== 'compiled' });
  const main = /\bmain-[\w-]+\.js\b/.exec(readFileSync(join(built, 'cli.js'), 'utf8'))?.[0];
  if (main === undefined) throw new Error('dist/cli.js names no main file');
  buildSync({
    stdin: { contents: starterOf(main), resolveDir: process.cwd(), loader: 'ts' },
    outfile: join(folder, 'cli.js'),
    allowOverwrite: true,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
  });
};

/** Starts every command in the way that `src/cli/start/start.ts` starts those that someone waits for. */
const starterOf = (main: string): string => `import { createRequire } from 'node:module';
  import { runWithCodeCache } from './src/cli/start/code-cache.js';
  const { argv, env, execArgv } = process;
  const hasFlags = execArgv.length > 0 || ['NODE_OPTIONS', 'NODE_V8_COVERAGE'].some((name) => env[name]);
  const requireOther = createRequire(__filename);
  const [command = '', more = ''] = argv.slice(2);
  const name = command === 'hook' ? 'hook-' + more : command;
  const isName = /^[a-z-]{1,40}$/.test(name);
  if (hasFlags) requireOther('./${main}');
  else runWithCodeCache(__dirname, '${main}', isName ? name : 'other', requireOther);`;
