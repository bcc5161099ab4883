/** This machine's models: a folder of the store for each, with its published files, but never part of the notes. */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createHash } from '../events/hash.js';
import { failRead, type Read, readAs } from './embedder.js';
import { formatManifest, type ModelManifest, manifestName, type PublishedModel, parseManifest } from './manifest.js';

export type InstalledModel<Manifest extends ModelManifest = ModelManifest> = {
  readonly name: string;
  /** The folder that all models are in. */
  readonly models: string;
  readonly manifest: Manifest;
  /** Identifies this version of the model. */
  readonly digest: string;
};

export const modelsFolder = (home: string): string => join(home, 'models');
export const modelFolder = (home: string, name: string): string => join(modelsFolder(home), name);

/** `none` means no model. */
export const isModelName = (name: string): boolean => nameForm.test(name) && name !== 'none';
const nameForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const modelNames = (home: string): readonly string[] => {
  try {
    return readdirSync(modelsFolder(home)).filter(isModelName).sort();
  } catch {
    return [];
  }
};

/** Never throws. The model's files are read when it is opened. */
export const readInstalled = (home: string, name: string): Read<InstalledModel> => {
  if (!isModelName(name)) return unknownModel(name);
  const folder = modelFolder(home, name);
  if (!existsSync(folder)) return unknownModel(name);
  try {
    const bytes = readFileSync(join(folder, manifestName));
    const manifest = parseManifest(bytes);
    if (!manifest.ok) return manifest;
    const digest = createHash('sha256').update(bytes).digest('hex');
    return readAs({ name, models: modelsFolder(home), manifest: manifest.value, digest });
  } catch (error) {
    return failRead('model-damaged', `the model ${name} is damaged: ${manifestName}: ${codeOf(error)}`, reinstall);
  }
};

/** Whether the model of that name is one that is run, not a table of vectors. */
export const isRunModel = (home: string, name: string): boolean => {
  const read = readInstalled(home, name);
  return read.ok && read.value.manifest.role !== 'static';
};

export type ModelPut = {
  readonly status: 'installed' | 'unchanged';
  /** SHA-256 by file. */
  readonly hashes: Readonly<Record<string, string>>;
};

/** Copies the files to a temporary folder, which then replaces the old one. Must not run twice at the same time. */
export const putModel = (home: string, name: string, { manifest, files }: PublishedModel): Read<ModelPut> => {
  const models = modelsFolder(home);
  mkdirSync(models, { recursive: true, mode: 0o700 });
  // Removes what killed installations left.
  for (const left of readdirSync(models).filter((one) => /^\..+\.tmp$/.test(one)))
    rmSync(join(models, left), { recursive: true, force: true });
  const temporary = join(models, `.${name}.${process.pid}.tmp`);
  const hashes: Record<string, string> = {};
  try {
    for (const [file, from] of Object.entries(files)) {
      const stat = statSync(from);
      if (!stat.isFile()) return failRead('model-unreadable', `${from} is not a regular file`, 'check the folder');
      if (stat.size > maxFileBytes)
        return failRead('model-too-large', `${from} has ${stat.size} bytes`, 'choose a smaller model');
      mkdirSync(dirname(join(temporary, file)), { recursive: true, mode: 0o700 });
      copyFileSync(from, join(temporary, file));
      chmodSync(join(temporary, file), 0o600);
      hashes[file] = hashOf(join(temporary, file));
    }
    const before = readInstalled(home, name);
    writeFileSync(join(temporary, manifestName), formatManifest(manifest, hashes), { mode: 0o600 });
    removeModel(home, name);
    renameSync(temporary, modelFolder(home, name));
    const now = readInstalled(home, name);
    const isSame = before.ok && now.ok && before.value.digest === now.value.digest;
    return readAs({ status: isSame ? 'unchanged' : 'installed', hashes });
  } catch (error) {
    return failRead('model-unreadable', `the model can't be copied: ${codeOf(error)}`, 'try again');
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
};

const maxFileBytes = 1024 * 1024 * 1024;

const hashOf = (path: string): string => {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(1024 * 1024);
  const handle = openSync(path, 'r');
  for (let read = readSync(handle, chunk); read > 0; read = readSync(handle, chunk))
    hash.update(chunk.subarray(0, read));
  closeSync(handle);
  return hash.digest('hex');
};

/** Returns false if there is no model of that name. */
export const removeModel = (home: string, name: string): boolean => {
  if (!modelNames(home).includes(name)) return false;
  rmSync(modelFolder(home, name), { recursive: true, force: true });
  return true;
};

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

const unknownModel = (name: string) =>
  failRead(
    'model-unknown',
    `there is no model ${JSON.stringify(name.slice(0, 64))} on this machine`,
    'see: anamnesis model list',
  );
const reinstall = 'install it again: anamnesis model install';
