import { describe, expect, it } from 'vitest';
import { formatManifest, type ModelManifest, parseManifest } from '../../src/embedding/manifest.js';

const hashes = { 'config.json': 'a'.repeat(64) };
const manifest: ModelManifest = {
  role: 'sentences',
  pooling: 'mean',
  dimension: 384,
  maxTokens: 256,
  queryPrefix: 'query: ',
  passagePrefix: '',
};
const parse = (change: object) =>
  parseManifest(Buffer.from(JSON.stringify({ ...JSON.parse(formatManifest(manifest, hashes)), ...change })));

describe('the manifest of a model', () => {
  it('is read as it was written', () => {
    for (const one of [manifest, { role: 'static', tokens: 9, dimension: 8 }] as const)
      expect(parseManifest(Buffer.from(formatManifest(one, hashes)))).toEqual({ ok: true, value: one });
  });

  it('is read as an earlier version wrote it, with an output and the sizes of the files', () => {
    const earlier = { output: 'last_hidden_state', files: { 'config.json': { bytes: 10, sha256: 'a'.repeat(64) } } };
    expect(parse(earlier)).toEqual({ ok: true, value: manifest });
  });

  it('does without a prefix that is long or of several lines', () => {
    for (const prefix of ['a\nb', 'x'.repeat(201), 5])
      expect(parse({ query_prefix: prefix })).toEqual({ ok: true, value: { ...manifest, queryPrefix: '' } });
  });

  it.each([
    ['another kind', { kind: 'onnx-sentences-2' }],
    ['another pooling', { pooling: 'max' }],
    ['no dimension', { dimension: 0 }],
    ['a dimension of thousands', { dimension: 100_000 }],
    ['texts of any length', { max_tokens: 1e9 }],
  ])('is refused with %s', (_, change) => {
    expect(parse(change)).toMatchObject({ ok: false, problem: { code: 'model-damaged' } });
  });

  it('is refused if it is not a JSON object', () => {
    for (const text of ['', '[]', 'null', '{"kind":'])
      expect(parseManifest(Buffer.from(text))).toMatchObject({ ok: false, problem: { code: 'model-damaged' } });
  });

  it('differs with another prefix or another file', () => {
    const other = { 'config.json': 'b'.repeat(64) };
    const texts = [
      formatManifest(manifest, hashes),
      formatManifest({ ...manifest, queryPrefix: '' }, hashes),
      formatManifest(manifest, other),
    ];
    expect(new Set(texts).size).toBe(3);
  });
});
