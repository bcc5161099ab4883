/** A static model: a text's vector is the mean of its tokens' vectors, and no network is run. Pure. */
import { type Embedder, readAs } from './embedder.js';
import type { Tokenisation } from './model-parts.js';
import { openVocabulary, tokenize, type Vocabulary } from './wordpiece.js';

/** The model's numbers by row. A vector is its values times its scale; its length is the norm. */
export type TokenTable = {
  readonly tokenisation: Tokenisation;
  readonly tokens: readonly string[];
  readonly dimension: number;
  readonly values: Int8Array;
  readonly scales: Float32Array;
  readonly norms: Float32Array;
};

export type StaticModel = Embedder &
  Pick<TokenTable, 'dimension' | 'values' | 'scales' | 'norms'> & {
    readonly vocabulary: Vocabulary;
    /** Returns known tokens only. */
    readonly tokensOf: (text: string, most: number) => readonly number[];
  };

/** Beyond this a text's vector says little about any of its parts. */
const maxTokens = 512;

export const openStaticModel = (id: string, { tokenisation, tokens, ...numbers }: TokenTable): StaticModel => {
  const vocabulary = openVocabulary(tokenisation, tokens);
  const model = {
    ...numbers,
    id,
    vocabulary,
    // Cuts long texts early: a token of Latin script has about four letters, and later tokens aren't used.
    tokensOf: (text: string, most: number) => tokenize(vocabulary, text.slice(0, most * maxUnitsPerToken), most),
  };
  return {
    ...model,
    embed: async (texts) => readAs(texts.map((text) => unitVector(model, model.tokensOf(text, maxTokens)))),
  };
};

const maxUnitsPerToken = 12;

type Numbers = Pick<StaticModel, 'dimension' | 'values' | 'scales'>;

/** The tokens' mean, scaled to length 1; zeros without tokens. */
export const unitVector = (model: Numbers, rows: readonly number[]): Float32Array =>
  Float32Array.from(toLengthOne(sumVectors(model, rows, 0, rows.length)));

/** The sum of the vectors of some tokens; it points in the same direction as their mean. */
export const sumVectors = (
  { dimension, values, scales }: Numbers,
  rows: readonly number[],
  from: number,
  to: number,
): Float64Array => {
  const sum = new Float64Array(dimension);
  for (let token = from; token < to && token < rows.length; token += 1) {
    const row = rows[token] ?? 0;
    const scale = scales[row] ?? 0;
    const first = row * dimension;
    for (let at = 0; at < dimension; at += 1) sum[at] = (sum[at] ?? 0) + scale * (values[first + at] ?? 0);
  }
  return sum;
};

export const toLengthOne = (vector: Float64Array): Float64Array => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Number.isFinite(length) && length > 0 ? vector.map((value) => value / length) : vector.fill(0);
};
