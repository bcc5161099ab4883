/**
 * npm run test:onnx: the tests in test/onnx, with the real runtime of sentence models. It is not a dependency (474 MB):
 * it is installed on demand below .cache/transformers/. Arguments go to vitest.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCached } from './cached-package.mjs';
import { ensureBuilt, root, run, say } from './setup.mjs';

const name = '@huggingface/transformers';
const version = process.env.ANAMNESIS_TEST_TRANSFORMERS ?? '4.3.1';

const main = async () => {
  // Its scripts would fetch the parts that run models on graphics cards.
  const found = ensureCached({
    name,
    version,
    size: '474 MB',
    cache: 'transformers',
    runsScripts: false,
    find: findPackage,
  });
  if (found.folder === undefined) {
    const isWanted = process.env.ANAMNESIS_TEST_ONNX === '1';
    say(`${isWanted ? 'anamnesis' : 'NOT RUN'}: tests with ${name} ${version}: ${found.problem}`);
    process.exit(isWanted ? 1 : 0);
  }
  await ensureBuilt();
  const vitest = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'vitest.cmd' : 'vitest');
  run(vitest, ['run', 'test/onnx', ...process.argv.slice(2)], {
    shell: process.platform === 'win32',
    env: { ...process.env, ANAMNESIS_TRANSFORMERS: found.folder },
  });
};

const findPackage = (folder) => {
  const file = join(folder, 'node_modules', ...name.split('/'), 'package.json');
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version ? { folder } : undefined;
};

await main();
