import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { programOf, startChild } from '../support/children.js';
import { temporaryFolder } from '../support/store.js';

const rounds = 25;
/** Creates the databases of a store as soon as a file appears, once a round. */
const program = programOf(
  'open-at-once',
  `import { existsSync } from 'node:fs';
  import { openAgentState } from './src/state/agent-state.js';
  import { openState } from './src/state/state.js';
  const [folder, rounds] = process.argv.slice(2);
  for (let at = 0; at < Number(rounds); at += 1) {
    while (!existsSync(folder + '/go-' + at)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    const state = openState(folder + '/state-' + at + '.db');
    state.setFact('key', 'value');
    state.close();
    openAgentState(folder + '/agents-' + at + '.db').close();
    process.stdout.write('opened\\n');
  }`,
);

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('lets several processes create one store at the same moment', async () => {
  const children = Array.from({ length: 5 }, () => startChild(program, [folder, String(rounds)]));
  let opened = 0;
  for (const { child } of children)
    child.stdout?.on('data', (chunk) => {
      opened += String(chunk).split('\n').length - 1;
    });
  const isOver = Promise.race(children.map(({ ended }) => ended));
  for (let at = 0; at < rounds; at += 1) {
    writeFileSync(join(folder, `go-${at}`), '');
    await Promise.race([isOver, waitUntil(() => opened >= (at + 1) * children.length)]);
  }
  for (const { ended } of children) expect(await ended).toMatchObject({ code: 0, stderr: '' });
}, 60_000);

const waitUntil = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 2));
};
