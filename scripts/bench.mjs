/**
 * npm run bench: sets up, builds, and runs bench/main.ts with the sizes given (1000 10000 100000 by default). With
 * --write, the results go into docs/promises.md.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeWriteFlag, writeBench } from './promises.mjs';
import { ensureBuilt, root, say } from './setup.mjs';

const { rest, writes } = takeWriteFlag(process.argv.slice(2));
const parts = ['--hooks', '--sync', '--tree', '--replay', '--model'];
const isKnown = rest.every((arg, at) => /^[1-9][0-9]*$/.test(arg) || (at === 0 && parts.includes(arg)));
if (!isKnown) {
  say(`usage: npm run bench [-- SIZE ... | ${parts.join(' | ')} | --write]`);
  process.exit(2);
}
await ensureBuilt();
const { build } = await import('esbuild');
await build({
  entryPoints: { bench: 'bench/main.ts', 'bench-writer': 'test/support/many-writer.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  external: ['better-sqlite3', 'piscina'],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
const result = spawnSync(process.execPath, ['dist/bench.mjs', ...rest], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = result.status ?? 1;
if (writes && result.status === 0)
  writeBench(JSON.parse(readFileSync(join(root, 'bench', 'results', 'latest.json'), 'utf8')).rows);
