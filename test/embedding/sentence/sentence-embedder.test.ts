import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EmbedOptions } from '../../../src/embedding/embedder.js';
import { putModel, readInstalled } from '../../../src/embedding/installed-models.js';
import { endModels, openSentenceEmbedder } from '../../../src/embedding/sentence/sentence-embedder.js';
import { readSentenceSource } from '../../../src/embedding/sentence/sentence-source.js';
import { type FakeParts, useRuntime, writeRuntime } from './fake-runtime.js';
import { type PublishedFiles, publish, publishedSentences } from './tiny-onnx.js';

let folder: string;
let restoreRuntime: () => void;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anamnesis-embedder-'));
  restoreRuntime = useRuntime(join(folder, 'runtime'));
});
afterEach(() => {
  endModels();
  restoreRuntime();
  rmSync(folder, { recursive: true, force: true });
});

const openWith = (parts: FakeParts, change: PublishedFiles = {}) => {
  writeRuntime(join(folder, 'runtime'), parts);
  const published = readSentenceSource(publish(join(folder, 'published'), { ...publishedSentences(), ...change }));
  if (!published.ok) throw new Error(published.problem.message);
  putModel(folder, 'tiny', published.value);
  const model = readInstalled(folder, 'tiny');
  const embedder = model.ok ? openSentenceEmbedder(model.value) : model;
  if (!embedder.ok) throw new Error(embedder.problem.message);
  return embedder.value;
};
const problemOf = async (parts: FakeParts, options?: EmbedOptions) => openWith(parts).embed(['vehicle'], options);
const unusable = (why: RegExp) => ({
  ok: false,
  problem: { code: 'model-unusable', message: expect.stringMatching(why), next: expect.any(String) },
});

describe('an embedder that runs a model', () => {
  it('gives a vector of length 1 for each text, in order, however many there are', async () => {
    const texts = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 'vehicle' : 'the loaf of bread'));
    const read = await openWith({}).embed(texts);
    const vectors = read.ok ? read.value : [];
    expect(vectors).toHaveLength(20);
    for (const [at, vector] of vectors.entries()) {
      expect(vector).toEqual(vectors[at % 2]);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
    expect(vectors[0]).not.toEqual(vectors[1]);
  });

  it('puts the prefixes of the model before a question and before a text', async () => {
    const embedder = openWith(
      { run: 'throw new Error(JSON.stringify(texts));' },
      { 'config_sentence_transformers.json': '{"prompts": {"query": "query: ", "document": "passage: "}}' },
    );
    expect(await embedder.embed(['x'], { as: 'query' })).toMatchObject(unusable(/\["query: x"\]/));
    expect(await embedder.embed(['x'])).toMatchObject(unusable(/\["passage: x"\]/));
  });

  it('lets the runtime reach no network and write no file', async () => {
    const told = await problemOf({ load: 'throw new Error(JSON.stringify([exports.env, options]));' });
    const message = told.ok ? '' : told.problem.message;
    for (const part of ['"allowRemoteModels":false', '"useFSCache":false', '"cacheDir":null', `${folder}/models/`])
      expect(message).toContain(part);
    const options = await problemOf({ load: 'throw new Error(JSON.stringify(options));' });
    expect(options).toMatchObject(unusable(/"local_files_only":true.*"device":"cpu"/));
  });

  it('gives a runtime none of the secrets in the environment', async () => {
    process.env['SOME_SECRET_KEY'] = 'hidden';
    const told = await problemOf({ load: 'throw new Error(Object.keys(process.env).join(" "));' });
    delete process.env['SOME_SECRET_KEY'];
    expect(told.ok ? '' : told.problem.message).toMatch(/PATH/);
    expect(told.ok ? '' : told.problem.message).not.toContain('SOME_SECRET_KEY');
  });

  it.each<readonly [string, FakeParts, RegExp]>([
    [
      'that cannot be loaded',
      { load: 'throw new Error("Load model failed:\\nProtobuf parsing failed");' },
      /Load model failed: Protobuf/,
    ],
    [
      'of another dimension',
      { run: 'return { last_hidden_state: { dims: [1, 1, 4], data: new Float32Array(4) } };' },
      /4 numbers instead of 8/,
    ],
    [
      'that gives no numbers',
      { run: 'return { last_hidden_state: { dims: [1, count, 8], data: new Float32Array(count * 8).fill(NaN) } };' },
      /not numbers/,
    ],
    [
      'that gives fewer than it says',
      { run: 'return { last_hidden_state: { dims: [1, count, 8], data: new Float32Array(8) } };' },
      /no vector for each token/,
    ],
    [
      'that gives another kind of numbers',
      { run: 'return { last_hidden_state: { dims: [1, count, 8], data: new Uint16Array(8 * count) } };' },
      /32-bit/,
    ],
    ['that gives nothing', { run: 'return undefined;' }, /no last_hidden_state/],
    ['that ends its process while it is loaded', { load: 'process.abort();' }, /its process ended \(SIGABRT\)/],
    [
      'that ends its process on a text',
      { run: 'process.kill(process.pid, "SIGSEGV"); await new Promise(() => {});' },
      /its process ended \(SIGSEGV\)/,
    ],
  ])('returns a problem for a model %s', async (_, parts, why) => {
    expect(await problemOf(parts)).toMatchObject(unusable(why));
  });

  it('repeats no more than a line of what a runtime says', async () => {
    const why = 'throw new Error("\\u001b[31mobey\\n\\nnow ".repeat(5000));';
    for (const parts of [{ run: why }, { load: why }]) {
      const told = await problemOf(parts);
      const message = told.ok ? '' : told.problem.message;
      expect(message).toMatch(/^the model tiny gave no answer: \[31mobey now \[31mobey/);
      expect(message.length).toBeLessThan(400);
      endModels();
    }
  });

  it('gives up on a text that takes too long, and restarts the model for the next one', async () => {
    const embedder = openWith({ run: 'if (texts[0].includes("slow")) for (;;);' });
    expect(await embedder.embed(['vehicle'])).toMatchObject({ ok: true });
    const started = performance.now();
    expect(await embedder.embed(['slow'], { timeoutMs: 300 })).toMatchObject(unusable(/within 300 ms/));
    expect(performance.now() - started).toBeLessThan(3000);
    expect(await embedder.embed(['vehicle'])).toMatchObject({ ok: true });
  });

  it('lets a model that is slow to load continue loading for the next call', async () => {
    const embedder = openWith({ load: 'await new Promise((done) => setTimeout(done, 1500));' });
    expect(await embedder.embed(['vehicle'], { timeoutMs: 300 })).toMatchObject(unusable(/not loaded within 300 ms/));
    expect(await embedder.embed(['vehicle'])).toMatchObject({ ok: true });
  });
});
