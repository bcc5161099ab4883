/** Reads the published files of a static model: model.safetensors with tokenizer.json, or a GGE1 file. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { failRead, type Read, readAs } from './embedder.js';
import { readGge1 } from './gge1.js';
import { codeOf } from './installed-models.js';
import type { PublishedModel } from './manifest.js';
import type { ModelParts } from './model-parts.js';
import { readSafetensors } from './safetensors.js';
import { readTokenizer } from './tokenizer-json.js';

/** `from` is a folder or a file in it. Never throws. */
export const readStaticSource = (from: string): Read<PublishedModel> => {
  const weights = weightsIn(from);
  const parts = readStaticParts(weights);
  if (!parts.ok) return parts;
  const files = isTable(weights)
    ? { 'model.safetensors': weights, 'tokenizer.json': join(dirname(weights), 'tokenizer.json') }
    : { 'vectors.bin': weights };
  const { tokens, dimension } = parts.value;
  return readAs({ manifest: { role: 'static', tokens: tokens.length, dimension }, files });
};

/** The file of vectors, if a folder of published or installed files is named instead of it. */
export const weightsIn = (from: string): string => {
  if (statSync(from, { throwIfNoEntry: false })?.isDirectory() !== true) return from;
  const names = readdirSync(from);
  const bin = names.find((name) => name.endsWith('.bin'));
  return join(from, bin === undefined || names.includes('model.safetensors') ? 'model.safetensors' : bin);
};

/** `weights` is the file of vectors. Never throws. */
export const readStaticParts = (weights: string): Read<ModelParts> => {
  const bytes = readWhole(weights);
  if (!bytes.ok) return bytes;
  if (!isTable(weights)) return readGge1(bytes.value);
  const tokenizerFile = readWhole(join(dirname(weights), 'tokenizer.json'));
  if (!tokenizerFile.ok) return tokenizerFile;
  const tokenizer = readTokenizer(tokenizerFile.value);
  return tokenizer.ok ? readSafetensors(bytes.value, tokenizer.value) : tokenizer;
};

const isTable = (weights: string): boolean => weights.endsWith('.safetensors');

const readWhole = (file: string): Read<Buffer> => {
  try {
    const stat = statSync(file);
    if (!stat.isFile()) return unreadable(file, 'it is not a file');
    if (stat.size > maxBytes)
      return failRead('model-too-large', `${file} has ${stat.size} bytes`, 'choose a smaller model');
    return readAs(readFileSync(file));
  } catch (error) {
    return unreadable(file, codeOf(error));
  }
};

/** Limit of one file; the largest that can be valid is a table of F32. */
const maxBytes = 640 * 1024 * 1024;

const unreadable = (file: string, why: string) =>
  failRead('model-unreadable', `${file} can't be read: ${why}`, giveFolder);

const giveFolder = 'name a folder with model.safetensors and tokenizer.json, one with an ONNX model, or a GGE1 file';
