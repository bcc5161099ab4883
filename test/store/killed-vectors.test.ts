import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openModel } from '../../src/embedding/model-cache.js';
import { importPath } from '../../src/import/importing.js';
import { staticMaker } from '../../src/store/models/making-vectors.js';
import type { CaughtUp } from '../../src/store/models/vectors.js';
import { installMadeUp } from '../embedding/made-up-model.js';
import { programOf } from '../support/children.js';
import { openStore, type TestStore } from '../support/store.js';

const slow = programOf(
  'slow-vectors',
  `import { Reading } from './src/store/reading.js';
  import { openModel } from './src/embedding/model-cache.js';
  import { staticMaker } from './src/store/models/making-vectors.js';
  const home = process.argv[2];
  const reading = new Reading({ home, machine: 'm', user: 'self' });
  const maker = staticMaker(openModel(home, 'made-up').value);
  const passages = async (notes) => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return maker.passages(notes);
  };
  await (await reading.vectors()).catchUp({ ...maker, passages });`,
);

let store: TestStore;
beforeEach(async () => {
  store = openStore();
  installMadeUp(store.home);
  const file = join(store.home, 'notes.jsonl');
  const lines = Array.from({ length: count }, (_, at) =>
    JSON.stringify({ id: `n${at}`, title: `Car ${at}`, body: 'bread' }),
  );
  writeFileSync(file, lines.join('\n'));
  await importPath(store.memory, file, { format: 'jsonl' });
});
afterEach(() => store.close());

const count = 1400;

const catchUp = async (untilMs?: number): Promise<CaughtUp> => {
  const model = openModel(store.home, 'made-up');
  if (!model.ok) throw new Error(model.problem.message);
  return (await (await store.memory.vectors()).catchUp(staticMaker(model.value), untilMs)).caughtUp;
};

it('vectors that were made before a kill are kept, and the next catch-up makes the others', async () => {
  const child = spawn(process.execPath, [slow, store.home]);
  try {
    for (let made = 0; made === 0; made = (await catchUp(0)).notes) await sleep(50);
  } finally {
    child.kill('SIGKILL');
  }
  await once(child, 'exit');
  const before = await catchUp(0);
  expect(before.left).toBeGreaterThan(0);
  expect(before.notes + before.left).toBe(count);
  expect(await catchUp()).toEqual({ notes: count, made: before.left, left: 0 });
});
