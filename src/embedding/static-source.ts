/** Reads a static model's files: model.safetensors with tokenizer.json, or GGE1 (int8 vectors, scales, tokens). */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { failRead, type Read, readAs } from './embedder.js';
import { codeOf } from './installed-models.js';
import type { PublishedModel } from './manifest.js';
import { checkSize, getAnother, type ModelParts, readTokenizer, textTokens, uncasedBert } from './model-parts.js';
import { readSafetensors } from './safetensors.js';

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
const isGge1 = (bytes: Buffer): boolean => bytes.subarray(0, 4).toString('latin1') === 'GGE1';

const headerBytes = 12;

/** The format doesn't say how text is tokenised; this assumes the way of BERT's uncased models. */
export const readGge1 = (bytes: Buffer): Read<ModelParts> => {
  if (!isGge1(bytes) || bytes.length < headerBytes) return damaged('it is not a GGE1 file');
  const rows = bytes.readUInt32LE(4);
  const dimension = bytes.readUInt32LE(8);
  const size = checkSize(rows, dimension);
  if (!size.ok) return size;
  const scalesAt = headerBytes;
  const valuesAt = scalesAt + 4 * rows;
  const tokensAt = valuesAt + rows * dimension;
  if (tokensAt + 2 * rows > bytes.length) return damaged(`it ends before its ${rows} vectors do`);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row += 1) scales[row] = bytes.readFloatLE(scalesAt + 4 * row);
  if (!scales.every(Number.isFinite)) return damaged('a scale is not a number');
  const tokens: string[] = [];
  let at = tokensAt;
  for (let row = 0; row < rows; row += 1) {
    if (at + 2 > bytes.length) return damaged(`it ends before its ${rows} tokens do`);
    const length = bytes.readUInt16LE(at);
    if (at + 2 + length > bytes.length) return damaged(`it ends before its ${rows} tokens do`);
    tokens.push(bytes.toString('utf8', at + 2, at + 2 + length));
    at += 2 + length;
  }
  if (at !== bytes.length) return damaged('it has more bytes after its last token');
  const values = new Int8Array(bytes.subarray(valuesAt, tokensAt));
  return readAs({ tokenisation: uncasedBert, tokens: textTokens(tokens), dimension, values, scales });
};

const damaged = (what: string) => failRead('model-damaged', `the file of vectors is damaged: ${what}`, getAnother);
