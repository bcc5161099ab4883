/** Reads the vectors of a Model2Vec model.safetensors; its tokens are in tokenizer.json. Pure. */
import { failRead, type Read, readAs } from './embedder.js';
import {
  checkSize,
  getAnother,
  type ModelParts,
  objectOf,
  parseObject,
  quantise,
  type Tokenizer,
} from './model-parts.js';

const maxHeaderBytes = 1024 * 1024;

type Tensor = { readonly kind: string; readonly shape: readonly number[]; readonly bytes: Buffer };

/** `embeddings`, `0` or `embedding.weight`: vectors; if quantised, `mapping` has an id's row, `weights` its weight. */
export const readSafetensors = (bytes: Buffer, tokenizer: Tokenizer): Read<ModelParts> => {
  const tensors = readTensors(bytes);
  if (tensors === undefined) return damaged('it has no readable header, or ends too early');
  const embeddings = tensors.get('embeddings') ?? tensors.get('0') ?? tensors.get('embedding.weight');
  const [rows = 0, dimension = 0] = embeddings?.shape ?? [];
  if (embeddings === undefined || embeddings.shape.length !== 2) return damaged('it has no table of vectors');
  const size = checkSize(rows, dimension);
  if (!size.ok) return size;
  const vectors = numbersOf(embeddings);
  if (vectors === undefined)
    return failRead(
      'model-unsupported',
      `vectors of type ${embeddings.kind} are not supported`,
      'get it as F32, F16 or I8',
    );
  if (vectors.length !== rows * dimension || !vectors.every(Number.isFinite))
    return damaged('its vectors are not all numbers');
  const mapping = tensors.has('mapping') ? numbersOf(tensors.get('mapping')) : undefined;
  const weights = tensors.has('weights') ? numbersOf(tensors.get('weights')) : undefined;
  const { tokens, tokenisation } = tokenizer;
  const wanted = checkSize(tokens.length, dimension);
  if (!wanted.ok) return wanted;
  const all = new Float32Array(tokens.length * dimension);
  for (const [id, token] of tokens.entries()) {
    if (token === '') continue;
    const row = mapping === undefined ? id : (mapping[id] ?? -1);
    const weight = weights === undefined ? 1 : (weights[id] ?? 1);
    if (!(row >= 0 && row < rows) || !Number.isFinite(weight))
      return damaged(`it has ${rows} vectors, and tokenizer.json ${tokens.length} tokens: they don't belong together`);
    for (let number = 0; number < dimension; number += 1)
      all[id * dimension + number] = (vectors[row * dimension + number] ?? 0) * weight;
  }
  return readAs({ tokenisation, tokens, dimension, ...quantise(all, dimension) });
};

const readTensors = (bytes: Buffer): ReadonlyMap<string, Tensor> | undefined => {
  if (bytes.length < 8) return undefined;
  const length = bytes.readBigUInt64LE(0);
  if (length > BigInt(Math.min(maxHeaderBytes, bytes.length - 8))) return undefined;
  const data = bytes.subarray(8 + Number(length));
  const header = parseObject(bytes.subarray(8, 8 + Number(length)));
  if (header === undefined) return undefined;
  const tensors = new Map<string, Tensor>();
  for (const [name, value] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    const { dtype, shape, data_offsets: offsets } = objectOf(value) ?? {};
    const [begin = -1, end = -1] = wholeNumbers(offsets) ?? [];
    const dimensions = wholeNumbers(shape);
    if (typeof dtype !== 'string' || dimensions === undefined || begin < 0 || end < begin || end > data.length)
      return undefined;
    tensors.set(name, { kind: dtype.slice(0, 16), shape: dimensions, bytes: data.subarray(begin, end) });
  }
  return tensors;
};

const wholeNumbers = (value: unknown): readonly number[] | undefined => {
  if (!Array.isArray(value)) return undefined;
  const numbers = value.flatMap((one: unknown) =>
    typeof one === 'number' && Number.isSafeInteger(one) && one >= 0 ? [one] : [],
  );
  return numbers.length === value.length ? numbers : undefined;
};

const numbersOf = (tensor: Tensor | undefined): Float32Array | undefined => {
  if (tensor === undefined) return undefined;
  const { kind, bytes } = tensor;
  const read = (width: number, numberAt: (at: number) => number): Float32Array =>
    Float32Array.from({ length: Math.floor(bytes.length / width) }, (_, at) => numberAt(at * width));
  switch (kind) {
    case 'F64':
      return read(8, (at) => bytes.readDoubleLE(at));
    case 'F32':
      return read(4, (at) => bytes.readFloatLE(at));
    case 'F16':
      return read(2, (at) => fromHalfFloat(bytes.readUInt16LE(at)));
    case 'I8':
      return read(1, (at) => bytes.readInt8(at));
    case 'I32':
      return read(4, (at) => bytes.readInt32LE(at));
    case 'I64':
      return read(8, (at) => Number(bytes.readBigInt64LE(at)));
    default:
      return undefined;
  }
};

/** IEEE 754 binary16: a sign, 5 bits of exponent, 10 of fraction. */
const fromHalfFloat = (bits: number): number => {
  const sign = bits >>> 15 === 0 ? 1 : -1;
  const exponent = (bits >>> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
};

const damaged = (what: string) => failRead('model-damaged', `model.safetensors is damaged: ${what}`, getAnother);
