import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/config/settings.js';
import { endModels, runtimeVariable } from '../../src/embedding/sentence/sentence-embedder.js';
import { chooseModel, installModel, testModel } from '../../src/setup/models.js';
import { openSentenceModel } from '../../src/store/models/meaning.js';
import { floatsOf, madeUpParts } from '../embedding/made-up-model.js';
import { type PublishedFiles, publish, publishedSentences } from '../embedding/sentence/tiny-onnx.js';

/** scripts/test-onnx.mjs installs it and says where. */
const runtime = process.env[runtimeVariable];

let folder: string;
let home: string;
const settings = () => readSettings({ ANAMNESIS_HOME: home });
const install = async (change: PublishedFiles = {}) =>
  installModel(settings(), {
    from: publish(join(folder, 'tiny'), { ...publishedSentences(), ...change }),
  });
const embed = async (texts: readonly string[]) => {
  const embedder = await openSentenceModel(home, 'tiny');
  return embedder.ok ? embedder.value.embed(texts) : embedder;
};
/** Computes the result of a run by hand: the mean of the tokens' rows, of length 1. */
const meanOf = (tokens: readonly string[]): readonly number[] => {
  const parts = madeUpParts();
  const floats = floatsOf(parts);
  const rows = tokens.map((token) => {
    const row = parts.tokens.indexOf(token);
    return row === -1 ? new Array<number>(8).fill(0.01) : [...floats.slice(row * 8, row * 8 + 8)];
  });
  const sum = Array.from({ length: 8 }, (_, at) => rows.reduce((all, row) => all + (row[at] ?? 0), 0));
  return sum.map((value) => value / Math.hypot(...sum));
};
const cli = (...args: readonly string[]): string =>
  execFileSync(process.execPath, ['dist/cli.js', ...args], {
    encoding: 'utf8',
    env: { ...process.env, HOME: folder, ANAMNESIS_HOME: home },
  });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anamnesis-onnx-'));
  home = join(folder, 'home');
});
afterEach(() => {
  endModels();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(runtime === undefined)('a sentence model with the real runtime (npm run test:onnx installs it)', () => {
  it('gives the vectors of its table, without the padding of a shorter text', async () => {
    await install();
    const read = await embed(['Car, bread!', 'running']);
    const vectors = read.ok ? read.value : [];
    const expected = [
      ['[CLS]', 'car', ',', 'bread', '!', '[SEP]'],
      ['[CLS]', 'run', '##ning', '[SEP]'],
    ].map(meanOf);
    expect(vectors).toHaveLength(2);
    vectors.forEach((vector, text) => {
      vector.forEach((value, at) => {
        expect(value).toBeCloseTo(expected[text]?.[at] ?? 2, 5);
      });
    });
  });

  it('uses the first token alone if the model says so, and reads no more of a text than it may', async () => {
    await install({ '1_Pooling/config.json': '{"pooling_mode_cls_token": true}' });
    const first = await embed(['car', 'bread']);
    expect(first.ok ? first.value[0] : undefined).toEqual(first.ok ? first.value[1] : undefined);
    await install({ 'sentence_bert_config.json': '{"max_seq_length": 16}' });
    const long = await embed([`${'car '.repeat(200)}${'bread '.repeat(5000)}`, 'car '.repeat(14)]);
    expect(long.ok ? long.value[0] : undefined).toEqual(long.ok ? long.value[1] : undefined);
  });

  it('accepts empty texts, unknown words and any script', async () => {
    await install();
    const read = await embed(['', ' ', 'zzz qqq', '東京 🎉', '\u0000\ud800', 'x'.repeat(100_000)]);
    expect(read).toMatchObject({ ok: true });
    for (const vector of read.ok ? read.value : []) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it('is refused if the runtime refuses it or its vectors have another length', async () => {
    const file = Buffer.from(publishedSentences()['onnx/model.onnx'] ?? '');
    const renamed = Buffer.from(file.toString('latin1').replace('Gather', 'Gother'), 'latin1');
    await install({ 'onnx/model.onnx': renamed });
    expect(await embed(['car'])).toMatchObject({ ok: false, problem: { code: 'model-unusable' } });
    const other = publishedSentences({ dimension: 16, says: 'hidden' })['onnx/model.onnx'] ?? '';
    await install({ 'onnx/model.onnx': other });
    expect(await embed(['car'])).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining('16 numbers instead of 8') },
    });
  });

  it('is tried by `model test`', async () => {
    await install();
    expect(await chooseModel(settings(), 'tiny')).toMatchObject({ status: 'set' });
    const tested = await testModel(settings(), 'tiny');
    expect(tested).toMatchObject({ name: 'tiny', dimension: 8 });
  });

  it('serves the command line from installation to search, and leaves nothing behind', async () => {
    const source = publish(join(folder, 'tiny'), publishedSentences());
    const before = readdirSync(runtime ?? '', { recursive: true }).length;
    cli('model', 'install', source);
    cli('model', 'use', 'tiny');
    cli('write', 'Vehicle', '--body', 'It runs.', '--project', 'global');
    cli('write', 'Loaf', '--body', 'From the bakery.', '--project', 'global', '--scope', 'machine-local');
    expect(cli('model', 'index')).toContain('2 notes with vectors of tiny');
    const titles = (...args: readonly string[]): readonly string[] =>
      JSON.parse(cli('search', ...args, '--json')).hits.map(({ title }: { title: string }) => title);
    expect(titles('automobile')[0]).toBe('Vehicle');
    expect(titles('bread', '--mode', 'semantic')[0]).toBe('Loaf');
    expect(JSON.parse(cli('search', 'automobile', '--json')).degraded).toBeUndefined();
    expect(readdirSync(runtime ?? '', { recursive: true }).length).toBe(before);
    expect(existsSync(join(folder, '.cache'))).toBe(false);
  });

  it('ignores a configuration that asks for other files or a device', async () => {
    const config = JSON.parse(String(publishedSentences()['config.json']));
    const orders = { use_external_data_format: 9, device: 'webgpu', dtype: 'q4' };
    await install({
      'config.json': JSON.stringify({ ...config, 'transformers.js_config': orders, model_type: '../../elsewhere' }),
    });
    expect(await embed(['car'])).toMatchObject({ ok: true });
  });
});
