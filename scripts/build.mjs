/** Builds dist/: one bundle per entry with shared chunks, so that a command loads only what it runs. */
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);
rmSync('dist', { recursive: true, force: true });

const result = await build({
  entryPoints: { cli: 'src/commands/cli/main.ts', thread: 'src/workers/thread.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  // better-sqlite3 is native, piscina finds its own worker file beside itself: both are installed, the rest is bundled.
  external: ['better-sqlite3', 'piscina'],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  define: { 'process.env.ANAMNESIS_VERSION': JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).version) },
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
chmodSync('dist/cli.js', 0o755);

const packages = new Set();
for (const input of Object.keys(result.metafile.inputs)) {
  const found = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found !== null) packages.add(found[0]);
}
const notices = [...packages].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
  const text = file === undefined ? `(${license})` : readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version}\n\n${text}\n`;
});
writeFileSync('dist/THIRD-PARTY.txt', `Packages bundled into this program and their licences.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`);
