import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { work } from '../../src/agents/working.js';
import { readConfig, readSettings } from '../../src/config/settings.js';
import { endModels } from '../../src/embedding/sentence/sentence-embedder.js';
import { installModel } from '../../src/setup/models.js';
import { Memory } from '../../src/store/memory.js';
import { makeVectors } from '../../src/store/models/making-vectors.js';
import { Reading } from '../../src/store/reading.js';
import type { SearchOptions } from '../../src/store/search-options.js';
import { type FakeParts, useRuntime, writeRuntime } from '../embedding/sentence/fake-runtime.js';
import { publish, publishedSentences } from '../embedding/sentence/tiny-onnx.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
let reading: Reading;
let putBack: () => void;
const runtime = (parts?: FakeParts): string => writeRuntime(join(store.home, 'runtime'), parts);
const install = (more: object = {}) =>
  installModel(readSettings({ ANAMNESIS_HOME: store.home }), {
    from: publish(join(store.home, 'tiny'), { ...publishedSentences(), ...more }),
  });
const make = async () => {
  const made = await makeVectors(reading);
  if ('code' in made) throw new Error(made.message);
  return made;
};
const search = (text: string, options: SearchOptions = {}) => reading.search(text, options);
const titlesOf = ({ hits }: Awaited<ReturnType<Reading['search']>>): readonly string[] =>
  hits.map(({ title }) => title);

beforeEach(async () => {
  store = openStore();
  putBack = useRuntime(runtime());
  await install();
  await writeNote(store.memory, { title: 'Vehicle', body: 'It runs.' });
  await writeNote(store.memory, { title: 'Loaf', body: 'From the bakery.' });
  await writeNote(store.memory, { title: 'Store', body: 'Kept in sqlite.' });
  reading = new Reading({ home: store.home, machine: 'testbox', user: 'self', searchModel: 'tiny' });
});
afterEach(async () => {
  endModels();
  putBack();
  reading.close();
  await store.close();
});

describe('a search with a sentence model', () => {
  it('finds notes without a shared word beside those with one, once the notes have vectors', async () => {
    expect(await search('automobile')).toMatchObject({
      hits: [],
      about: { mode: 'keyword', degraded: expect.stringContaining('no note has vectors yet') },
    });
    expect(await make()).toMatchObject({ model: 'tiny', notes: 3, made: 3, left: 0 });
    const both = await search('automobile sqlite', { explain: true });
    expect(both.about).toEqual(expect.objectContaining({ mode: 'hybrid' }));
    expect(both.about.degraded).toBeUndefined();
    expect(titlesOf(both)).toEqual(expect.arrayContaining(['Store', 'Vehicle']));
    expect(titlesOf(await search('automobile', { mode: 'semantic' }))[0]).toBe('Vehicle');
  });

  it('covers machine-local and sensitive notes, and queries for them, since nothing leaves the machine', async () => {
    await writeNote(store.memory, { title: 'Local car', body: 'machine bound', scope: 'machine-local' });
    await writeNote(store.memory, { title: 'Salary', body: 'confidential bread' });
    const [{ path = '' } = {}] = (await search('confidential', { mode: 'keyword' })).hits;
    writeFileSync(path, readFileSync(path, 'utf8').replace('---\n', '---\nsensitive: true\n'));
    await store.memory.adopt('hold');
    expect(await make()).toMatchObject({ notes: 5 });
    expect(titlesOf(await search('automobile scope:machine-local'))).toEqual(['Local car']);
    expect(titlesOf(await search('bakery', { mode: 'semantic' }))).toContain('Salary');
    expect((await search(`vehicle ghp_${'a1B2'.repeat(9)}`)).about.degraded).toBeUndefined();
  });

  it('says how many notes have no vectors yet, which the worker then makes', async () => {
    await make();
    await writeNote(store.memory, { title: 'Jog', body: 'New.' });
    expect((await search('jog automobile')).about.degraded).toContain('1 of 4 notes have no vectors yet');
    const settings = { home: store.home, machine: 'testbox', user: 'self', searchModel: 'tiny' };
    const memory = new Memory(settings);
    const worked = await work(memory, {
      config: readConfig(store.home, { ANAMNESIS_IMPORT_NATIVE: 'false' }),
      environment: {},
      userHome: store.home,
      claudeHome: store.home,
      nowMs: Date.now,
    });
    await memory.finish();
    expect(worked.problems).toEqual([]);
    expect((await search('jog automobile')).about.degraded).toBeUndefined();
  });

  it('falls back to words when the model fails, and says why', async () => {
    await make();
    const words = await search('vehicle', { mode: 'keyword' });
    const faults: readonly (readonly [FakeParts, RegExp])[] = [
      [{ load: 'process.abort();' }, /its process ended/],
      [{ run: 'throw new Error("out of memory");' }, /gave no answer: out of memory/],
      [{ version: '2.17.2' }, /2\.17\.2 is installed, .*npm install -g/],
    ];
    for (const [parts, why] of faults) {
      endModels();
      runtime(parts);
      const about = { mode: 'keyword', degraded: expect.stringMatching(why) };
      expect(await search('vehicle')).toEqual({ ...words, about });
      expect(await search('vehicle', { mode: 'semantic' })).toEqual({ ...words, about });
    }
  });

  it('falls back to words when the model or its package is gone, and says what to do', async () => {
    const words = titlesOf(await search('vehicle', { mode: 'keyword' }));
    rmSync(join(store.home, 'runtime'), { recursive: true });
    expect((await search('vehicle')).about.degraded).toMatch(
      /@huggingface\/transformers.* is not installed.*npm install/,
    );
    rmSync(join(store.home, 'models', 'tiny', 'anamnesis.json'));
    expect((await search('vehicle')).about.degraded).toMatch(/tiny is damaged: anamnesis\.json/);
    rmSync(join(store.home, 'models'), { recursive: true });
    const found = await search('vehicle');
    expect(found.about.degraded).toContain('there is no model "tiny"');
    expect(titlesOf(found)).toEqual(words);
    expect(await makeVectors(reading)).toMatchObject({ code: 'model-unknown' });
  });

  it('keeps the vectors of only one version of a model, and asks for those of a new version', async () => {
    await make();
    const vectorFiles = () => readdirSync(join(store.home, 'index')).filter((name) => /^vectors-.*\.db$/.test(name));
    const before = vectorFiles();
    await install({ 'sentence_bert_config.json': '{"max_seq_length": 16}' });
    expect((await search('automobile')).about.degraded).toContain('no note has vectors yet');
    expect(await make()).toMatchObject({ made: 3 });
    expect(vectorFiles()).toHaveLength(1);
    expect(vectorFiles()).not.toEqual(before);
  });

  it('runs no model for a search by words, an exact search, or before any note has vectors', async () => {
    mkdirSync(join(store.home, 'asked'));
    runtime({ load: `require('node:fs').writeFileSync(${JSON.stringify(join(store.home, 'asked', 'x'))}, '');` });
    await search('vehicle', { mode: 'keyword' });
    await search('vehicle', { mode: 'exact' });
    await search('vehicle');
    expect(readdirSync(join(store.home, 'asked'))).toEqual([]);
    await make();
    expect(readdirSync(join(store.home, 'asked'))).toEqual(['x']);
  });
});
