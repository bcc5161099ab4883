/** A static model as read from its source: one vector for each token, and how text is tokenised. Pure. */
import { failRead, type Read, readAs } from './embedder.js';

/** How a BERT WordPiece tokenizer reads text. */
export type Tokenisation = {
  readonly cleanText: boolean;
  readonly splitChinese: boolean;
  readonly stripAccents: boolean;
  readonly lowerCase: boolean;
  /** Precedes a token that continues a word. */
  readonly prefix: string;
  /** A word with more characters is unknown. */
  readonly maxWordLength: number;
};

/** As in BERT's uncased models; used for a source without a tokenizer.json. */
export const uncasedBert: Tokenisation = {
  cleanText: true,
  splitChinese: true,
  stripAccents: true,
  lowerCase: true,
  prefix: '##',
  maxWordLength: 100,
};

export type ModelParts = {
  readonly tokenisation: Tokenisation;
  /** Tokens by row; empty for one that represents no text, such as that for unknown words. */
  readonly tokens: readonly string[];
  readonly dimension: number;
  /** Row by row; a vector is its values times the scale of its row. */
  readonly values: Int8Array;
  readonly scales: Float32Array;
};

const special: ReadonlySet<string> = new Set(['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]']);

/** Empties the tokens that represent no text. */
export const textTokens = (tokens: readonly string[], unknown = '[UNK]'): readonly string[] =>
  tokens.map((token) => (special.has(token) || token === unknown || token.includes('\n') ? '' : token));

const maxTokens = 1_000_000;
const maxDimension = 4096;
/** Limit of all vectors together: a model is read whole and stays in memory while a server runs. */
const maxValues = 128 * 1024 * 1024;

export const checkSize = (tokens: number, dimension: number): Read<undefined> => {
  if (tokens < 1 || dimension < 1) return failRead('model-damaged', 'the model holds no vectors', getAnother);
  if (tokens > maxTokens || dimension > maxDimension || tokens * dimension > maxValues)
    return failRead(
      'model-too-large',
      `the model has ${tokens} vectors of ${dimension} numbers: at most ${maxValues} numbers are allowed`,
      'choose a smaller model',
    );
  return readAs(undefined);
};

export const getAnother = 'download its files again, or choose another model';

/** Quantises to int8 with a scale for each row, which changes a cosine by a fifty-thousandth. */
export const quantise = (
  vectors: Float32Array,
  dimension: number,
): { readonly values: Int8Array; readonly scales: Float32Array } => {
  const rows = vectors.length / dimension;
  const values = new Int8Array(vectors.length);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    let largest = 0;
    for (let at = row * dimension; at < (row + 1) * dimension; at += 1)
      largest = Math.max(largest, Math.abs(vectors[at] ?? 0));
    const scale = largest / 127;
    scales[row] = scale;
    if (scale === 0) continue;
    for (let at = row * dimension; at < (row + 1) * dimension; at += 1)
      values[at] = Math.round((vectors[at] ?? 0) / scale);
  }
  return { values, scales };
};
