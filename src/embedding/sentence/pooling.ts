/** Combines the vectors of a text's tokens into one. Pure. */
import type { Pooling } from '../manifest.js';

export type TokenVectors = {
  readonly texts: number;
  readonly tokens: number;
  readonly dimension: number;
  /** Text by text, token by token. */
  readonly values: Float32Array;
  /** 0 for padding; by text and token. */
  readonly mask: readonly number[];
};

/** Returns vectors of length 1, zeros for a text without tokens; undefined if a value is not a finite number. */
export const poolTokens = (
  { texts, tokens, dimension, values, mask }: TokenVectors,
  pooling: Pooling,
): Float32Array | undefined => {
  const pooled = new Float64Array(texts * dimension);
  for (let text = 0; text < texts; text += 1) {
    // A tokenizer that pads on the left puts the first token later.
    const first = mask.indexOf(1, text * tokens) - text * tokens;
    for (let token = 0; token < tokens; token += 1) {
      if (pooling === 'cls' ? token !== first : mask[text * tokens + token] !== 1) continue;
      const from = (text * tokens + token) * dimension;
      for (let at = 0; at < dimension; at += 1) {
        const place = text * dimension + at;
        pooled[place] = (pooled[place] ?? 0) + (values[from + at] ?? 0);
      }
    }
  }
  return toLengthOne(pooled, texts, dimension);
};

export const toLengthOne = (
  values: Float32Array | Float64Array,
  texts: number,
  dimension: number,
): Float32Array | undefined => {
  const result = new Float32Array(texts * dimension);
  for (let text = 0; text < texts; text += 1) {
    let squares = 0;
    for (let at = text * dimension; at < (text + 1) * dimension; at += 1) squares += (values[at] ?? 0) ** 2;
    if (!Number.isFinite(squares)) return undefined;
    const length = Math.sqrt(squares);
    if (length > 0)
      for (let at = text * dimension; at < (text + 1) * dimension; at += 1) result[at] = (values[at] ?? 0) / length;
  }
  return result;
};
