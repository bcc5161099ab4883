import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings, type Settings } from '../../src/config/settings.js';
import { modelFolder, readInstalled } from '../../src/embedding/installed-models.js';
import { endModels } from '../../src/embedding/sentence/sentence-embedder.js';
import { chooseModel, dropModel, installModel, listModels, testModel } from '../../src/setup/models.js';
import { gge1Of, madeUpParts } from '../embedding/made-up-model.js';
import { useRuntime, writeRuntime } from '../embedding/sentence/fake-runtime.js';
import { type PublishedFiles, publish, publishedSentences } from '../embedding/sentence/tiny-onnx.js';

let folder: string;
let home: string;
let source: string;
let putBack: () => void;
const settings = (): Settings => readSettings({ ANAMNESIS_HOME: home });
const install = (from = source, name?: string) => installModel(settings(), { from, name });
const publishWith = (change: PublishedFiles, without?: string): string => {
  const files = { ...publishedSentences(), ...change };
  if (without !== undefined) delete files[without];
  return publish(mkdtempSync(join(folder, 'changed-')), files);
};
const modelOf = (name: string) => {
  const read = readInstalled(home, name);
  if (!read.ok) throw new Error(read.problem.message);
  return read.value;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anamnesis-sentences-'));
  home = join(folder, 'home');
  source = publish(join(folder, 'tiny'), publishedSentences());
  putBack = useRuntime(writeRuntime(join(folder, 'runtime')));
});
afterEach(() => {
  endModels();
  putBack();
  rmSync(folder, { recursive: true, force: true });
});

describe('installing a sentence model', () => {
  it('installs a folder as it is published, under its own name, once', async () => {
    const sha256 = createHash('sha256')
      .update(readFileSync(join(source, 'onnx/model.onnx')))
      .digest('hex');
    expect(await install()).toMatchObject({
      status: 'installed',
      name: 'tiny',
      kind: 'sentences',
      dimension: 8,
      sha256,
    });
    expect(await install()).toMatchObject({ status: 'unchanged', problem: null });
    expect(listModels(settings()).models).toMatchObject([{ name: 'tiny', kind: 'sentences', tokens: null }]);
    expect(readdirSync(join(home, 'models'))).toEqual(['tiny']);
    expect(statSync(modelFolder(home, 'tiny')).mode & 0o777).toBe(0o700);
    expect(statSync(join(modelFolder(home, 'tiny'), 'onnx/model.onnx')).mode & 0o777).toBe(0o600);
  });

  it('prefers the quantised file, unless a file is named', async () => {
    const other = publishedSentences({ says: 'hidden' })['onnx/model.onnx'] ?? '';
    const from = publishWith({ 'onnx/model_quantized.onnx': other });
    const hashOf = (file: string): string =>
      createHash('sha256')
        .update(readFileSync(join(from, file)))
        .digest('hex');
    expect(await install(from, 'q')).toMatchObject({ sha256: hashOf('onnx/model_quantized.onnx') });
    expect(await install(join(from, 'onnx/model.onnx'), 'f')).toMatchObject({ sha256: hashOf('onnx/model.onnx') });
    expect(await install(join(source, 'onnx/model.onnx'))).toMatchObject({ name: 'tiny' });
  });

  it('reads pooling, length and prefixes from the files beside it', async () => {
    const from = publishWith({
      '1_Pooling/config.json': JSON.stringify({ word_embedding_dimension: 8, pooling_mode_cls_token: true }),
      'sentence_bert_config.json': '{"max_seq_length": 32}',
      'config_sentence_transformers.json': '{"prompts": {"query": "query: ", "document": "passage: "}}',
    });
    await install(from, 'e5');
    expect(modelOf('e5').manifest).toMatchObject({
      pooling: 'cls',
      maxTokens: 32,
      queryPrefix: 'query: ',
      passagePrefix: 'passage: ',
    });
    await install();
    expect(modelOf('e5').digest).not.toBe(modelOf('tiny').digest);
  });

  it('keeps only the files that a runtime reads', async () => {
    await install(publishWith({ 'run.py': 'print()' }), 'x');
    expect(readdirSync(modelFolder(home, 'x')).sort()).toEqual([
      'anamnesis.json',
      'config.json',
      'onnx',
      'tokenizer.json',
      'tokenizer_config.json',
    ]);
  });

  it('replaces a static model of the same name, and is replaced by one', async () => {
    const file = join(folder, 'tiny.bin');
    writeFileSync(file, gge1Of(madeUpParts()));
    await install(file);
    await install();
    expect(listModels(settings()).models).toMatchObject([{ kind: 'sentences' }]);
    await install(file);
    expect(listModels(settings()).models).toMatchObject([{ kind: 'static' }]);
  });

  it('reads a static model as one, even with an ONNX file beside it', async () => {
    const from = publishWith({ 'config.json': '{"model_type": "model2vec"}' });
    expect(await install(from, 'x')).toMatchObject({
      code: 'model-unreadable',
      message: expect.stringContaining('model.safetensors'),
    });
  });

  const config = JSON.parse(String(publishedSentences()['config.json']));
  it.each<readonly [string, PublishedFiles, string]>([
    ['an invalid tokenizer', { 'tokenizer.json': '{"version": ' }, 'model-unreadable'],
    ['a configuration that is not an object', { 'config.json': '[]' }, 'model-unreadable'],
    [
      'a configuration without a dimension',
      { 'config.json': JSON.stringify({ ...config, hidden_size: 0 }) },
      'model-damaged',
    ],
    ['an unsupported pooling', { '1_Pooling/config.json': '{"pooling_mode_lasttoken": true}' }, 'model-unsupported'],
    ['a further layer', { 'modules.json': '[{"type": "sentence_transformers.models.Dense"}]' }, 'model-unsupported'],
  ])('refuses %s', async (_, change, code) => {
    expect(await install(publishWith(change), 'x')).toMatchObject({ code, next: expect.any(String) });
    expect(existsSync(modelFolder(home, 'x'))).toBe(false);
  });

  it('refuses a folder without one of the files', async () => {
    for (const file of ['config.json', 'tokenizer.json', 'tokenizer_config.json'])
      expect(await install(publishWith({}, file), 'x')).toMatchObject({
        code: 'model-unreadable',
        message: expect.stringContaining(`no usable ${file}`),
      });
  });

  it('refuses a file of gigabytes without reading it, and a folder in its place', async () => {
    truncateSync(join(source, 'onnx/model.onnx'), 2 ** 31);
    expect(await install()).toMatchObject({ code: 'model-too-large', message: expect.stringContaining('2147483648') });
    rmSync(join(source, 'onnx/model.onnx'));
    mkdirSync(join(source, 'onnx/model.onnx'));
    expect(await install()).toMatchObject({ code: 'model-unreadable' });
  });

  it.skipIf(process.platform === 'win32')('does not block on a pipe', async () => {
    rmSync(join(source, 'tokenizer.json'));
    spawnSync('mkfifo', [join(source, 'tokenizer.json')]);
    expect(await install()).toMatchObject({ code: 'model-unreadable' });
  });
});

describe('a sentence model in use', () => {
  it('is chosen, tested, listed and removed like others', async () => {
    await install();
    expect(await chooseModel(settings(), 'tiny')).toEqual({ status: 'set', in_use: 'tiny' });
    expect(await testModel(settings(), 'tiny')).toMatchObject({ name: 'tiny', tokens: null, dimension: 8 });
    expect(listModels(settings())).toMatchObject({ in_use: 'tiny', models: [{ in_use: true, problem: null }] });
    expect(await dropModel(settings(), 'tiny')).toEqual({ status: 'removed', name: 'tiny', was_in_use: true });
    expect(existsSync(modelFolder(home, 'tiny'))).toBe(false);
    expect(settings().searchModel).toBeUndefined();
  });

  it('is installed, but cannot be chosen, when the package that runs it is missing', async () => {
    const without = useRuntime(join(folder, 'nowhere'));
    try {
      expect(await install()).toMatchObject({
        status: 'installed',
        problem: expect.stringContaining('npm install -g'),
      });
      const refusal = { code: 'model-runtime', message: expect.stringContaining('@huggingface/transformers') };
      expect(await chooseModel(settings(), 'tiny')).toMatchObject(refusal);
      expect(await testModel(settings(), 'tiny')).toMatchObject(refusal);
    } finally {
      without();
    }
  });

  it('is refused, and listed with its problem, when its description is gone or damaged', async () => {
    const description = join(modelFolder(home, 'tiny'), 'anamnesis.json');
    for (const damage of [() => writeFileSync(description, '{}'), () => rmSync(description)]) {
      await install();
      damage();
      expect(await chooseModel(settings(), 'tiny')).toMatchObject({ code: 'model-damaged' });
      expect(listModels(settings()).models).toMatchObject([{ problem: expect.stringContaining('damaged') }]);
      expect(await install()).toMatchObject({ status: 'installed' });
    }
  });
});
