import { describe, expect, it } from 'vitest';
import { poolTokens, toLengthOne } from '../../../src/embedding/sentence/pooling.js';

const two = { texts: 2, tokens: 2, dimension: 2, mask: [1, 1, 1, 0] };
const rounded = (vectors: Float32Array | undefined) =>
  Array.from(vectors ?? [], (value) => Math.round(value * 100) / 100);

describe('pooling the vectors of tokens', () => {
  it('gives their mean, of length 1, without the padding of a shorter text', () => {
    const values = Float32Array.of(3, 0, 0, 3, 0, 5, 9, 9);
    expect(rounded(poolTokens({ ...two, values }, 'mean'))).toEqual([0.71, 0.71, 0, 1]);
  });

  it("gives the first token's, wherever the text begins", () => {
    const values = Float32Array.of(3, 0, 0, 3, 9, 9, 0, 5);
    expect(rounded(poolTokens({ ...two, values, mask: [1, 1, 0, 1] }, 'cls'))).toEqual([1, 0, 0, 1]);
  });

  it('gives zeros for a text without tokens, and nothing if a number is not finite', () => {
    expect(rounded(poolTokens({ ...two, values: new Float32Array(8), mask: [0, 0, 0, 0] }, 'mean'))).toEqual([
      0, 0, 0, 0,
    ]);
    expect(toLengthOne(Float32Array.of(1, Number.NaN), 1, 2)).toBeUndefined();
    expect(toLengthOne(Float32Array.of(1, Number.POSITIVE_INFINITY), 1, 2)).toBeUndefined();
  });
});
