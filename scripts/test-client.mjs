/**
 * npm run test:client: the tests in test/client, with the real Claude Code from npm. It is not a dependency (364 MB):
 * it is installed on demand below .cache/claude-code/. Arguments go to vitest.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCached } from './cached-package.mjs';
import { ensureBuilt, root, run, say } from './setup.mjs';

/** The version that these tests were written against; a newer one may send other payloads. */
const version = '2.1.330';

const main = async () => {
  const client = ensureCached({
    name: '@anthropic-ai/claude-code',
    version,
    size: '364 MB',
    cache: 'claude-code',
    runsScripts: true,
    find: findClient,
  });
  if (client.binary === undefined) {
    const isWanted = process.env.ANAMNESIS_TEST_CLIENT === '1';
    say(`${isWanted ? 'anamnesis' : 'NOT RUN'}: tests with Claude Code ${version}: ${client.problem}`);
    process.exit(isWanted ? 1 : 0);
  }
  await ensureBuilt();
  const vitest = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'vitest.cmd' : 'vitest');
  run(vitest, ['run', 'test/client', ...process.argv.slice(2)], {
    shell: process.platform === 'win32',
    env: { ...process.env, ANAMNESIS_CLIENT_BINARY: client.binary },
  });
};

/** Returns undefined if the folder has no such binary, or one that does not report this version. */
const findClient = (folder) => {
  const binary = join(folder, 'node_modules', '.bin', process.platform === 'win32' ? 'claude.cmd' : 'claude');
  if (!existsSync(binary)) return undefined;
  const asked = spawnSync(binary, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' });
  return asked.status === 0 && asked.stdout.startsWith(`${version} `) ? { binary } : undefined;
};

await main();
