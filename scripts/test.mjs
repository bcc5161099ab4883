/** npm test: types, lint, build, then the tests that decide whether a change is right. Arguments go to vitest. */
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
if (only.length === 0)
  say('npm run test:long has the long fault runs, the real Claude Code (364 MB) and sentence models (474 MB)');
