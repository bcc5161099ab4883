/** Vectors as whole numbers: those of a note's passages as int8 with a scale for each, a query's to compare. Pure. */
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

type IntegerVector = {
  readonly values: Int32Array;
  /** A number is its value times this. */
  readonly scale: number;
};

/** Rounds to 13 bits: whole numbers multiply twice as fast, and put cosines less than a thousandth off. */
export const toIntegers = (vector: Float32Array | Float64Array): IntegerVector => {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest / maxWhole;
  return { values: Int32Array.from(vector, (value) => (scale === 0 ? 0 : Math.round(value / scale))), scale };
};

/** The sum of 4,096 products of at most this and 127 stays below 2^31. */
const maxWhole = 4095;

/** Dot product with the values from `from` on. Four sums at a time, none of which waits for the others. */
export const dotIntegers = (whole: Int32Array, values: Int8Array, from: number): number => {
  let [a, b, c, d] = [0, 0, 0, 0];
  let at = 0;
  for (; at + 3 < whole.length; at += 4) {
    a = (a + (whole[at] ?? 0) * (values[from + at] ?? 0)) | 0;
    b = (b + (whole[at + 1] ?? 0) * (values[from + at + 1] ?? 0)) | 0;
    c = (c + (whole[at + 2] ?? 0) * (values[from + at + 2] ?? 0)) | 0;
    d = (d + (whole[at + 3] ?? 0) * (values[from + at + 3] ?? 0)) | 0;
  }
  for (; at < whole.length; at += 1) a = (a + (whole[at] ?? 0) * (values[from + at] ?? 0)) | 0;
  return a + b + c + d;
};
