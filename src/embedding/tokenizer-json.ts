/** Reads a tokenizer.json as Hugging Face's tokenizers write it, if it is a BERT WordPiece tokenizer. Pure. */
import { failRead, type Read, readAs } from './embedder.js';
import { getAnother, type Tokenisation, textTokens, uncasedBert } from './model-parts.js';

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
