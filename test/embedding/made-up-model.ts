/** A model of a few words, whose vectors define which words are near each other. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putModel } from '../../src/embedding/installed-models.js';
import { openModel } from '../../src/embedding/model-cache.js';
import { type ModelParts, quantise, uncasedBert } from '../../src/embedding/model-parts.js';
import type { StaticModel } from '../../src/embedding/static-model.js';
import { readStaticSource } from '../../src/embedding/static-source.js';

/** Words on one line are near each other. */
const meanings = [
  'car automobile vehicle',
  'bread loaf bakery',
  'database sqlite store',
  'run ##ning ##s jog',
  'un ##believ ##able',
];

export const madeUpParts = (dimension = 8): ModelParts => {
  const tokens = ['[PAD]', '[UNK]', '[CLS]', '.', ',', '-', '!'];
  const vectors: number[][] = tokens.map(() => Array.from({ length: dimension }, () => 0.01));
  meanings.forEach((line, meaning) => {
    line.split(' ').forEach((token, at) => {
      tokens.push(token);
      vectors.push(Array.from({ length: dimension }, (_, axis) => (axis === meaning ? 1 : 0) + 0.05 * at));
    });
  });
  return {
    tokenisation: uncasedBert,
    tokens,
    dimension,
    ...quantise(Float32Array.from(vectors.flat()), dimension),
  };
};

/** Installs a model in a store. */
export const installMadeUp = (home: string, name = 'made-up', parts = madeUpParts()): void => {
  const folder = mkdtempSync(join(tmpdir(), 'anamnesis-made-up-'));
  try {
    writeFileSync(join(folder, 'words.bin'), gge1Of(parts));
    const published = readStaticSource(folder);
    const put = published.ok ? putModel(home, name, published.value) : published;
    if (!put.ok) throw new Error(put.problem.message);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

export const madeUpModel = (parts = madeUpParts()): StaticModel => {
  const home = mkdtempSync(join(tmpdir(), 'anamnesis-made-up-'));
  try {
    installMadeUp(home, 'made-up', parts);
    const opened = openModel(home, 'made-up');
    if (!opened.ok) throw new Error(opened.problem.message);
    return opened.value;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

/** Encodes a model in the GGE1 format. */
export const gge1Of = ({ tokens, dimension, scales, values }: ModelParts): Buffer => {
  const head = Buffer.alloc(12 + 4 * tokens.length);
  head.write('GGE1', 'latin1');
  head.writeUInt32LE(tokens.length, 4);
  head.writeUInt32LE(dimension, 8);
  scales.forEach((scale, row) => {
    head.writeFloatLE(scale, 12 + 4 * row);
  });
  const words = tokens.map((token) => {
    const text = Buffer.from(token);
    const length = Buffer.alloc(2);
    length.writeUInt16LE(text.length);
    return Buffer.concat([length, text]);
  });
  return Buffer.concat([head, Buffer.from(values), ...words]);
};

/** Writes a tokenizer.json as Hugging Face's tokenizers do. */
export const tokenizerOf = ({ tokens }: ModelParts): string =>
  JSON.stringify({
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
    },
  });

export type MadeTensor = {
  readonly name: string;
  readonly kind: string;
  readonly shape: readonly number[];
  readonly bytes: Buffer;
};

export const safetensorsOf = (tensors: readonly MadeTensor[]): Buffer => {
  let at = 0;
  const header = Buffer.from(
    JSON.stringify(
      Object.fromEntries(
        tensors.map(({ name, kind, shape, bytes }) => {
          const begin = at;
          at += bytes.length;
          return [name, { dtype: kind, shape, data_offsets: [begin, at] }];
        }),
      ),
    ),
  );
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, ...tensors.map(({ bytes }) => bytes)]);
};

export const floatsOf = ({ values, scales, dimension }: ModelParts): Float32Array =>
  Float32Array.from(values, (value, at) => value * (scales[Math.floor(at / dimension)] ?? 0));
