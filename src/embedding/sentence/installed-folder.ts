/** This machine's models that are run, for sentences and for pairs: a folder each beside the static models' files. */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failRead, type ModelProblem, type Read, readAs } from '../embedder.js';
import { isModelName, modelFile, modelsFolder, sentenceFolder } from '../models-folder.js';
import { copyAll, type FileProblem, hashAll, openBounded, readAll } from './bounded-file.js';
import {
  digestOf,
  type FileKnown,
  formatManifest,
  type ModelFileName,
  type ModelManifest,
  manifestName,
  maxBytesOf,
  maxManifestBytes,
  modelFileNames,
  type PairManifest,
  parseManifest,
  type SentenceManifest,
} from './manifest.js';
import type { PublishedModel } from './published-model.js';

export type RunModel<Manifest extends ModelManifest = ModelManifest> = {
  readonly name: string;
  /** The folder that all models are in. */
  readonly models: string;
  readonly manifest: Manifest;
  readonly digest: string;
  /** Total size of its files. */
  readonly bytes: number;
};

/** Checks that the files exist in the right sizes; their content is hashed when the model is loaded. Never throws. */
export const readRunModel = (home: string, name: string): Read<RunModel> => {
  const folder = sentenceFolder(home, name);
  if (!isModelName(name) || !isKind(folder, 'folder'))
    return failRead(
      'model-unknown',
      `there is no model ${JSON.stringify(name.slice(0, 64))} on this machine`,
      'see: anamnesis model list',
    );
  const opened = isKind(join(folder, manifestName), 'file')
    ? openBounded(join(folder, manifestName), maxManifestBytes)
    : missing;
  if ('code' in opened) return damaged(name, `${manifestName}: ${opened.why}`);
  let manifest: Read<ModelManifest>;
  try {
    manifest = parseManifest(readAll(opened));
  } finally {
    opened.close();
  }
  if (!manifest.ok) return manifest;
  let bytes = 0;
  for (const file of modelFileNames) {
    const path = join(folder, file);
    // Rejects a link, which may point to another file later.
    if (!isKind(join(path, '..'), 'folder') || !isKind(path, 'file')) return damaged(name, `${file} is not there`);
    const { size } = lstatSync(path);
    if (size !== manifest.value.files[file].bytes)
      return damaged(name, `${file} has ${size} bytes instead of ${manifest.value.files[file].bytes}`);
    bytes += size;
  }
  return readAs({
    name,
    models: modelsFolder(home),
    manifest: manifest.value,
    digest: digestOf(manifest.value),
    bytes,
  });
};

/** Reads a model that gives vectors. */
export const readSentenceModel = (home: string, name: string): Read<RunModel<SentenceManifest>> => {
  const read = readRunModel(home, name);
  if (!read.ok) return read;
  const { manifest } = read.value;
  return manifest.role === 'sentences'
    ? readAs({ ...read.value, manifest })
    : failRead(
        'model-unsupported',
        `${name} judges pairs of a question and a text, and gives no vectors`,
        `use it for that: anamnesis model use --rerank ${name}`,
      );
};

/** Reads a model that judges pairs. */
export const readPairModel = (home: string, name: string): Read<RunModel<PairManifest>> => {
  const read = readRunModel(home, name);
  if (!read.ok) return read;
  const { manifest } = read.value;
  return manifest.role === 'pairs'
    ? readAs({ ...read.value, manifest })
    : failRead(
        'model-unsupported',
        `${name} gives vectors, and judges no pairs of a question and a text`,
        `use it for that: anamnesis model use ${name}`,
      );
};

const missing: FileProblem = { code: 'missing', why: 'it is not there' };

export type ModelPut = {
  readonly status: 'installed' | 'unchanged';
  readonly model: RunModel;
  /** SHA-256 of the ONNX file. */
  readonly sha256: string;
};

/**
 * Copies the files to a temporary folder first, which then replaces the old one. Each of `hashes` must be that of a
 * file. Must not run twice at the same time.
 */
export const putRunModel = (
  home: string,
  name: string,
  { sources, config, described }: PublishedModel,
  hashes: readonly string[],
): Read<ModelPut> => {
  const models = modelsFolder(home);
  mkdirSync(models, { recursive: true, mode: 0o700 });
  // Removes what killed installations left.
  for (const left of readdirSync(models).filter((one) => /^\..+\.tmp$/.test(one)))
    rmSync(join(models, left), { recursive: true, force: true });
  const temporary = join(models, `.${name}.${process.pid}.tmp`);
  try {
    mkdirSync(join(temporary, 'onnx'), { recursive: true, mode: 0o700 });
    const known: Partial<Record<ModelFileName, FileKnown>> = {};
    const seen = new Set<string>();
    for (const file of modelFileNames) {
      const opened = openBounded(sources[file], maxBytesOf[file]);
      if ('code' in opened) return failRead('model-unreadable', `${sources[file]}: ${opened.why}`, 'try again');
      try {
        if (file === 'config.json') {
          seen.add(hashAll(opened));
          writeFileSync(join(temporary, file), config, { mode: 0o600, flag: 'wx' });
        } else {
          const sha256 = copyAll(opened, join(temporary, file));
          seen.add(sha256);
        }
      } finally {
        opened.close();
      }
      known[file] = knownOf(join(temporary, file), maxBytesOf[file]);
    }
    const unseen = hashes.find((hash) => !seen.has(hash));
    if (unseen !== undefined)
      return failRead(
        'model-unreadable',
        `no file of the model has the SHA-256 ${unseen}`,
        "before you install it, compare the hash with its publisher's",
      );
    const manifest: ModelManifest = { ...described, files: allOf(known) };
    const before = readRunModel(home, name);
    const isSame = before.ok && before.value.digest === digestOf(manifest) && isWhole(before.value);
    if (!isSame) {
      writeFileSync(join(temporary, manifestName), formatManifest(manifest), { mode: 0o600, flag: 'wx' });
      const folder = sentenceFolder(home, name);
      rmSync(folder, { recursive: true, force: true });
      renameSync(temporary, folder);
      rmSync(modelFile(home, name), { force: true });
    }
    const put = readRunModel(home, name);
    if (!put.ok) return put;
    const { sha256 } = manifest.files['onnx/model.onnx'];
    return readAs({ status: isSame ? 'unchanged' : 'installed', model: put.value, sha256 });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
};

/** Whether the content is what was installed. */
const isWhole = ({ models, name, manifest }: RunModel): boolean =>
  modelFileNames.every(
    (file) => knownOf(join(models, name, file), maxBytesOf[file]).sha256 === manifest.files[file].sha256,
  );

const nothing: FileKnown = { bytes: 0, sha256: '' };

const knownOf = (path: string, most: number): FileKnown => {
  const opened = openBounded(path, most);
  if ('code' in opened) return nothing;
  try {
    return { bytes: opened.bytes, sha256: hashAll(opened) };
  } finally {
    opened.close();
  }
};

const allOf = (known: Partial<Record<ModelFileName, FileKnown>>): ModelManifest['files'] => ({
  'config.json': known['config.json'] ?? nothing,
  'tokenizer.json': known['tokenizer.json'] ?? nothing,
  'tokenizer_config.json': known['tokenizer_config.json'] ?? nothing,
  'onnx/model.onnx': known['onnx/model.onnx'] ?? nothing,
});

/** Returns false for a link. */
const isKind = (path: string, kind: 'file' | 'folder'): boolean => {
  try {
    const stat = lstatSync(path);
    return kind === 'file' ? stat.isFile() : stat.isDirectory();
  } catch {
    return false;
  }
};

const damaged = (name: string, what: string): { ok: false; problem: ModelProblem } =>
  failRead('model-damaged', `the model ${name} is damaged: ${what}`, 'install it again: anamnesis model install');
