/**
 * npm run test:faults: the tests in test/faults at full length, with their counts in a few lines at the end. SEED and
 * KILLS repeat or lengthen the run of kills. Arguments go to vitest. With --write, the counts go into docs/promises.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeWriteFlag, writeFaults } from './promises.mjs';
import { ensureBuilt, root, say } from './setup.mjs';

const { rest: only, writes } = takeWriteFlag(process.argv.slice(2));
await ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'anamnesis-faults-'));
const report = join(folder, 'report');
writeFileSync(report, '');
const vitest = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'vitest.cmd' : 'vitest');
const { status } = spawnSync(vitest, ['run', ...(only.length > 0 ? only : ['test/faults'])], {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, ANAMNESIS_TEST_FAULTS: '1', ANAMNESIS_FAULTS_REPORT: report },
});
const lines = readFileSync(report, 'utf8').trimEnd();
say(lines);
if (writes) writeFaults(lines.split('\n'), status === 0);
rmSync(folder, { recursive: true, force: true });
process.exit(status ?? 1);
