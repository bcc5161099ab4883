import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore, type TestStore, writeCommand } from '../../support/store.js';

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(async () => {
  await store.close();
});

it('finds a note of a small project by words that are common elsewhere, even beside rare ones', async () => {
  const writes = Array.from({ length: 60 }, (_, at) =>
    store.memory.submit(writeCommand({ title: `Deploy queue ${at}`, body: 'deploy queue\n', project: 'large' })),
  );
  writes.push(
    store.memory.submit(writeCommand({ title: 'Odd words', body: 'flurble zebra xylem\n', project: 'large' })),
  );
  writes.push(
    store.memory.submit(writeCommand({ title: 'Small', body: 'the deploy queue stalls\n', project: 'small' })),
  );
  await Promise.all(writes);
  const { hits } = await store.memory.search('flurble zebra xylem deploy queue', { project: 'small' });
  expect(hits.map(({ title }) => title)).toEqual(['Small']);
});
