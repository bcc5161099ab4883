import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { work } from '../../src/agents/working.js';
import { readConfig } from '../../src/config/settings.js';
import { openModel } from '../../src/embedding/model-cache.js';
import { Memory } from '../../src/store/memory.js';
import { staticMaker } from '../../src/store/models/making-vectors.js';
import { installMadeUp } from '../embedding/made-up-model.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
let memory: Memory;
beforeEach(async () => {
  store = openStore();
  installMadeUp(store.home);
  await writeNote(store.memory, { title: 'Vehicle' });
  memory = new Memory({ home: store.home, machine: 'testbox', user: 'self', searchModel: 'made-up' });
});
afterEach(async () => {
  await memory.finish();
  await store.close();
});

const runWorker = () =>
  work(memory, {
    config: readConfig(store.home, { ANAMNESIS_IMPORT_NATIVE: 'false' }),
    environment: {},
    userHome: store.home,
    claudeHome: store.home,
    nowMs: Date.now,
  });
const countLeft = async (): Promise<number> => {
  const model = openModel(store.home, 'made-up');
  if (!model.ok) throw new Error(model.problem.message);
  return (await (await memory.vectors()).catchUp(staticMaker(model.value), 0)).caughtUp.left;
};

describe('the background worker', () => {
  it('computes vectors once a search by meaning has created their file', async () => {
    expect((await runWorker()).problems).toEqual([]);
    // Catching up with a deadline that has passed creates the file and computes nothing.
    expect(await countLeft()).toBe(1);
    expect((await runWorker()).problems).toEqual([]);
    expect(await countLeft()).toBe(0);
  });
});
