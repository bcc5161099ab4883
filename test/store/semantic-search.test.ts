import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openModel } from '../../src/embedding/model-cache.js';
import { staticMaker } from '../../src/store/models/making-vectors.js';
import { Reading } from '../../src/store/reading.js';
import type { SearchOptions } from '../../src/store/search-options.js';
import { installMadeUp, madeUpParts } from '../embedding/made-up-model.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
let reading: Reading;
const openWith = (searchModel: string | undefined): Reading =>
  new Reading({ home: store.home, machine: 'testbox', user: 'self', searchModel });
const search = (text: string, options: SearchOptions = {}) => reading.search(text, { mode: 'semantic', ...options });
const titlesOf = ({ hits }: Awaited<ReturnType<Reading['search']>>): readonly string[] =>
  hits.map(({ title }) => title);
const maker = () => {
  const model = openModel(store.home, 'made-up');
  if (!model.ok) throw new Error(model.problem.message);
  return staticMaker(model.value);
};
const vectorFiles = (): readonly string[] =>
  readdirSync(join(store.home, 'index')).filter((name) => name.startsWith('vectors-'));

beforeEach(async () => {
  store = openStore();
  installMadeUp(store.home);
  await writeNote(store.memory, { title: 'Vehicle', body: 'It runs.' });
  await writeNote(store.memory, { title: 'Loaf', body: 'From the bakery.', project: 'kitchen' });
  await writeNote(store.memory, { title: 'Store', body: 'Kept in sqlite.', tags: ['infra'] });
  reading = openWith('made-up');
});
afterEach(async () => {
  reading.close();
  await store.close();
});

describe('a search by meaning', () => {
  it('finds notes that share no word with the query, and ranks all of them', async () => {
    const found = await search('automobile');
    expect(titlesOf(await search('automobile', { mode: 'hybrid' }))).toEqual([]);
    expect(titlesOf(found)[0]).toBe('Vehicle');
    expect(found).toMatchObject({ total: 3, about: { mode: 'semantic' } });
    expect(found.about.degraded).toBeUndefined();
    expect(found.hits).toHaveLength(3);
    expect(found.hits[0]?.reasons).toEqual([expect.stringMatching(/^meaning .*, nearest passage 0\.\d\d$/)]);
  });

  it('shows the nearest part of a long note, with the words of the query marked', async () => {
    const body = `It is from ${'bread and loaf '.repeat(60)}until the vehicle runs. ${'Kept in sqlite. '.repeat(60)}`;
    await writeNote(store.memory, { title: 'Long', body });
    const hit = (await search('automobile sqlite', { k: 4 })).hits.find(({ title }) => title === 'Long');
    const part = (await search('automobile runs', { k: 4 })).hits.find(({ title }) => title === 'Long');
    expect(hit?.snippet).toMatch(/^…/);
    expect(part?.snippet).toContain('the vehicle runs.');
    expect(part?.marks?.map(([begin, end]) => part.snippet.slice(begin, end))).toEqual(['runs']);
  });

  it('respects filters, conditions, the limit and the offset', async () => {
    expect(titlesOf(await search('automobile', { project: 'kitchen' }))).toEqual(['Loaf']);
    expect(titlesOf(await search('automobile tag:infra'))).toEqual(['Store']);
    expect(titlesOf(await search('automobile -vehicle'))).not.toContain('Vehicle');
    expect(titlesOf(await search('automobile "kept in"'))).toEqual(['Store']);
    const all = titlesOf(await search('automobile'));
    const pages = await Promise.all([0, 1, 2].map((offset) => search('automobile', { k: 1, offset })));
    expect(pages.flatMap(titlesOf)).toEqual(all);
    expect(pages.map(({ hits }) => hits[0]?.rank)).toEqual([1, 2, 3]);
  });

  it('says so when no note has a word of the query', async () => {
    const relaxedOf = async (text: string, options: SearchOptions = {}) => (await search(text, options)).about.relaxed;
    expect(await relaxedOf('automobile')).toContain('nearest by meaning');
    expect(await relaxedOf('automobile runs')).toBeUndefined();
    expect(await relaxedOf('tag:infra')).toBeUndefined();
    expect(await relaxedOf('automobile', { workspace: 'personal' })).toBeUndefined();
  });

  it('shows each workspace its own notes', async () => {
    expect((await search('automobile', { workspace: 'elsewhere' })).hits).toEqual([]);
  });

  it('reports each part of a score', async () => {
    const [hit] = (await search('automobile', { explain: true })).hits;
    expect(hit?.scores).toMatchObject({ cosine: expect.any(Number), cover: expect.any(Number) });
    expect(hit?.scores).not.toHaveProperty('bm25');
  });

  it('raises the score of notes of the preferred project', async () => {
    const [hit] = (await search('bread automobile', { prefer: 'kitchen', explain: true })).hits;
    expect(hit).toMatchObject({ title: 'Loaf', scores: { project_weight: 1.15 } });
  });

  it('falls back to words when the model knows none of the query, and says so', async () => {
    for (const asked of ['東京', '?! ...', '🎉'])
      expect(await search(asked)).toMatchObject({
        hits: [],
        about: { mode: 'hybrid', degraded: expect.stringContaining('none of the query') },
      });
  });

  it('falls back to words when there is no model, and says so', async () => {
    const without = openWith(undefined);
    const found = await without.search('vehicle', { mode: 'semantic' });
    expect(titlesOf(found)).toEqual(['Vehicle']);
    expect(found.about).toMatchObject({ mode: 'keyword', degraded: expect.stringContaining('no model is in use') });
    expect(vectorFiles()).toEqual([]);
    without.close();
  });
});

describe('the vectors of a store', () => {
  const caughtUp = async (untilMs?: number) => (await (await reading.vectors()).catchUp(maker(), untilMs)).caughtUp;

  it('are made once: only what changed is read again', async () => {
    expect(await caughtUp()).toEqual({ notes: 3, made: 3, left: 0 });
    expect(await caughtUp()).toEqual({ notes: 3, made: 0, left: 0 });
    await writeNote(store.memory, { title: 'Jog' });
    expect(await caughtUp()).toEqual({ notes: 4, made: 1, left: 0 });
  });

  it('never answer for an earlier text of a note', async () => {
    const [before] = (await search('automobile')).hits;
    await store.memory.perform({
      kind: 'edit',
      id: before?.id ?? '',
      set: { title: 'Loaf of bread', body: 'Bakery.' },
    });
    const again = await search('automobile');
    expect(again.hits.filter(({ id }) => id === before?.id)).toHaveLength(1);
    expect(again.hits[0]?.id).not.toBe(before?.id);
    expect(titlesOf(await search('bread'))[0]).toMatch(/^Loaf/);
  });

  it('are removed with a note that is forgotten', async () => {
    const [found] = (await search('automobile')).hits;
    await store.memory.perform({ kind: 'forget', id: found?.id ?? '', reason: undefined });
    expect(titlesOf(await search('automobile'))).not.toContain('Vehicle');
    expect(await caughtUp()).toMatchObject({ notes: 2 });
  });

  it('are resumed where they were interrupted', async () => {
    expect(await caughtUp(0)).toMatchObject({ made: 0, left: 3 });
    const found = await search('automobile');
    expect(found.about).toEqual({ mode: 'semantic', relaxed: expect.any(String) });
    expect(await caughtUp()).toMatchObject({ notes: 3, made: 0 });
  });

  it('belong to the version that the index knows, whatever the file contains', async () => {
    const [found] = (await reading.search('vehicle', { mode: 'keyword' })).hits;
    writeFileSync(found?.path ?? '', readFileSync(found?.path ?? '', 'utf8').replaceAll('Vehicle', 'Bread'));
    expect((await search('automobile')).hits[0]?.id).toBe(found?.id);
  });

  it('are in another file for another version of the model', async () => {
    await search('automobile');
    const before = vectorFiles();
    const parts = madeUpParts();
    installMadeUp(store.home, 'made-up', { ...parts, scales: parts.scales.map((scale) => scale * 2) });
    expect((await search('automobile')).about).toEqual({ mode: 'semantic', relaxed: expect.any(String) });
    expect(vectorFiles()).toHaveLength(1);
    expect(vectorFiles()).not.toEqual(before);
  });

  it('are made again when their file is damaged or gone', async () => {
    const expected = await search('automobile');
    const damage: readonly ((file: string) => void)[] = [
      (file) => rmSync(file),
      (file) => writeFileSync(file, 'no database '.repeat(1000)),
      (file) => writeFileSync(file, readFileSync(file).subarray(0, 5000)),
    ];
    for (const damageFile of damage) {
      damageFile(join(store.home, 'index', vectorFiles()[0] ?? ''));
      const other = openWith('made-up');
      expect(await other.search('automobile', { mode: 'semantic' })).toEqual(expected);
      expect(await search('automobile')).toEqual(expected);
      other.close();
    }
  });

  it('are accessible to their owner only', async () => {
    await search('automobile');
    expect(statSync(join(store.home, 'index', vectorFiles()[0] ?? '')).mode & 0o777).toBe(0o600);
  });

  it.skipIf(process.getuid?.() === 0)(
    'are left out when they cannot be written: words choose the notes, and the answer says so',
    async () => {
      chmodSync(join(store.home, 'index'), 0o500);
      const found = await search('automobile vehicle');
      chmodSync(join(store.home, 'index'), 0o700);
      expect(titlesOf(found)).toEqual(['Vehicle']);
      expect(found.about).toMatchObject({ mode: 'hybrid', degraded: expect.stringContaining("can't be written") });
    },
  );
});
