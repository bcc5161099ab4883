/**
 * Opens a static model, kept beside the index in the form in which it is used: parsing 30,000 tokens takes too long for
 * a search. It can be lost. A JSON header after its length (u32), padded to whole words; scales and norms (f32), values
 * (i8) and tokens, one a line.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failRead, type Read, readAs } from './embedder.js';
import { type InstalledModel, modelFolder, readInstalled } from './installed-models.js';
import { type ModelParts, objectOf, parseObject, uncasedBert } from './model-parts.js';
import { openStaticModel, type StaticModel, type TokenTable } from './static-model.js';
import { readStaticParts, weightsIn } from './static-source.js';

/** The last model that was opened, for a process that asks again. */
let opened: { readonly home: string; readonly model: StaticModel } | undefined;

/** Never throws. */
export const openModel = (home: string, name: string): Read<StaticModel> => {
  const installed = readInstalled(home, name);
  if (!installed.ok) return installed;
  const id = `${name}@${installed.value.digest.slice(0, 16)}`;
  if (opened?.home === home && opened.model.id === id) return readAs(opened.model);
  if (installed.value.manifest.role !== 'static')
    return failRead('model-unsupported', `${name} is a model that is run`, 'choose another: anamnesis model list');
  const table = readTable(home, installed.value);
  if (!table.ok) return table;
  opened = { home, model: openStaticModel(id, table.value) };
  return readAs(opened.model);
};

const readTable = (home: string, { name, digest }: InstalledModel): Read<TokenTable> => {
  const file = `${prefix}${digest.slice(0, 16)}.cache`;
  const index = join(home, 'index');
  const cached = readCache(join(index, file));
  if (cached !== undefined) return readAs(cached);
  const parts = readStaticParts(weightsIn(modelFolder(home, name)));
  if (!parts.ok) return parts;
  const norms = normsOf(parts.value);
  if (!norms.every((norm) => norm <= maxNorm))
    return failRead('model-damaged', 'the model has a vector that is too long', 'download it again');
  const table = { ...parts.value, norms };
  writeCache(index, file, table);
  return readAs(table);
};

const prefix = 'model-1-';
/** Vectors of published models have lengths between 0.01 and 100. */
const maxNorm = 1e6;

const normsOf = ({ values, scales, dimension }: ModelParts): Float32Array =>
  scales.map((scale, row) => {
    let squares = 0;
    for (let at = row * dimension; at < (row + 1) * dimension; at += 1) squares += (values[at] ?? 0) ** 2;
    return Math.sqrt(squares) * Math.abs(scale);
  });

/** Does without where the index isn't there yet or can't be written. */
const writeCache = (index: string, file: string, table: TokenTable): void => {
  const temporary = join(index, `${file}.${process.pid}.tmp`);
  try {
    const { tokenisation, dimension, tokens, values, scales, norms } = table;
    const text = Buffer.from(tokens.join('\n'));
    const about = JSON.stringify({ tokenisation, dimension, rows: tokens.length, text: text.length });
    const header = Buffer.from(about.padEnd(4 * Math.ceil(about.length / 4)));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(header.length);
    const numbers = [scales, norms, values].map((one) => Buffer.from(one.buffer, one.byteOffset, one.byteLength));
    writeFileSync(temporary, Buffer.concat([length, header, ...numbers, text]), { mode: 0o600 });
    for (const other of readdirSync(index).filter((name) => name.startsWith('model-') && name.endsWith('.cache')))
      rmSync(join(index, other), { force: true });
    renameSync(temporary, join(index, file));
  } catch {
    rmSync(temporary, { force: true });
  }
};

/** Undefined if it isn't there, or isn't whole. */
const readCache = (file: string): TokenTable | undefined => {
  try {
    const bytes = readFileSync(file);
    const start = 4 + bytes.readUInt32LE(0);
    const { tokenisation, dimension, rows, text } = parseObject(bytes.subarray(4, start)) ?? {};
    if (typeof dimension !== 'number' || typeof rows !== 'number' || typeof text !== 'number') return undefined;
    const values = start + 8 * rows;
    const end = values + rows * dimension;
    if (end + text !== bytes.length) return undefined;
    const { buffer, byteOffset } = bytes;
    return {
      tokenisation: { ...uncasedBert, ...objectOf(tokenisation) },
      dimension,
      tokens: bytes.toString('utf8', end).split('\n'),
      scales: new Float32Array(buffer, byteOffset + start, rows),
      norms: new Float32Array(buffer, byteOffset + start + 4 * rows, rows),
      values: new Int8Array(buffer, byteOffset + values, rows * dimension),
    };
  } catch {
    return undefined;
  }
};
