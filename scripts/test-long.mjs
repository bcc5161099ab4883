/**
 * npm run test:long: what is too long for `npm test`. The files named *.long.test.ts, and at full length what other
 * tests do a little of: kills, random machines, properties. Then the real Claude Code and the real runtime of sentence
 * models. `--short` does less of each. Other arguments go to vitest instead of the default list of files:
 * SEED=1007 KILLS=100 npm run test:long -- test/faults/kill.test.ts. With --write, the counts of the faults go into
 * docs/promises.md.
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

/** Files whose tests do more in a longer run; properties were tried often enough by `npm test` for a short one. */
const doesMore = (file) => {
  const text = readFileSync(file, 'utf8');
  return /run-length\.js'/.test(text) || (!isShort && text.includes("from 'fast-check'"));
};
const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.test.ts'))
  .filter((name) => name.endsWith('.long.test.ts') || doesMore(join(root, name)));

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
