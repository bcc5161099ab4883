import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkpointOf } from '../../src/projections/checkpoint.js';
import { currentGeneration } from '../../src/projections/index/generation.js';
import { openIndexKeeper } from '../../src/workers/index-keeper.js';
import { replay } from '../../src/workers/replay.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(async () => {
  await store.close();
});

it('does not hand the holder of the write lock a file that a reader turned to and has not caught up', async () => {
  await writeNote(store.memory);
  const { memory, local } = store.memory.journals;
  const indexFolder = join(store.home, 'index');
  const before = memory.head();
  await writeNote(store.memory, { title: 'Written since' });
  const keeper = openIndexKeeper(indexFolder, [memory, local], () => undefined);
  await keeper.catchUp(memory);
  const held = currentGeneration(indexFolder);
  // A replay in another process that began before the second note.
  await replay({ journals: [{ ...memory, head: () => before }, local], indexFolder, publish: 'current' });
  expect(currentGeneration(indexFolder)).not.toBe(held);
  const read = keeper.ask((database) => checkpointOf(database, 'memory'));
  expect(keeper.askNow((database) => checkpointOf(database, 'memory'))).toBe(memory.head());
  expect(await read).toBe(memory.head());
  await keeper.catchUp(local);
  expect(keeper.askNow((database) => checkpointOf(database, 'memory'))).toBe(memory.head());
  keeper.close();
});
