/** Stored form of the vectors of a note's passages: int8 with a scale for each. Pure. */
import { quantise } from './model-parts.js';

export type PackedVectors = {
  readonly count: number;
  /** Passage by passage; a vector is its values times its scale. */
  readonly values: Int8Array;
  readonly scales: Float32Array;
};

/** Each vector must have length 1 or be all zeros. */
export const packVectors = (vectors: readonly ArrayLike<number>[], dimension: number): PackedVectors => {
  const all = new Float32Array(vectors.length * dimension);
  vectors.forEach((vector, at) => {
    all.set(vector, at * dimension);
  });
  return { count: vectors.length, ...quantise(all, dimension) };
};
