/** A static model as read: a vector for each token, and how a tokenizer.json (BERT WordPiece) tokenises text. Pure. */
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
export type Tokenizer = {
  readonly tokenisation: Tokenisation;
  /** By id; empty for an id without a token, or whose token represents no text. */
  readonly tokens: readonly string[];
};

export const readTokenizer = (bytes: Buffer): Read<Tokenizer> => {
  const file = parseObject(bytes);
  const model = objectOf(file?.['model']);
  if (model === undefined) return damaged('it is not a JSON object with a model');
  const type = model['type'];
  // An old file without a type is WordPiece if it has this prefix.
  if (type !== 'WordPiece' && !(type === undefined && typeof model['continuing_subword_prefix'] === 'string'))
    return unsupported(`a tokenizer of type ${describe(type)}`);
  const normalizer = objectOf(file?.['normalizer']);
  if (normalizer?.['type'] !== 'BertNormalizer')
    return unsupported(`a normalizer of type ${describe(normalizer?.['type'])}`);
  const split = objectOf(file?.['pre_tokenizer'])?.['type'];
  if (split !== 'BertPreTokenizer') return unsupported(`a pre-tokenizer of type ${describe(split)}`);
  const tokens = readVocabulary(model['vocab']);
  if (tokens === undefined) return damaged('its vocabulary does not give each token a unique id');
  const { unk_token: unknown, continuing_subword_prefix: prefix } = model;
  const lowerCase = normalizer['lowercase'] !== false;
  return readAs({
    tokens: textTokens(tokens, typeof unknown === 'string' ? unknown : undefined),
    tokenisation: {
      lowerCase,
      cleanText: normalizer['clean_text'] !== false,
      splitChinese: normalizer['handle_chinese_chars'] !== false,
      stripAccents: typeof normalizer['strip_accents'] === 'boolean' ? normalizer['strip_accents'] : lowerCase,
      prefix: typeof prefix === 'string' ? prefix : uncasedBert.prefix,
      maxWordLength: countOf(model['max_input_chars_per_word'], 1, 10_000) ?? uncasedBert.maxWordLength,
    },
  });
};

/** Ids may have gaps, as long as they don't make the table many times larger. */
const readVocabulary = (vocabulary: unknown): readonly string[] | undefined => {
  const entries = Object.entries(objectOf(vocabulary) ?? {});
  const tokens: string[] = [];
  for (const [token, id] of entries) {
    const row = countOf(id, 0, 2 * entries.length + 1000);
    if (row === undefined || tokens[row] !== undefined) return undefined;
    tokens[row] = token;
  }
  return tokens.length === 0 ? undefined : Array.from(tokens, (token: string | undefined) => token ?? '');
};

export const parseObject = (bytes: Buffer): Readonly<Record<string, unknown>> | undefined => {
  try {
    return objectOf(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
};

export const objectOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;

export const countOf = (value: unknown, least: number, most: number): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : undefined;

const describe = (type: unknown): string => (typeof type === 'string' ? JSON.stringify(type.slice(0, 40)) : 'none');

const damaged = (what: string) => failRead('model-damaged', `tokenizer.json is damaged: ${what}`, getAnother);
const unsupported = (what: string) =>
  failRead(
    'model-unsupported',
    `the model has ${what}, but only BERT's WordPiece is supported`,
    'choose a model with such a tokenizer, such as a potion-base model',
  );
