/** Describes an installed model in a small file beside the model's own. Pure. */
import { createHash } from 'node:crypto';
import { failRead, type Read, readAs } from '../embedder.js';
import { objectOf, parseObject } from '../tokenizer-json.js';

export type ModelManifest = SentenceManifest | PairManifest;

/** A sentence model gives each text a vector. */
export type SentenceManifest = {
  readonly role: 'sentences';
  /** Which output of the model is read, and how the vectors of its tokens become one. */
  readonly output: OutputName;
  readonly pooling: Pooling;
  readonly dimension: number;
  /** Limit of a text; the rest is not read. */
  readonly maxTokens: number;
  /** Prefixes that the model was trained to expect before a question and before a text. */
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  readonly files: Readonly<Record<ModelFileName, FileKnown>>;
};

/** A cross-encoder reads a question and a text together, and says how well the text answers the question. */
export type PairManifest = {
  readonly role: 'pairs';
  /** Limit of both together. */
  readonly maxTokens: number;
  readonly files: Readonly<Record<ModelFileName, FileKnown>>;
};

export type FileKnown = { readonly bytes: number; readonly sha256: string };

export const outputNames = ['last_hidden_state', 'token_embeddings', 'sentence_embedding'] as const;
export type OutputName = (typeof outputNames)[number];
export const poolings = ['mean', 'cls'] as const;
export type Pooling = (typeof poolings)[number];

/** All files that are kept of a model; a manifest can name no other. */
export const modelFileNames = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model.onnx'] as const;
export type ModelFileName = (typeof modelFileNames)[number];

const mebibyte = 1024 * 1024;
/** Tokenizers of models for a hundred languages take 17 MB. */
export const maxBytesOf: Readonly<Record<ModelFileName, number>> = {
  'config.json': mebibyte,
  'tokenizer.json': 64 * mebibyte,
  'tokenizer_config.json': 4 * mebibyte,
  'onnx/model.onnx': 1024 * mebibyte,
};

export const manifestName = 'anamnesis.json';
export const maxManifestBytes = 16 * 1024;
export const maxDimension = 4096;
/** A passage has about 128 word pieces; in a pair the question precedes it. */
export const mostTokens = { sentences: 256, pairs: 512 } as const;
export const fewestTokens = 8;
export const maxPrefix = 200;

export const formatManifest = (manifest: ModelManifest): string => {
  const files = Object.fromEntries(
    modelFileNames.map((name) => [name, { bytes: manifest.files[name].bytes, sha256: manifest.files[name].sha256 }]),
  );
  const { role, maxTokens } = manifest;
  const about =
    manifest.role === 'pairs'
      ? {}
      : {
          output: manifest.output,
          pooling: manifest.pooling,
          dimension: manifest.dimension,
          query_prefix: manifest.queryPrefix,
          passage_prefix: manifest.passagePrefix,
        };
  return `${JSON.stringify({ kind: kinds[role], max_tokens: maxTokens, ...about, files }, undefined, 2)}\n`;
};

const kinds = { sentences: 'onnx-sentences-1', pairs: 'onnx-pairs-1' } as const;

/** Identifies a version of a model: its content and how it is read. */
export const digestOf = (manifest: ModelManifest): string =>
  createHash('sha256').update(formatManifest(manifest)).digest('hex');

export const parseManifest = (bytes: Buffer): Read<ModelManifest> => {
  const file = parseObject(bytes);
  const role = file?.['kind'] === kinds.sentences ? 'sentences' : file?.['kind'] === kinds.pairs ? 'pairs' : undefined;
  if (file === undefined || role === undefined) return damaged('this version does not know its kind');
  const maxTokens = countOf(file['max_tokens'], fewestTokens, mostTokens[role]);
  if (maxTokens === undefined) return damaged('it does not say how the model is read');
  const files = filesIn(objectOf(file['files']));
  if (files === undefined) return damaged('a file is missing from it or too large');
  if (role === 'pairs') return readAs({ role, maxTokens, files });
  const output = outputNames.find((name) => name === file['output']);
  const pooling = poolings.find((name) => name === file['pooling']);
  const dimension = countOf(file['dimension'], 1, maxDimension);
  const queryPrefix = prefixOf(file['query_prefix']);
  const passagePrefix = prefixOf(file['passage_prefix']);
  if (output === undefined || pooling === undefined || dimension === undefined)
    return damaged('it does not say how the model is read');
  if (queryPrefix === undefined || passagePrefix === undefined) return damaged('a prefix is not a short text');
  return readAs({ role, output, pooling, dimension, maxTokens, queryPrefix, passagePrefix, files });
};

const filesIn = (listed: Readonly<Record<string, unknown>> | undefined): ModelManifest['files'] | undefined => {
  const config = knownOf('config.json', listed);
  const tokenizer = knownOf('tokenizer.json', listed);
  const tokenizerConfig = knownOf('tokenizer_config.json', listed);
  const model = knownOf('onnx/model.onnx', listed);
  return config === undefined || tokenizer === undefined || tokenizerConfig === undefined || model === undefined
    ? undefined
    : {
        'config.json': config,
        'tokenizer.json': tokenizer,
        'tokenizer_config.json': tokenizerConfig,
        'onnx/model.onnx': model,
      };
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

/** Returns undefined unless it is one short line. */
export const prefixOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= maxPrefix && !/\p{Cc}/u.test(value) ? value : undefined;

const damaged = (what: string) =>
  failRead(
    'model-damaged',
    `${manifestName} of the model is damaged: ${what}`,
    'install it again: anamnesis model install',
  );
