/** Describes an installed model in a small file beside the model's own. Pure. */
import { failRead, type Read, readAs } from './embedder.js';
import { countOf, parseObject } from './model-parts.js';

export type ModelManifest = StaticManifest | SentenceManifest;

/** A table with a vector for each token. */
export type StaticManifest = {
  readonly role: 'static';
  readonly tokens: number;
  readonly dimension: number;
};

/** A model that is run, and gives each text a vector. */
export type SentenceManifest = {
  readonly role: 'sentences';
  /** How the vectors of a text's tokens become one. */
  readonly pooling: Pooling;
  readonly dimension: number;
  /** Limit of a text; the rest is not read. */
  readonly maxTokens: number;
  /** Prefixes that the model was trained to expect before a question and before a text. */
  readonly queryPrefix: string;
  readonly passagePrefix: string;
};

export const poolings = ['mean', 'cls'] as const;
export type Pooling = (typeof poolings)[number];

/** A model as published: what it is, and where each of its files is, by the name under which it is kept. */
export type PublishedModel = {
  readonly manifest: ModelManifest;
  readonly files: Readonly<Record<string, string>>;
};

export const manifestName = 'anamnesis.json';
export const maxDimension = 4096;
/** A passage has about 128 word pieces. */
export const mostTokens = 256;
export const fewestTokens = 8;
const maxPrefix = 200;

const kinds = { static: 'static-1', sentences: 'onnx-sentences-1' } as const;

/** `hashes` are the SHA-256 of the files by name: the manifest's own hash identifies a version of the model. */
export const formatManifest = (manifest: ModelManifest, hashes: Readonly<Record<string, string>>): string => {
  const { role, ...about } = manifest;
  const keyed = Object.fromEntries(
    Object.entries(about).map(([key, value]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
  return `${JSON.stringify({ kind: kinds[role], ...keyed, files: hashes }, undefined, 2)}\n`;
};

export const parseManifest = (bytes: Buffer): Read<ModelManifest> => {
  const file = parseObject(bytes) ?? {};
  const kind = file['kind'];
  const dimension = countOf(file['dimension'], 1, maxDimension);
  const tokens = countOf(file['tokens'], 1, Number.MAX_SAFE_INTEGER);
  if (kind === kinds.static && dimension !== undefined && tokens !== undefined)
    return readAs({ role: 'static', tokens, dimension });
  const maxTokens = countOf(file['max_tokens'], fewestTokens, mostTokens);
  const pooling = poolings.find((name) => name === file['pooling']);
  if (kind === kinds.sentences && maxTokens !== undefined && pooling !== undefined && dimension !== undefined) {
    const [queryPrefix, passagePrefix] = [prefixOf(file['query_prefix']), prefixOf(file['passage_prefix'])];
    return readAs({ role: 'sentences', pooling, dimension, maxTokens, queryPrefix, passagePrefix });
  }
  return failRead(
    'model-damaged',
    `${manifestName} of the model is damaged: it does not say how the model is read`,
    'install it again: anamnesis model install',
  );
};

/** Empty unless it is one short line. */
export const prefixOf = (value: unknown): string =>
  typeof value === 'string' && value.length <= maxPrefix && !/\p{Cc}/u.test(value) ? value : '';
