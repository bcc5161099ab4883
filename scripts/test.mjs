/**
 * npm test: types, lint, build, then every test; those with the real Claude Code if ANAMNESIS_TEST_CLIENT is 1,
 * and those with the runtime of sentence models if ANAMNESIS_TEST_ONNX is 1. Arguments go to vitest.
 */
import { join } from 'node:path';
import { withFastFolder } from './fast-folder.mjs';
import { ensureBuilt, root, run, say } from './setup.mjs';

await ensureBuilt();
const bin = (name) => join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);
const options = { shell: process.platform === 'win32' };
const only = process.argv.slice(2);
if (only.length === 0) {
  say('types');
  run(bin('tsc'), ['-p', '.'], options);
  say('lint');
  run(bin('biome'), ['check', '--error-on-warnings', '.'], options);
}
withFastFolder((env) => run(bin('vitest'), ['run', ...only], { ...options, env }));
if (only.length === 0) {
  if (process.env.ANAMNESIS_TEST_CLIENT === '1') run(process.execPath, [join(root, 'scripts', 'test-client.mjs')]);
  else say('NOT RUN: tests with the real Claude Code, 364 MB (npm run test:client)');
  if (process.env.ANAMNESIS_TEST_ONNX === '1') run(process.execPath, [join(root, 'scripts', 'test-onnx.mjs')]);
  else say('NOT RUN: tests with the runtime of sentence models, 474 MB (npm run test:onnx)');
}
