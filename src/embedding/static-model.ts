/** A static model: a text's vector is the mean of its tokens' vectors, and no network is run. Pure. */
import { type Embedder, readAs } from './embedder.js';
import type { InstalledModel } from './installed-form.js';
import type { Kernel } from './kernel.js';
import { tokenize, unknownRow } from './wordpiece.js';

export type StaticModel = Embedder &
  Omit<InstalledModel, 'digest'> & {
    /** Returns known tokens only. */
    readonly tokensOf: (text: string, most?: number) => readonly number[];
    /** Computes with the vectors; undefined if WebAssembly can't be used. */
    readonly kernel: Kernel | undefined;
  };

/** Beyond this a text's vector says little about any of its parts. */
const maxTokens = 512;

export const openStaticModel = (name: string, { digest, ...model }: InstalledModel, kernel?: Kernel): StaticModel => {
  const tokensOf = (text: string, most?: number): readonly number[] =>
    // Cuts long texts early: a token of Latin script has about four letters, and later tokens aren't used.
    tokenize(model.vocabulary, most === undefined ? text : text.slice(0, most * maxUnitsPerToken), most).filter(
      (row) => row !== unknownRow && row < model.rows,
    );
  return {
    ...model,
    id: `${name}@${digest.slice(0, 16)}`,
    tokensOf,
    kernel,
    embed: async (texts) => readAs(texts.map((text) => meanOf(model, tokensOf(text, maxTokens)))),
  };
};

const maxUnitsPerToken = 16;

/** Returns a vector of length 1, or zeros without tokens. */
const meanOf = (model: Omit<InstalledModel, 'digest'>, rows: readonly number[]): Float32Array =>
  Float32Array.from(toLengthOne(sumVectors(model, rows)));

/** The sum points in the same direction as the tokens' mean. */
export const sumVectors = (
  { dimension, values, norms, units }: Omit<InstalledModel, 'digest'>,
  rows: readonly number[],
): Float64Array => {
  const sum = new Float64Array(dimension);
  for (const row of rows) addVector(sum, values, row, (norms[row] ?? 0) * (units[row] ?? 0));
  return sum;
};

export const addVector = (sum: Float64Array, values: Int8Array, row: number, factor: number): void => {
  const first = row * sum.length;
  for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + factor * (values[first + at] ?? 0);
};

export const toLengthOne = (vector: Float64Array): Float64Array => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Number.isFinite(length) && length > 0 ? vector.map((value) => value / length) : vector.fill(0);
};
