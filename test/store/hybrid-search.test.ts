import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelFolder } from '../../src/embedding/installed-models.js';
import { benchSet } from '../../src/eval/benching.js';
import { Reading } from '../../src/store/reading.js';
import { installMadeUp, madeUpParts } from '../embedding/made-up-model.js';
import { processorMs } from '../support/processor-time.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
let reading: Reading;
const settings = (searchModel?: string) => ({ home: store.home, machine: 'testbox', user: 'self', searchModel });
const titlesOf = ({ hits }: Awaited<ReturnType<Reading['search']>>): readonly string[] =>
  hits.map(({ title }) => title);
const searchWith = async (model: string | undefined, text: string, options: Parameters<Reading['search']>[1] = {}) => {
  const other = new Reading(settings(model));
  try {
    return await other.search(text, options);
  } finally {
    other.close();
  }
};

beforeAll(async () => {
  store = openStore();
  // All of them have the words asked for, the first most often.
  await writeNote(store.memory, { title: 'Engine, engine', body: 'The engine of the bakery. Engine, engine.' });
  await writeNote(store.memory, { title: 'Engine', body: 'Which engine the vehicle has.' });
  await writeNote(store.memory, { title: 'Other', body: 'An engine among unbelievable things.', project: 'other' });
  installMadeUp(store.home);
  reading = new Reading(settings('made-up'));
});
afterAll(async () => {
  reading.close();
  await store.close();
});

describe('a search with a model', () => {
  it('ranks the note that means what was asked first', async () => {
    const words = await reading.search('automobile engine', { mode: 'keyword' });
    const both = await reading.search('automobile engine', {});
    expect(titlesOf(words)[0]).toBe('Engine, engine');
    expect(words.about).toEqual({});
    expect(titlesOf(both)[0]).toBe('Engine');
    expect(both).toMatchObject({ about: { mode: 'hybrid' }, total: words.total });
    expect(both.hits[0]?.reasons).toEqual([
      expect.stringMatching(/^BM25 rank 2: engine/),
      expect.stringMatching(/^meaning /),
    ]);
  });

  it('respects the filter, the limit and the offset', async () => {
    expect(titlesOf(await reading.search('automobile engine', { project: 'other' }))).toEqual(['Other']);
    const all = titlesOf(await reading.search('automobile engine', {}));
    const pages = [0, 1, 2].map((offset) => reading.search('automobile engine', { k: 1, offset }));
    expect((await Promise.all(pages)).flatMap(titlesOf)).toEqual(all);
    expect(await reading.search('zebra', {})).toMatchObject({ hits: [], about: { mode: 'hybrid' } });
  });

  it('finds as many notes when a project is preferred', async () => {
    expect(titlesOf(await reading.search('engine', { prefer: 'other' }))).toHaveLength(3);
  });

  it('still finds a note whose file was changed meanwhile, and shows its current text', async () => {
    const found = await reading.search('automobile engine', {});
    const hit = found.hits[0];
    const { path } = await store.memory.show(hit?.id ?? '').then((shown) => (shown.ok ? shown.answer : { path: '' }));
    expect(path).toContain(store.home);
    const text = readFileSync(path ?? '', 'utf8');
    writeFileSync(path ?? '', text.replace('Which engine the vehicle has.', 'changed by hand'));
    const again = await reading.search('automobile engine', {});
    expect(again.hits.find(({ id }) => id === hit?.id)?.snippet).toContain('changed by hand');
  });
});

describe('a search without its model', () => {
  it('cannot be benchmarked', async () => {
    const model = { home: store.home, name: 'never-installed' };
    await expect(benchSet(store.home, { model })).rejects.toMatchObject({ code: 'model-unusable' });
  });

  it('is the search by words, and says so only when a model was asked for', async () => {
    const words = await searchWith(undefined, 'automobile engine');
    expect(words.about).toEqual({});
    const asked = await searchWith(undefined, 'automobile engine', { mode: 'hybrid' });
    const about = { mode: 'keyword', degraded: expect.stringContaining('no model is in use') };
    expect(asked).toEqual({ ...words, about });
  });

  it('is the search by words, in less than 250 ms, when the model is missing, truncated or another file', async () => {
    const words = await searchWith(undefined, 'automobile engine');
    const parts = madeUpParts();
    const weights = join(modelFolder(store.home, 'gone'), 'vectors.bin');
    const faults: readonly (() => void)[] = [
      () => {},
      () => installMadeUp(store.home, 'gone', { ...parts, scales: parts.scales.map(() => 1e30) }),
      () => writeFileSync(weights, 'no model'),
      () => truncateSync(weights, 300),
      () => truncateSync(weights, 3_000_000_000),
      () => {
        rmSync(weights);
        execFileSync('mkfifo', [weights]);
      },
      () => rmSync(join(modelFolder(store.home, 'gone'), 'anamnesis.json')),
    ];
    for (const put of faults) {
      put();
      const started = processorMs();
      const found = await searchWith('gone', 'automobile engine');
      expect(processorMs() - started).toBeLessThan(250);
      const about = { mode: 'keyword', degraded: expect.stringMatching(/^words alone counted: /) };
      expect(found).toEqual({ ...words, about });
    }
    rmSync(modelFolder(store.home, 'gone'), { recursive: true });
  });
});
