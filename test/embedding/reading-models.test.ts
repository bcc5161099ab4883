import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Read } from '../../src/embedding/embedder.js';
import { readTokenizer } from '../../src/embedding/model-parts.js';
import { readSafetensors } from '../../src/embedding/safetensors.js';
import { readGge1 } from '../../src/embedding/static-source.js';
import { processorMs } from '../support/processor-time.js';

const readOrThrow = <Value>(read: Read<Value>): Value => {
  if (!read.ok) throw new Error(read.problem.message);
  return read.value;
};

import { floatsOf, gge1Of, madeUpModel, madeUpParts, safetensorsOf, tokenizerOf } from './made-up-model.js';

const parts = madeUpParts();
const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

describe('a model in the GGE1 format', () => {
  it('is read as it was written', () => {
    const read = readGge1(gge1Of(parts));
    expect(read.ok && read.value.tokens.slice(3)).toEqual(parts.tokens.slice(3));
    expect(read.ok && read.value.tokens.slice(0, 3)).toEqual(['', '', '']);
    expect(read.ok && read.value.values).toEqual(parts.values);
  });

  it('is refused quickly, wherever it is cut off and whatever its header claims', () => {
    const whole = gge1Of(parts);
    const started = processorMs();
    for (let length = 0; length < whole.length; length += 7) expect(readGge1(whole.subarray(0, length)).ok).toBe(false);
    for (const [rows, dimension] of [
      [0xffffffff, 0xffffffff],
      [0xffffffff, 1],
      [0, 8],
      [1_000_000, 4096],
    ] as const) {
      const claims = Buffer.from(whole);
      claims.writeUInt32LE(rows, 4);
      claims.writeUInt32LE(dimension, 8);
      expect(readGge1(claims).ok).toBe(false);
    }
    expect(processorMs() - started).toBeLessThan(1000);
  });

  it('is refused with a scale that is not a number and with bytes after its end', () => {
    const broken = gge1Of(parts);
    broken.writeFloatLE(Number.NaN, 12);
    expect(readGge1(broken)).toMatchObject({ ok: false, problem: { code: 'model-damaged' } });
    expect(readGge1(Buffer.concat([gge1Of(parts), Buffer.from('x')])).ok).toBe(false);
  });
});

describe('a model as safetensors with its tokenizer.json', () => {
  const tokenizer = readTokenizer(Buffer.from(tokenizerOf(parts)));
  if (!tokenizer.ok) throw new Error(tokenizer.problem.message);
  const floats = floatsOf(parts);
  const shape = [parts.tokens.length, parts.dimension];
  const halves = Buffer.alloc(floats.length * 2);
  // Powers of two, and their sums, have the same value in both formats.
  const eighths = floats.map((value) => Math.round(value * 8) / 8);
  eighths.forEach((value, at) => {
    const exponent = value === 0 ? 0 : Math.floor(Math.log2(Math.abs(value)));
    const bits = value === 0 ? 0 : ((exponent + 15) << 10) | Math.round((Math.abs(value) / 2 ** exponent - 1) * 1024);
    halves.writeUInt16LE((value < 0 ? 0x8000 : 0) | bits, at * 2);
  });
  const f32 = { name: 'embeddings', kind: 'F32', shape, bytes: Buffer.from(floats.buffer) };

  it('gives the vectors of F32, F16 and I8', () => {
    const readOf = (kind: string, bytes: Buffer) => {
      const read = readSafetensors(safetensorsOf([{ name: 'embeddings', kind, shape, bytes }]), tokenizer.value);
      if (!read.ok) throw new Error(read.problem.message);
      return floatsOf(read.value);
    };
    // The rows of special tokens are empty.
    const first = 3 * parts.dimension;
    const farthest = (read: Float32Array, from: ArrayLike<number>): number =>
      read.slice(first).reduce((most, value, at) => Math.max(most, Math.abs(value - (from[first + at] ?? 0))), 0);
    expect(farthest(readOf('F32', f32.bytes), floats)).toBeLessThan(0.01);
    expect(farthest(readOf('F16', halves), eighths)).toBeLessThan(0.01);
    expect(farthest(readOf('I8', Buffer.from(parts.values)), parts.values)).toBeLessThan(1);
  });

  it('applies the mapping and the weights of a quantised vocabulary', () => {
    const count = parts.tokens.length;
    const mapping = Buffer.alloc(4 * count);
    const weights = Buffer.alloc(4 * count);
    for (let id = 0; id < count; id += 1) {
      mapping.writeInt32LE(id % 2, 4 * id);
      weights.writeFloatLE(id, 4 * id);
    }
    const read = readSafetensors(
      safetensorsOf([
        { name: 'embeddings', kind: 'F32', shape: [2, 2], bytes: Buffer.from(Float32Array.of(1, 0, 0, 1).buffer) },
        { name: 'mapping', kind: 'I32', shape: [count], bytes: mapping },
        { name: 'weights', kind: 'F32', shape: [count], bytes: weights },
      ]),
      tokenizer.value,
    );
    const vectors = read.ok ? floatsOf(read.value) : new Float32Array();
    expect([...vectors.slice(6, 10)].map((value) => Math.round(value * 100) / 100)).toEqual([0, 3, 4, 0]);
  });

  it('is refused if the vectors are of another vocabulary, of another format or cut off', () => {
    const whole = safetensorsOf([f32]);
    const short = { ...f32, shape: [3, parts.dimension], bytes: f32.bytes.subarray(0, 12 * parts.dimension) };
    const many = { ...f32, shape: [2 ** 40, 2 ** 12] };
    const bfloat = { ...f32, kind: 'BF16' };
    for (const tensors of [[short], [many], [bfloat], []])
      expect(readSafetensors(safetensorsOf(tensors), tokenizer.value).ok).toBe(false);
    for (let length = 0; length < whole.length; length += 11)
      expect(readSafetensors(whole.subarray(0, length), tokenizer.value).ok).toBe(false);
  });

  it('is refused without an exception, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(readSafetensors(Buffer.from(bytes), tokenizer.value).ok).toBe(false);
        expect(readTokenizer(Buffer.from(bytes)).ok).toBe(false);
        expect(readGge1(Buffer.concat([Buffer.from('GGE1'), bytes])).ok).toBe(false);
      }),
    );
  });
});

describe('a tokenizer.json', () => {
  it('of another kind is refused with the name of that kind', () => {
    const other = tokenizerOf(parts).replace('"WordPiece"', '"Unigram"');
    const read = readTokenizer(Buffer.from(other));
    expect(read.ok ? '' : read.problem.message).toContain('"Unigram"');
  });

  it('with one id for two tokens, or ids far apart, is refused', () => {
    const file = JSON.parse(tokenizerOf(parts));
    for (const vocab of [{ a: 1, b: 1 }, { a: 4_000_000_000 }, { a: -1 }, { a: 0.5 }, { a: '1' }, []])
      expect(readTokenizer(Buffer.from(JSON.stringify({ ...file, model: { ...file.model, vocab } }))).ok).toBe(false);
  });
});

describe('a static model', () => {
  it('puts texts of the same meaning near each other', async () => {
    const [car, vehicle, bread, none] = readOrThrow(await madeUpModel().embed(['Car!', 'vehicle', 'bread', 'zzz']));
    if (car === undefined || vehicle === undefined || bread === undefined) throw new Error('no vectors');
    expect(cosine(car, vehicle)).toBeGreaterThan(0.9);
    expect(cosine(car, bread)).toBeLessThan(0.3);
    expect(cosine(car, car)).toBeCloseTo(1, 5);
    expect([...(none ?? [])].every((value) => value === 0)).toBe(true);
  });
});

const folder = join(process.cwd(), '../shared/models/potion-base-2M-int8');

describe.skipIf(!existsSync(folder))('potion-base-2M (skipped: needs ../shared/models)', () => {
  it('has the tokens of its tokenizer.json', () => {
    const model = readGge1(readFileSync(join(folder, 'potion-base-2M.bin')));
    const tokenizer = readTokenizer(readFileSync(join(folder, 'tokenizer.json')));
    expect(model.ok && model.value.tokens).toEqual(tokenizer.ok && tokenizer.value.tokens);
  });
});
