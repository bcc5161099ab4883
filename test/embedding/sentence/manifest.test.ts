import { describe, expect, it } from 'vitest';
import {
  digestOf,
  formatManifest,
  parseManifest,
  type SentenceManifest,
} from '../../../src/embedding/sentence/manifest.js';

const known = { bytes: 10, sha256: 'a'.repeat(64) };
const manifest: SentenceManifest = {
  role: 'sentences',
  output: 'last_hidden_state',
  pooling: 'mean',
  dimension: 384,
  maxTokens: 256,
  queryPrefix: 'query: ',
  passagePrefix: '',
  files: { 'config.json': known, 'tokenizer.json': known, 'tokenizer_config.json': known, 'onnx/model.onnx': known },
};
const parse = (change: object) =>
  parseManifest(Buffer.from(JSON.stringify({ ...JSON.parse(formatManifest(manifest)), ...change })));

describe('the manifest of a sentence model', () => {
  it('is read as it was written', () => {
    expect(parseManifest(Buffer.from(formatManifest(manifest)))).toEqual({ ok: true, value: manifest });
  });

  it('names only the files of a model, whatever else it lists', () => {
    const { files } = JSON.parse(formatManifest(manifest));
    const read = parse({ files: { ...files, '../../config.json': known } });
    expect(read).toEqual({ ok: true, value: manifest });
  });

  it.each([
    ['another kind', { kind: 'onnx-sentences-2' }],
    ['another output', { output: '__proto__' }],
    ['another pooling', { pooling: 'max' }],
    ['no dimension', { dimension: 0 }],
    ['a dimension of thousands', { dimension: 100_000 }],
    ['texts of any length', { max_tokens: 1e9 }],
    ['a prefix of several lines', { query_prefix: 'a\nb' }],
    ['a long prefix', { passage_prefix: 'x'.repeat(201) }],
    ['no files', { files: {} }],
    ['a file of gigabytes', { files: { ...manifest.files, 'onnx/model.onnx': { ...known, bytes: 2 ** 33 } } }],
    ['a malformed hash', { files: { ...manifest.files, 'config.json': { bytes: 1, sha256: '../x' } } }],
  ])('is refused with %s', (_, change) => {
    expect(parse(change)).toMatchObject({ ok: false, problem: { code: 'model-damaged' } });
  });

  it('is refused if it is not a JSON object', () => {
    for (const text of ['', '[]', 'null', '{"kind":'])
      expect(parseManifest(Buffer.from(text))).toMatchObject({ ok: false, problem: { code: 'model-damaged' } });
  });

  it('has another digest with another prefix or another file', () => {
    const others = [
      manifest,
      { ...manifest, queryPrefix: '' },
      { ...manifest, files: { ...manifest.files, 'tokenizer.json': { ...known, sha256: 'b'.repeat(64) } } },
    ];
    expect(new Set(others.map(digestOf)).size).toBe(3);
  });
});
