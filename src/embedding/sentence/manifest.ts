/** What this machine knows of an installed model that is run: a small file beside the model's own. Pure. */
import { createHash } from 'node:crypto';
import { failRead, type Read, readAs } from '../embedder.js';
import { objectOf, parseObject } from '../tokenizer-json.js';

/** A sentence model gives each text a vector. */
export type SentenceManifest = {
  /** Which output of the model is read, and how the vectors of its tokens become one. */
  readonly output: OutputName;
  readonly pooling: Pooling;
  readonly dimension: number;
  /** Of a text; what comes later is not read. */
  readonly maxTokens: number;
  /** What the model was taught to find before a question, and before a text. */
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  readonly files: Readonly<Record<ModelFileName, FileKnown>>;
};

export type FileKnown = { readonly bytes: number; readonly sha256: string };

export const outputNames = ['last_hidden_state', 'token_embeddings', 'sentence_embedding'] as const;
export type OutputName = (typeof outputNames)[number];
export const poolings = ['mean', 'cls'] as const;
export type Pooling = (typeof poolings)[number];

/** All that is kept of a model: a manifest can name no other file. */
export const modelFileNames = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model.onnx'] as const;
export type ModelFileName = (typeof modelFileNames)[number];

const mebibyte = 1024 * 1024;
/** The tokenizers of models of a hundred languages have 17 MB. */
export const maxBytesOf: Readonly<Record<ModelFileName, number>> = {
  'config.json': mebibyte,
  'tokenizer.json': 64 * mebibyte,
  'tokenizer_config.json': 4 * mebibyte,
  'onnx/model.onnx': 1024 * mebibyte,
};

export const manifestName = 'anamnesis.json';
export const maxManifestBytes = 16 * 1024;
export const maxDimension = 4096;
/** A passage has about 128 word pieces. */
export const mostTokens = 256;
export const fewestTokens = 8;
export const maxPrefix = 200;

export const formatManifest = ({
  output,
  pooling,
  dimension,
  maxTokens,
  files,
  ...prefixes
}: SentenceManifest): string =>
  `${JSON.stringify(
    {
      kind,
      output,
      pooling,
      dimension,
      max_tokens: maxTokens,
      query_prefix: prefixes.queryPrefix,
      passage_prefix: prefixes.passagePrefix,
      files: Object.fromEntries(
        modelFileNames.map((name) => [name, { bytes: files[name].bytes, sha256: files[name].sha256 }]),
      ),
    },
    undefined,
    2,
  )}\n`;

const kind = 'onnx-sentences-1';

/** Tells one version of a model from another: what it holds, and how it is read. */
export const digestOf = (manifest: SentenceManifest): string =>
  createHash('sha256').update(formatManifest(manifest)).digest('hex');

export const parseManifest = (bytes: Buffer): Read<SentenceManifest> => {
  const file = parseObject(bytes);
  if (file?.['kind'] !== kind) return damaged('it is of no kind that this version knows');
  const output = outputNames.find((name) => name === file['output']);
  const pooling = poolings.find((name) => name === file['pooling']);
  const dimension = countOf(file['dimension'], 1, maxDimension);
  const maxTokens = countOf(file['max_tokens'], fewestTokens, mostTokens);
  const queryPrefix = prefixOf(file['query_prefix']);
  const passagePrefix = prefixOf(file['passage_prefix']);
  if (output === undefined || pooling === undefined || dimension === undefined || maxTokens === undefined)
    return damaged('it does not say how the model is read');
  if (queryPrefix === undefined || passagePrefix === undefined) return damaged('a prefix is no short text');
  const listed = objectOf(file['files']);
  const config = knownOf('config.json', listed);
  const tokenizer = knownOf('tokenizer.json', listed);
  const tokenizerConfig = knownOf('tokenizer_config.json', listed);
  const model = knownOf('onnx/model.onnx', listed);
  if (config === undefined || tokenizer === undefined || tokenizerConfig === undefined || model === undefined)
    return damaged('a file is missing in it, or too large');
  return readAs({
    output,
    pooling,
    dimension,
    maxTokens,
    queryPrefix,
    passagePrefix,
    files: {
      'config.json': config,
      'tokenizer.json': tokenizer,
      'tokenizer_config.json': tokenizerConfig,
      'onnx/model.onnx': model,
    },
  });
};

const knownOf = (name: ModelFileName, listed: Readonly<Record<string, unknown>> | undefined): FileKnown | undefined => {
  const known = objectOf(listed?.[name]);
  const bytes = countOf(known?.['bytes'], 0, maxBytesOf[name]);
  const sha256 = known?.['sha256'];
  return bytes !== undefined && typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256)
    ? { bytes, sha256 }
    : undefined;
};

export const countOf = (value: unknown, least: number, most: number): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : undefined;

/** Undefined for what is no short line. */
export const prefixOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= maxPrefix && !/\p{Cc}/u.test(value) ? value : undefined;

const damaged = (what: string) =>
  failRead(
    'model-damaged',
    `${manifestName} of the model is damaged: ${what}`,
    'install it again: anamnesis model install',
  );
