/**
 * The installed form of a static model: one file that is used in memory as it is, because a search can't wait for
 * 30,000 tokens to be parsed. Tokens are in a hash table, and their text is in UTF-16, like the text they are matched
 * with. Pure.
 *
 * Little-endian: a header with the model's sizes, a quick sum and a digest, then the norm and the scale to length 1 of
 * each vector (f32), the table (u32: row + 1, or 0), where each token's text begins (u32, one more than rows), the text
 * (u16), and the vectors (i8).
 */
import { createHash } from '../events/hash.js';
import { failRead, type Read, readAs } from './embedder.js';
import { checkSize, type ModelParts, maxPrefix, type Tokenisation } from './model-parts.js';
import { addToSum, type QuickSum, quickSumOf } from './quick-sum.js';

export type Vocabulary = {
  readonly tokenisation: Tokenisation;
  readonly table: Uint32Array;
  readonly begins: Uint32Array;
  readonly text: Uint16Array;
  /** In UTF-16 units, including the prefix. */
  readonly longestToken: number;
};

export type InstalledModel = {
  /** SHA-256 of the file without its sums. */
  readonly digest: string;
  readonly rows: number;
  readonly dimension: number;
  readonly vocabulary: Vocabulary;
  readonly values: Int8Array;
  /** Norms of the vectors, and the factors that scale each row of values to length 1. */
  readonly norms: Float32Array;
  readonly units: Float32Array;
};

const magic = 'ANMODEL2';
/** Marks files of earlier versions, which are still read: their sums cover only what follows the header. */
const earlierMagic = 'ANMODEL1';
export const headerBytes = 96;
const quickSumAt = 56;
const digestAt = 64;

/** Seed and step of FNV-1a, 32 bits, over UTF-16 units. */
export const hashSeed = 0x811c9dc5;
export const hashStep = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);

/** A table is less than half full, so a longer search means that it is damaged. */
export const maxProbes = 256;

/** Vectors of published models have lengths between 0.01 and 100. */
const maxNorm = 1e6;

export const formatModel = (parts: ModelParts): Read<Buffer> => {
  const { tokens, dimension, values, scales, tokenisation } = parts;
  const rows = tokens.length;
  const size = checkSize(rows, dimension);
  if (!size.ok) return size;
  const slots = 2 ** Math.ceil(Math.log2(2 * rows + 2));
  const units = tokens.reduce((sum, token) => sum + token.length, 0);
  const layout = computeLayout(rows, dimension, slots, units);
  if (layout.size > maxModelBytes) return tooLarge(layout.size);
  const bytes = Buffer.alloc(layout.size);
  const model = viewOf(bytes, layout);
  let at = 0;
  for (const [row, token] of tokens.entries()) {
    model.begins[row] = at;
    for (let unit = 0; unit < token.length; unit += 1) model.text[at + unit] = token.charCodeAt(unit);
    at += token.length;
    if (!parts.special.has(token) && token !== '' && !addTo(model.table, tokens, row))
      return failRead(
        'model-damaged',
        `the model has the token ${JSON.stringify(token.slice(0, 40))} twice, or too many with a similar hash`,
        'download it again',
      );
    let sum = 0;
    for (let number = row * dimension; number < (row + 1) * dimension; number += 1) sum += (values[number] ?? 0) ** 2;
    const length = Math.sqrt(sum);
    model.norms[row] = length * Math.abs(scales[row] ?? 0);
    // Sums of longer vectors overflow a 32-bit number, and every passage with such a token would be near nothing.
    if (!((model.norms[row] ?? 0) <= maxNorm))
      return failRead('model-damaged', `the model has a vector of length ${model.norms[row]}`, 'download it again');
    model.units[row] = length === 0 ? 0 : Math.sign(scales[row] ?? 0) / length;
  }
  model.begins[rows] = at;
  model.values.set(values.subarray(0, rows * dimension));
  bytes.write(magic, 0, 'latin1');
  const { prefix, maxWordLength } = tokenisation;
  const longest = tokens.reduce((most, token) => Math.max(most, token.length), 0);
  [rows, dimension, slots, units, flagsOf(tokenisation), maxWordLength, longest, prefix.length].forEach(
    (value, field) => {
      bytes.writeUInt32LE(value, 8 + 4 * field);
    },
  );
  bytes.write(prefix.slice(0, maxPrefix), 40, 'utf16le');
  digestOf(bytes).copy(bytes, digestAt);
  const [first, second] = withHeader(bytes, quickSumOf(bytes, headerBytes));
  bytes.writeInt32LE(first, quickSumAt);
  bytes.writeInt32LE(second, quickSumAt + 4);
  return readAs(bytes);
};

/** The bytes must start at the beginning of their memory. Checks the header and the sizes, not the content. */
export const readModel = (bytes: Buffer): Read<InstalledModel> => {
  if (bytes.length < headerBytes || ![magic, earlierMagic].includes(bytes.toString('latin1', 0, 8)))
    return damaged('it has no valid header');
  const [
    rows = 0,
    dimension = 0,
    slots = 0,
    units = 0,
    flags = 0,
    maxWordLength = 0,
    longestToken = 0,
    prefixUnits = 0,
  ] = Array.from({ length: 8 }, (_, field) => bytes.readUInt32LE(8 + 4 * field));
  const size = checkSize(rows, dimension);
  if (!size.ok) return size;
  const layout = computeLayout(rows, dimension, slots, units);
  if (layout.size !== bytes.length) return damaged(`it has ${bytes.length} bytes instead of ${layout.size}`);
  if (slots < rows || (slots & (slots - 1)) !== 0) return damaged('its table has an impossible size');
  const { table, begins, text, values, norms, units: toUnits } = viewOf(bytes, layout);
  const prefix = bytes.toString('utf16le', 40, 40 + 2 * Math.min(prefixUnits, maxPrefix));
  return readAs({
    digest: bytes.toString('hex', digestAt, headerBytes),
    rows,
    dimension,
    values,
    norms,
    units: toUnits,
    vocabulary: { table, begins, text, longestToken, tokenisation: tokenisationOf(flags, prefix, maxWordLength) },
  });
};

/** Whether everything but the quick sum is what was installed. */
export const isWhole = (bytes: Buffer): boolean => digestOf(bytes).equals(bytes.subarray(digestAt, headerBytes));

/**
 * Checks the same by `body`, the quick sum over what follows the header. Files installed by earlier versions have zeros
 * in its place, so their digest is checked instead.
 */
export const hasQuickSum = (bytes: Buffer, body: QuickSum): boolean => {
  const [first, second] = withHeader(bytes, body);
  const kept = [bytes.readInt32LE(quickSumAt), bytes.readInt32LE(quickSumAt + 4)];
  return kept.every((one) => one === 0) ? isWhole(bytes) : kept[0] === first && kept[1] === second;
};

/** Limit of one file: `checkSize` limits the vectors, so only the tokens' text can grow further. */
export const maxModelBytes = 256 * 1024 * 1024;

type Layout = Readonly<Record<'norms' | 'units' | 'table' | 'begins' | 'text' | 'values' | 'size', number>> & {
  readonly counts: readonly [rows: number, dimension: number, slots: number, textUnits: number];
};

const computeLayout = (rows: number, dimension: number, slots: number, textUnits: number): Layout => {
  const norms = headerBytes;
  const units = norms + 4 * rows;
  const table = units + 4 * rows;
  const begins = table + 4 * slots;
  const text = begins + 4 * (rows + 1);
  const values = text + 2 * textUnits;
  const size = values + rows * dimension;
  return { norms, units, table, begins, text, values, size, counts: [rows, dimension, slots, textUnits] };
};

const viewOf = ({ buffer, byteOffset }: Buffer, layout: Layout) => {
  const [rows, dimension, slots, textUnits] = layout.counts;
  return {
    norms: new Float32Array(buffer, byteOffset + layout.norms, rows),
    units: new Float32Array(buffer, byteOffset + layout.units, rows),
    table: new Uint32Array(buffer, byteOffset + layout.table, slots),
    begins: new Uint32Array(buffer, byteOffset + layout.begins, rows + 1),
    text: new Uint16Array(buffer, byteOffset + layout.text, textUnits),
    values: new Int8Array(buffer, byteOffset + layout.values, rows * dimension),
  };
};

/** Returns false if the token is there already, or if so many share a place that it would not be found. */
const addTo = (table: Uint32Array, tokens: readonly string[], row: number): boolean => {
  const token = tokens[row] ?? '';
  let hash = hashSeed;
  for (let unit = 0; unit < token.length; unit += 1) hash = hashStep(hash, token.charCodeAt(unit));
  const mask = table.length - 1;
  for (let probe = 0; probe < maxProbes; probe += 1) {
    const slot = (hash + probe) & mask;
    const other = table[slot] ?? 0;
    if (other === 0) {
      table[slot] = row + 1;
      return true;
    }
    if (tokens[other - 1] === token) return false;
  }
  return false;
};

const flagsOf = ({ cleanText, splitChinese, stripAccents, lowerCase }: Tokenisation): number =>
  [cleanText, splitChinese, stripAccents, lowerCase].reduce((sum, flag, bit) => sum + (flag ? 1 << bit : 0), 0);

const tokenisationOf = (flags: number, prefix: string, maxWordLength: number): Tokenisation => ({
  cleanText: (flags & 1) !== 0,
  splitChinese: (flags & 2) !== 0,
  stripAccents: (flags & 4) !== 0,
  lowerCase: (flags & 8) !== 0,
  prefix,
  maxWordLength: Math.min(maxWordLength, 10_000),
});

/** The header without the sums; empty for a file of the earlier form. */
const summedHeader = (bytes: Buffer): Buffer =>
  bytes.toString('latin1', 0, 8) === earlierMagic ? Buffer.alloc(0) : bytes.subarray(0, quickSumAt);

const digestOf = (bytes: Buffer): Buffer =>
  createHash('sha256').update(summedHeader(bytes)).update(bytes.subarray(headerBytes)).digest();

/** Continues a quick sum over the header, including the digest. Any change of one byte changes the sum. */
const withHeader = (bytes: Buffer, body: QuickSum): QuickSum => {
  const sizes = summedHeader(bytes);
  const header = sizes.length === 0 ? sizes : Buffer.concat([sizes, bytes.subarray(digestAt, headerBytes)]);
  let [first, second] = body;
  for (let at = 0; at < header.length; at += 4) {
    first = addToSum(first, header.readInt32LE(at));
    second = addToSum(second, header.readInt32LE(at));
  }
  return [first, second];
};

const damaged = (what: string) =>
  failRead('model-damaged', `the installed model is damaged: ${what}`, 'install it again: anamnesis model install');
const tooLarge = (size: number) =>
  failRead(
    'model-too-large',
    `the model would take ${size} bytes, but at most ${maxModelBytes} are allowed`,
    'choose a smaller one',
  );
