/** Reads a model's published files, on this machine or at an address, into its parts. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { failRead, type ModelProblem, type Read, readAs } from './embedder.js';
import { fetchChecked } from './fetch-checked.js';
import { isGge1, readGge1 } from './gge1.js';
import type { ModelParts } from './model-parts.js';
import { readSafetensors } from './safetensors.js';
import { parseObject, readTokenizer } from './tokenizer-json.js';

export type ModelSource = {
  readonly parts: ModelParts;
  /** SHA-256 of the file that holds the vectors. */
  readonly sha256: string;
};

/** Reads the file of vectors or a file beside it; returns undefined if it is missing. */
type ReadFile = (name: string) => Promise<Read<Buffer | undefined>>;

/**
 * `from` is a folder, a file in it, or an address. Each hash given must be that of a file; from an address, each file's
 * hash must be given. A fetched file stays in `folder`, not in memory, until its hash is known to be right.
 */
export const readModelSource = async (
  from: string,
  hashes: readonly string[],
  folder: string,
): Promise<Read<ModelSource>> => {
  const isAddress = /^https?:\/\//i.test(from);
  if (isAddress && hashes.length === 0)
    return failRead('model-unreadable', 'a model from an address needs the SHA-256 of its file', 'add: --sha256 HASH');
  const place = isAddress ? readAs(splitAddress(from)) : findWeights(from);
  if (!place.ok) return place;
  const seen = new Set<string>();
  const fetchNamed: ReadFile = async (name) => {
    const fetched = await fetchChecked(place.value.folder + name, hashes, { maxBytes: maxSourceBytes, folder });
    if (!fetched.ok || fetched.value === undefined) return fetched.ok ? readAs(undefined) : fetched;
    const { sha256, bytes } = fetched.value;
    seen.add(sha256);
    return bytes === undefined ? mismatch(name, sha256) : readAs(bytes);
  };
  const readNamed: ReadFile = async (name) => {
    const bytes = await readLocal(join(place.value.folder, name));
    if (bytes.ok && bytes.value !== undefined) seen.add(createHash('sha256').update(bytes.value).digest('hex'));
    return bytes;
  };
  const read = isAddress ? fetchNamed : readNamed;
  const source = await readParts(place.value.name, isAddress, read);
  const unseen = hashes.find((hash) => !seen.has(hash));
  return source.ok && unseen !== undefined ? mismatch(place.value.name, source.value.sha256) : source;
};

const readParts = async (name: string, isAddress: boolean, read: ReadFile): Promise<Read<ModelSource>> => {
  const weights = await read(name);
  if (!weights.ok) return weights;
  if (weights.value === undefined) return missing(name);
  const sha256 = createHash('sha256').update(weights.value).digest('hex');
  if (isGge1(weights.value)) {
    const parts = readGge1(weights.value);
    return parts.ok ? readAs({ parts: parts.value, sha256 }) : parts;
  }
  const tokenizerFile = await read('tokenizer.json');
  if (!tokenizerFile.ok) return tokenizerFile;
  if (tokenizerFile.value === undefined) return missing('tokenizer.json');
  const tokenizer = readTokenizer(tokenizerFile.value);
  if (!tokenizer.ok) return tokenizer;
  const parts = readSafetensors(weights.value, tokenizer.value);
  if (!parts.ok) return parts;
  // It says nothing that the vectors don't say, so it is not fetched from an address.
  const config = isAddress ? readAs(undefined) : await read('config.json');
  const claimed = config.ok && config.value !== undefined ? parseObject(config.value)?.['hidden_dim'] : undefined;
  if (typeof claimed === 'number' && claimed !== parts.value.dimension)
    return failRead(
      'model-damaged',
      `config.json says that vectors have ${claimed} numbers, but they have ${parts.value.dimension}`,
      "download the model's files again: these don't belong together",
    );
  return readAs({ parts: parts.value, sha256 });
};

/** Limit of one file; the largest that can be valid is a table of F32. */
const maxSourceBytes = 640 * 1024 * 1024;

type Place = { readonly folder: string; readonly name: string };

/** The folder ends in a slash; whatever follows the path is dropped. */
const splitAddress = (address: string): Place => {
  const url = new URL(address);
  const at = url.pathname.lastIndexOf('/') + 1;
  return { folder: `${url.origin}${url.pathname.slice(0, at)}`, name: url.pathname.slice(at) || 'model.safetensors' };
};

const findWeights = (from: string): Read<Place> => {
  try {
    if (!statSync(from).isDirectory()) return readAs({ folder: dirname(from), name: basename(from) });
    const files = readdirSync(from);
    const name = files.includes('model.safetensors')
      ? 'model.safetensors'
      : files.find((file) => file.endsWith('.bin'));
    return name === undefined ? missing('model.safetensors', from) : readAs({ folder: from, name });
  } catch (error) {
    return unreadable(from, error);
  }
};

const readLocal = async (file: string): Promise<Read<Buffer | undefined>> => {
  try {
    const stat = statSync(file);
    if (!stat.isFile()) return failRead('model-unreadable', `${file} is not a file`, giveFolder);
    if (stat.size > maxSourceBytes)
      return failRead('model-too-large', `${file} has ${stat.size} bytes`, 'choose a smaller model');
    return readAs(readFileSync(file));
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
      ? readAs(undefined)
      : unreadable(file, error);
  }
};

const unreadable = (file: string, error: unknown): { ok: false; problem: ModelProblem } =>
  failRead(
    'model-unreadable',
    `${file} can't be read: ${error instanceof Error && 'code' in error ? error.code : error}`,
    giveFolder,
  );

const missing = (name: string, folder?: string): { ok: false; problem: ModelProblem } =>
  failRead('model-unreadable', `there is no ${name}${folder === undefined ? '' : ` in ${folder}`}`, giveFolder);

const mismatch = (name: string, hash: string): { ok: false; problem: ModelProblem } =>
  failRead(
    'model-unreadable',
    `the SHA-256 of ${name} is ${hash}, which was not given`,
    "before you install it, compare the hash with its publisher's",
  );

const giveFolder = 'name a folder with model.safetensors and tokenizer.json, one with an ONNX model, or a GGE1 file';
