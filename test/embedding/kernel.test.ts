import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assemble } from '../../scripts/kernel.mjs';
import { readQueryTokens } from '../../src/embedding/closeness.js';
import { formatModel, hasQuickSum, headerBytes, isWhole, readModel } from '../../src/embedding/installed-form.js';
import { type Kernel, openKernel } from '../../src/embedding/kernel.js';
import { kernelBytes } from '../../src/embedding/kernel-bytes.js';
import { openPlainMeasure } from '../../src/embedding/plain-closeness.js';
import type { QueryTokens } from '../../src/embedding/query-tokens.js';
import { quickSumOf } from '../../src/embedding/quick-sum.js';
import { openStaticModel, type StaticModel } from '../../src/embedding/static-model.js';
import { madeUpBytes, madeUpParts } from './made-up-model.js';

const kernelWith = (bytes: Buffer): Kernel => {
  const kernel = openKernel(bytes.length);
  if (kernel === undefined) throw new Error('no WebAssembly');
  bytes.copy(kernel.bytes);
  return kernel;
};

const openBoth = (bytes: Buffer): { readonly model: StaticModel; readonly kernel: Kernel } => {
  const kernel = kernelWith(bytes);
  const read = readModel(kernel.bytes);
  if (!read.ok) throw new Error(read.problem.message);
  return { model: openStaticModel('both', read.value, kernel), kernel };
};

/** Makes a model of random vectors, long and short ones, and one of zeros. */
const modelOf = (dimension: number, seed: number): Buffer => {
  const parts = madeUpParts(dimension);
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  const values = parts.values.map((_, at) => (at < dimension ? 0 : Math.round(next() * 254) - 127));
  const formatted = formatModel({ ...parts, values, scales: parts.scales.map(() => next() - 0.2) });
  if (!formatted.ok) throw new Error(formatted.problem.message);
  return formatted.value;
};

const askedOf = (model: StaticModel, words: readonly string[]): QueryTokens => {
  const asked = readQueryTokens(model, {
    text: words.join(' '),
    words: words.map((word, at) => ({ word, weight: 1 + at / 7 })),
  });
  if (asked === undefined) throw new Error('the model knows none of the words');
  return asked;
};

const rows = madeUpParts().tokens.length;
const tokens = (most: number) => fc.array(fc.integer({ min: 0, max: rows - 1 }), { maxLength: most });
const words = fc.array(fc.constantFrom('car', 'bread', 'running', 'unbelievable', 'store', 'jog', ','), {
  minLength: 1,
  maxLength: 30,
});

describe('the kernel', () => {
  it('is assembled from kernel.wat', async () => {
    const text = readFileSync(join(process.cwd(), 'src/embedding/kernel.wat'), 'utf8');
    expect((await assemble(text)).toString('base64')).toBe(kernelBytes);
  });

  it('computes what plain-closeness.ts does, to the last bit, for vectors of any length', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 1e6 }),
        words,
        tokens(32),
        fc.oneof(tokens(40), tokens(1000)),
        (dimension, seed, query, head, body) => {
          const { model, kernel } = openBoth(modelOf(dimension, seed));
          const asked = readQueryTokens(model, {
            text: query.join(' '),
            words: query.map((word) => ({ word, weight: 1 })),
          });
          if (asked === undefined) return;
          expect(kernel.openMeasure(model, asked)(head, body)).toEqual(openPlainMeasure(model, asked)(head, body));
        },
      ),
    );
  });

  it('handles the most tokens read of a note and the longest vectors of a model', () => {
    const { model, kernel } = openBoth(modelOf(4096, 3));
    const asked = askedOf(model, 'car bread running unbelievable store jog vehicle loaf database'.split(' '));
    const [head, body] = [Array(32).fill(7), Array.from({ length: 1000 }, (_, at) => at % rows)];
    expect(kernel.openMeasure(model, asked)(head, body)).toEqual(openPlainMeasure(model, asked)(head, body));
  });

  it('answers two queries in turn', () => {
    const { model, kernel } = openBoth(modelOf(8, 5));
    const [car, bread] = [askedOf(model, ['car']), askedOf(model, ['bread', 'jog'])];
    const measures = [car, bread].map((asked) => kernel.openMeasure(model, asked));
    for (const at of [0, 1, 0]) {
      const plain = openPlainMeasure(model, at === 0 ? car : bread);
      expect(measures[at]?.([9], [10, 11, 12])).toEqual(plain([9], [10, 11, 12]));
    }
  });
});

describe('the quick sum of a model', () => {
  it('is the same with and without the kernel, whatever the length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: headerBytes, maxLength: 500 }), (bytes) => {
        expect(kernelWith(Buffer.from(bytes)).quickSum()).toEqual(quickSumOf(Buffer.from(bytes), headerBytes));
      }),
    );
  });

  it('changes with every byte after the header', () => {
    const whole = madeUpBytes();
    expect(hasQuickSum(whole, kernelWith(whole).quickSum())).toBe(true);
    for (let at = headerBytes; at < whole.length; at += 1) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 64;
      expect(hasQuickSum(changed, kernelWith(changed).quickSum())).toBe(false);
    }
  });

  it('changes with every byte of the header, which the SHA-256 also covers except for the sums', () => {
    for (let at = 0; at < headerBytes; at += 1) {
      const changed = madeUpBytes();
      changed[at] = (changed[at] ?? 0) ^ 64;
      expect(hasQuickSum(changed, kernelWith(changed).quickSum())).toBe(false);
      expect(isWhole(changed)).toBe(at >= 56 && at < 64);
    }
  });

  it('does not take a file for one of an earlier version if only its first bytes changed', () => {
    const changed = madeUpBytes();
    changed.write('ANMODEL1');
    expect([isWhole(changed), hasQuickSum(changed, kernelWith(changed).quickSum())]).toEqual([false, false]);
  });

  it('does not cover the header of a model that an earlier version installed, which is still read', () => {
    const earlier = madeUpBytes();
    earlier.write('ANMODEL1');
    createHash('sha256').update(earlier.subarray(headerBytes)).digest().copy(earlier, 64);
    quickSumOf(earlier, headerBytes).forEach((sum, at) => {
      earlier.writeInt32LE(sum, 56 + 4 * at);
    });
    expect(readModel(earlier)).toMatchObject({ ok: true, value: { digest: earlier.toString('hex', 64, 96) } });
    expect([isWhole(earlier), hasQuickSum(earlier, kernelWith(earlier).quickSum())]).toEqual([true, true]);
  });

  it('is replaced by the SHA-256 for a model that an earlier version installed without one', () => {
    const earlier = madeUpBytes().fill(0, 56, 64);
    expect(isWhole(earlier)).toBe(true);
    expect(hasQuickSum(earlier, kernelWith(earlier).quickSum())).toBe(true);
    earlier[earlier.length - 1] = (earlier[earlier.length - 1] ?? 0) ^ 1;
    expect(hasQuickSum(earlier, kernelWith(earlier).quickSum())).toBe(false);
  });
});
