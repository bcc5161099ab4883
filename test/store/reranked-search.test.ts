import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/config/settings.js';
import { endModels } from '../../src/embedding/sentence/host-process.js';
import { chooseModel, chooseReranker, dropModel, installModel, listModels } from '../../src/setup/models.js';
import { testModel } from '../../src/setup/testing-models.js';
import { openReading, type Reading } from '../../src/store/reading.js';
import type { SearchOptions } from '../../src/store/search-options.js';
import { type FakeParts, useRuntime, writeRuntime } from '../embedding/sentence/fake-runtime.js';
import { publish, publishedPairs, publishedSentences } from '../embedding/sentence/tiny-onnx.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
let reading: Reading;
let putBack: () => void;
const runtime = (parts?: FakeParts): string => writeRuntime(join(store.home, 'runtime'), parts);
const settings = () => readSettings({ ANAMNESIS_HOME: store.home });
const install = (name: string, files: ReturnType<typeof publishedPairs>) =>
  installModel(settings(), { from: publish(join(store.home, 'published', name), files), sha256: [] });
const openWith = (more: object): Reading =>
  openReading({ home: store.home, machine: 'testbox', user: 'self', ...more }, () => {});
const search = (text: string, options: SearchOptions = {}) => reading.search(text, options);
const titlesOf = ({ hits }: Awaited<ReturnType<Reading['search']>>): readonly string[] =>
  hits.map(({ title }) => title);

beforeEach(async () => {
  store = openStore();
  putBack = useRuntime(runtime());
  await install('judge', publishedPairs());
  // The first is best by words: it has both in its title.
  await writeNote(store.memory, { title: 'How to run deploys', body: 'Nothing of that kind.' });
  await writeNote(store.memory, { title: 'Wheels', body: 'How the vehicle and the automobile run.' });
  reading = openWith({ rerankModel: 'judge' });
});
afterEach(async () => {
  endModels();
  putBack();
  reading.close();
  await store.close();
});

const question = 'how deploys run a car';

describe('hits that a model judges', () => {
  it('are ranked by its judgement and their score together, and the answer shows both', async () => {
    expect(titlesOf(await search(question, { mode: 'keyword' }))).toEqual(['How to run deploys', 'Wheels']);
    const judged = await search(question, { explain: true });
    expect(titlesOf(judged)).toEqual(['Wheels', 'How to run deploys']);
    expect(judged.about.degraded).toBeUndefined();
    expect(judged.hits[0]).toMatchObject({
      rank: 1,
      scores: { judged: expect.any(Number) },
      reasons: [expect.stringMatching(/^BM25/), expect.stringMatching(/^judged \d\.\d\d$/)],
    });
    for (const { fit } of judged.hits) expect(fit).toBeLessThanOrEqual(1);
  });

  it('have the same rank on any page', async () => {
    const pages = await Promise.all([0, 1].map((offset) => search(question, { k: 1, offset })));
    expect(pages.flatMap(titlesOf)).toEqual(titlesOf(await search(question)));
    expect(pages.map(({ hits, total }) => [hits[0]?.rank, total])).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  it('are at most twelve, and the others keep their order after them', async () => {
    for (let at = 0; at < 20; at += 1) await writeNote(store.memory, { title: `Deploys ${at}`, body: 'x'.repeat(at) });
    runtime({ judge: 'if (texts.length !== 12) throw new Error(String(texts.length));' });
    endModels();
    const found = await search('deploys', { k: 20, explain: true });
    expect(found.about.degraded).toBeUndefined();
    expect(found.hits.map(({ scores }) => scores?.judged !== undefined)).toEqual(
      Array.from({ length: 20 }, (_, at) => at < 12),
    );
  });

  it('are not judged in a search by words only, exact, by date, by an id or by keys', async () => {
    const asked = join(store.home, 'asked');
    runtime({ load: `require('node:fs').writeFileSync(${JSON.stringify(asked)}, '');` });
    const [{ id = '' } = {}] = (await search('wheels', { mode: 'keyword' })).hits;
    await search(question, { mode: 'keyword' });
    await search('vehicle', { mode: 'exact' });
    await search(question, { sort: 'date' });
    await search(id);
    await search('type:semantic');
    expect(existsSync(asked)).toBe(false);
    await search(question);
    expect(existsSync(asked)).toBe(true);
  });

  it('keep their order when the model fails or is late, and the answer says why', async () => {
    const words = await search(question, { mode: 'keyword' });
    const faults: readonly (readonly [FakeParts, RegExp])[] = [
      [{ judge: 'throw new Error("odd");' }, /hits were not judged: the model judge gave no answer: odd/],
      [{ load: 'process.abort();' }, /its process ended/],
      [{ judge: 'return { logits: { dims: [2, 1], data: Float32Array.of(NaN, 1) } };' }, /not numbers/],
      [{ judge: 'return { logits: { dims: [2, 2], data: new Float32Array(4) } };' }, /no judgement of each pair/],
      [{ judge: 'for (;;);' }, /gave no answer within 4000 ms/],
      [{ version: '2.17.2' }, /npm install -g/],
    ];
    for (const [parts, why] of faults) {
      endModels();
      runtime(parts);
      const found = await search(question);
      expect(found.hits.map(({ id }) => id)).toEqual(words.hits.map(({ id }) => id));
      expect(found.about.degraded).toMatch(why);
    }
    rmSync(join(store.home, 'models'), { recursive: true });
    expect((await search(question)).about.degraded).toContain('there is no model "judge"');
  });
});

describe('a model that judges', () => {
  it('is chosen beside the one for meanings, listed, tested and removed', async () => {
    await install('tiny', publishedSentences());
    await chooseModel(settings(), 'tiny');
    expect(await chooseReranker(settings(), 'judge')).toEqual({ status: 'set', rerank: 'judge' });
    expect(await chooseReranker(settings(), 'judge')).toEqual({ status: 'unchanged', rerank: 'judge' });
    expect(settings()).toMatchObject({ searchModel: 'tiny', rerankModel: 'judge' });
    expect(listModels(settings())).toMatchObject({
      in_use: 'tiny',
      rerank: 'judge',
      models: [
        { name: 'judge', kind: 'pairs', dimension: null, in_use: true },
        { name: 'tiny', kind: 'sentences', in_use: true },
      ],
    });
    expect(await testModel(settings(), 'judge')).toMatchObject({ name: 'judge', dimension: null });
    await chooseModel(settings(), undefined);
    expect(settings().rerankModel).toBe('judge');
    expect(await dropModel(settings(), 'judge')).toMatchObject({ was_in_use: true });
    expect(settings().rerankModel).toBeUndefined();
  });

  it('is refused in place of one for meanings, and vice versa', async () => {
    await install('tiny', publishedSentences());
    expect(await chooseModel(settings(), 'judge')).toMatchObject({
      code: 'model-unsupported',
      next: expect.stringContaining('--rerank judge'),
    });
    expect(await chooseReranker(settings(), 'tiny')).toMatchObject({ code: 'model-unsupported' });
    expect(await chooseReranker(settings(), 'gone')).toMatchObject({ code: 'model-unknown' });
    expect(await chooseReranker(settings(), '../up')).toMatchObject({ code: 'model-unknown' });
  });

  it('is refused if it sorts texts under several labels', async () => {
    const config = JSON.parse(String(publishedPairs()['config.json']));
    const sorting = JSON.stringify({ ...config, id2label: { 0: 'good', 1: 'bad' } });
    expect(await install('x', { ...publishedPairs(), 'config.json': sorting })).toMatchObject({
      code: 'model-unsupported',
    });
  });
});
