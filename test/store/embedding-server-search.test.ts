import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openApp } from '../../src/app/app.js';
import { makeVectors } from '../../src/store/models/making-vectors.js';
import { Reading } from '../../src/store/reading.js';
import type { SearchOptions } from '../../src/store/search-options.js';
import { madeUpModel } from '../embedding/made-up-model.js';
import { answerJson, startServer, type TestServer } from '../support/http-server.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

const model = madeUpModel();
let store: TestStore;
let server: TestServer;
let reading: Reading;
/** Answers in place of the server; undefined for its normal answer. */
let fault: ((response: Parameters<typeof answerJson>[0]) => void) | undefined;
let dimension = 8;

const openWith = (more: object = {}): Reading => {
  const embedding = { url: server.url, model: 'made-up', ...more };
  return new Reading({ home: store.home, machine: 'testbox', user: 'self', embedding });
};
const make = async () => {
  const made = await makeVectors(reading);
  if ('code' in made) throw new Error(made.message);
  return made;
};
const search = (text: string, options: SearchOptions = {}) => reading.search(text, options);
const titlesOf = ({ hits }: Awaited<ReturnType<Reading['search']>>): readonly string[] =>
  hits.map(({ title }) => title);
/** Marks a note as sensitive by hand, as a person does. */
const markSensitive = async (text: string): Promise<void> => {
  const [{ path = '' } = {}] = (await search(text, { mode: 'keyword' })).hits;
  writeFileSync(path, readFileSync(path, 'utf8').replace('---\n', '---\nsensitive: true\n'));
  await store.memory.adopt('hold');
};
const sentTexts = (): readonly string[] =>
  server.asked.flatMap(({ body }): readonly string[] => JSON.parse(body).input);

beforeEach(async () => {
  fault = undefined;
  dimension = 8;
  server = await startServer(async ({ body }, response) => {
    if (fault !== undefined) return fault(response);
    const { input }: { readonly input: readonly string[] } = JSON.parse(body);
    const embedded = await model.embed(input);
    const vectors = embedded.ok ? embedded.value : [];
    // The model knows no word of some texts; a real one always returns a vector.
    answerJson(response, { data: vectors.map((vector) => ({ embedding: [...vector.slice(0, dimension - 1), 0.1] })) });
  });
  store = openStore();
  await writeNote(store.memory, { title: 'Vehicle', body: 'It runs.' });
  await writeNote(store.memory, { title: 'Loaf', body: 'From the bakery.' });
  await writeNote(store.memory, { title: 'Store', body: 'Kept in sqlite.' });
  reading = openWith();
});
afterEach(async () => {
  reading.close();
  await store.close();
  await server.close();
});

describe('a search with a server', () => {
  it('shows the nearest passage of a long note', async () => {
    // A passage has 96 words.
    const body = `${'bread and loaf '.repeat(64)}${'vehicle '.repeat(96)}${'Kept in sqlite. '.repeat(80)}`;
    await writeNote(store.memory, { title: 'Long', body });
    await make();
    const { hits } = await search('automobile', { mode: 'semantic' });
    expect(hits.find(({ title }) => title === 'Long')?.snippet).toMatch(/^…vehicle vehicle /);
  });

  it('finds notes without a shared word beside those with one, once the notes have vectors', async () => {
    expect(await search('automobile')).toMatchObject({
      hits: [],
      about: { mode: 'keyword', degraded: expect.stringContaining('no note has vectors yet') },
    });
    expect(await make()).toMatchObject({ model: 'made-up', notes: 3, made: 3, left: 0 });
    const both = await search('automobile sqlite', { explain: true });
    expect(both.about).toMatchObject({ mode: 'hybrid' });
    expect(both.about.degraded).toBeUndefined();
    expect(titlesOf(both)).toEqual(expect.arrayContaining(['Store', 'Vehicle']));
    expect(both.hits[0]).toMatchObject({ title: 'Store', scores: { keyword_rank: 1, cosine: expect.any(Number) } });
    expect(titlesOf(await search('automobile'))[0]).toBe('Vehicle');
    expect(titlesOf(await search('automobile', { mode: 'semantic' }))[0]).toBe('Vehicle');
  });

  it('requests one vector per search, and none for notes', async () => {
    await make();
    await writeNote(store.memory, { title: 'Jog', body: 'New.' });
    const before = server.asked.length;
    const found = await search('jog automobile');
    expect(server.asked.length - before).toBe(1);
    expect(sentTexts().at(-1)).toBe('jog automobile');
    // It is already found by words.
    expect(titlesOf(found)).toContain('Jog');
    expect(found.about).toEqual({
      mode: 'hybrid',
      degraded: expect.stringContaining('1 of 4 notes have no vectors yet'),
    });
    expect(await make()).toMatchObject({ made: 1, notes: 4 });
  });

  it('never sends a sensitive or machine-local note', async () => {
    await writeNote(store.memory, { title: 'Salary car', body: 'confidential automobile' });
    await markSensitive('confidential');
    await writeNote(store.memory, { title: 'Local car', body: 'local automobile', scope: 'machine-local' });
    expect(await make()).toMatchObject({ notes: 3 });
    expect(sentTexts().join('\n')).not.toMatch(/Salary|confidential|Local|local/);
    expect(titlesOf(await search('confidential'))).toEqual(expect.arrayContaining(['Salary car']));
  });

  it('never sends a query for such notes, nor one with a secret', async () => {
    await make();
    const before = server.asked.length;
    const key = `ghp_${'a1B2'.repeat(9)}`;
    for (const asked of [`vehicle ${key}`, 'vehicle is:sensitive', 'vehicle scope:machine-local'])
      expect((await search(asked)).about).toMatchObject({
        mode: 'keyword',
        degraded: expect.stringContaining('this machine'),
      });
    expect((await search('vehicle', { scope: 'machine-local' })).about.mode).toBe('keyword');
    await search('vehicle', { mode: 'keyword' });
    await search('vehicle', { mode: 'exact' });
    expect(server.asked.length).toBe(before);
  });

  it('never sends the words of such a note to find similar ones', async () => {
    await make();
    const { short_id: local } = await writeNote(store.memory, {
      title: 'Vehicle here',
      body: 'wombat',
      scope: 'machine-local',
    });
    const { short_id: sensitive } = await writeNote(store.memory, { title: 'Vehicle pay', body: 'confidential' });
    await markSensitive('confidential');
    const opened = openApp({
      home: store.home,
      machine: 'testbox',
      user: 'self',
      embedding: { url: server.url, model: 'made-up' },
    });
    const { notes } = opened.as({ user: 'self', workspace: undefined });
    const before = server.asked.length;
    try {
      for (const id of [local, sensitive])
        expect(await notes.similar(id, { mode: 'hybrid' })).toMatchObject({
          answer: {
            hits: expect.arrayContaining([expect.objectContaining({ title: 'Vehicle' })]),
            about: { mode: 'keyword', degraded: expect.stringContaining('never leaves this machine') },
          },
        });
      expect(server.asked.length).toBe(before);
    } finally {
      await opened.finish();
    }
  });

  it('removes the vectors of a note that has become sensitive', async () => {
    await make();
    await markSensitive('vehicle');
    expect(await make()).toMatchObject({ notes: 2, made: 0 });
  });

  it('falls back to words within its time limit when the server fails, and says why', async () => {
    await make();
    const words = await search('vehicle', { mode: 'keyword' });
    const faults: readonly (readonly [NonNullable<typeof fault>, RegExp])[] = [
      [(response) => answerJson(response, { error: { code: 'overloaded' } }, 500), /HTTP 500/],
      [(response) => response.end('garbage'), /does not hold 1 usable vectors/],
      [(response) => response.end(`"${'x'.repeat(9_000_000)}"`), /exceeds/],
      [(response) => answerJson(response, { data: [{ embedding: [1, 2, 3] }] }), /vectors of 3 numbers, .* have 8/],
      [() => {}, /no answer within 1500 ms/],
    ];
    for (const [answer, why] of faults) {
      fault = answer;
      const started = performance.now();
      const found = await search('vehicle');
      expect(performance.now() - started).toBeLessThan(6000);
      expect(found).toEqual({ ...words, about: { mode: 'keyword', degraded: expect.stringMatching(why) } });
    }
  });

  it('keeps the vectors received before the server failed', async () => {
    for (let at = 0; at < 60; at += 1) await writeNote(store.memory, { title: `Note ${at}`, body: 'bread' });
    fault = (response) => {
      const { input }: { readonly input: readonly string[] } = JSON.parse(server.asked.at(-1)?.body ?? '');
      if (server.asked.length > 1) return answerJson(response, {}, 503);
      answerJson(response, { data: input.map(() => ({ embedding: new Array(8).fill(1) })) });
    };
    const failed = await make();
    expect(failed).toMatchObject({ made: 32, left: 31, problem: { message: expect.stringContaining('HTTP 503') } });
    fault = undefined;
    expect(await make()).toMatchObject({ made: 31, left: 0 });
  });

  it('refuses vectors whose dimension differs from that of the stored ones', async () => {
    await make();
    dimension = 4;
    await writeNote(store.memory, { title: 'Jog' });
    expect(await make()).toMatchObject({ made: 0, left: 1, problem: { next: expect.stringContaining('--again') } });
  });

  it('needs the key that it was told to use', async () => {
    const other = openWith({ keyVariable: 'SOME_KEY' });
    const found = await other.search('vehicle', {});
    expect(found.about).toMatchObject({ mode: 'keyword', degraded: expect.stringContaining('SOME_KEY is not set') });
    expect(await makeVectors(other)).toMatchObject({ code: 'model-unusable' });
    expect(server.asked).toEqual([]);
    other.close();
  });
});
