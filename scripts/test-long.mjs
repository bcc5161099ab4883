/**
 * npm run test:long: what is too long for `npm test`. The tests in test/faults at full length, with their counts in a
 * few lines at the end; properties thousands of times; patterns on 64 KB; the real Claude Code; the real runtime of
 * sentence models. `--short` does less of each. Other arguments go to vitest instead of the default list of
 * files: SEED=1007 KILLS=100 npm run test:long -- test/faults/kill.test.ts. With --write, the counts of the faults go
 * into docs/promises.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withFastFolder } from './fast-folder.mjs';
import { takeWriteFlag, writeFaults } from './promises.mjs';
import { ensureBuilt, root, run, say } from './setup.mjs';

const { rest, writes } = takeWriteFlag(process.argv.slice(2));
const isShort = rest.includes('--short');
const only = rest.filter((argument) => argument !== '--short');
await ensureBuilt();

const hasProperties = (file) => readFileSync(file, 'utf8').includes("from 'fast-check'");
const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.test.ts'))
  .filter(
    (name) =>
      name.startsWith('test/faults/') ||
      name === 'test/patterns.test.ts' ||
      name.endsWith('.long.test.ts') ||
      hasProperties(join(root, name)),
  );

const folder = mkdtempSync(join(tmpdir(), 'anamnesis-faults-'));
const report = join(folder, 'report');
writeFileSync(report, '');
const vitest = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'vitest.cmd' : 'vitest');
const status = withFastFolder(
  (env) =>
    spawnSync(vitest, ['run', ...(only.length > 0 ? only : files)], {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
      env: { ...env, ANAMNESIS_TEST_LENGTH: isShort ? 'short' : 'long', ANAMNESIS_FAULTS_REPORT: report },
    }).status,
);
const lines = readFileSync(report, 'utf8').trimEnd();
say(lines);
if (writes) writeFaults(lines.split('\n'), status === 0);
rmSync(folder, { recursive: true, force: true });
if (status !== 0) process.exit(status ?? 1);
if (only.length === 0)
  for (const name of ['test-client.mjs', 'test-onnx.mjs']) run(process.execPath, [join(root, 'scripts', name)]);
