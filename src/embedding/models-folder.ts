/**
 * This machine's models, in a folder of the store but never part of the notes: a file for each static model, a folder
 * for each sentence model.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { failRead, type Read } from './embedder.js';
import { hasQuickSum, type InstalledModel, isWhole, maxModelBytes, readModel } from './installed-form.js';
import { type Kernel, openKernel } from './kernel.js';
import { openStaticModel, type StaticModel } from './static-model.js';

export type ModelFile = {
  readonly bytes: Buffer;
  readonly model: InstalledModel;
  readonly kernel: Kernel | undefined;
};

export const modelsFolder = (home: string): string => join(home, 'models');
export const modelFile = (home: string, name: string): string => join(modelsFolder(home), `${name}${suffix}`);

export const sentenceFolder = (home: string, name: string): string => join(modelsFolder(home), name);

const suffix = '.model';

/** Whether the model of that name is one that is run, not a table of vectors. */
export const isSentenceModel = (home: string, name: string): boolean => {
  try {
    return isModelName(name) && lstatSync(sentenceFolder(home, name)).isDirectory();
  } catch {
    return false;
  }
};

/** `none` means no model, and a folder must not have the name of another model's file. */
export const isModelName = (name: string): boolean => nameForm.test(name) && name !== 'none' && !name.endsWith(suffix);
export const nameForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const modelNames = (home: string): readonly string[] => {
  try {
    const names = readdirSync(modelsFolder(home)).flatMap((file) =>
      file.endsWith(suffix) && isModelName(file.slice(0, -suffix.length))
        ? file.slice(0, -suffix.length)
        : isSentenceModel(home, file)
          ? file
          : [],
    );
    return [...new Set(names)].sort();
  } catch {
    return [];
  }
};

/** Reads the file in one go, and checks that it is what was installed: 2 ms for 3 MB. Never throws. */
export const readModelFile = (home: string, name: string): Read<ModelFile> =>
  readChecked(home, name, ({ bytes, kernel }) => isWhole(bytes) && hasKernelSum(bytes, kernel));

const readChecked = (home: string, name: string, isSound: (raw: RawModelFile) => boolean): Read<ModelFile> => {
  if (!isModelName(name)) return unknownModel(name);
  const raw = readWhole(modelFile(home, name));
  if (raw === 'ENOENT') return unknownModel(name);
  if (typeof raw === 'string')
    return failRead('model-unreadable', `the model ${name} can't be read: ${raw}`, reinstall);
  const model = readModel(raw.bytes);
  if (!model.ok) return model;
  return isSound(raw)
    ? { ok: true, value: { ...raw, model: model.value } }
    : failRead('model-damaged', `the model ${name} is not what was installed`, reinstall);
};

/** Opens a model for searching. Never throws. */
export const openModel = (home: string, name: string): Read<StaticModel> => {
  const read = readChecked(home, name, ({ bytes, kernel }) =>
    kernel === undefined ? isWhole(bytes) : hasKernelSum(bytes, kernel),
  );
  return read.ok ? { ok: true, value: openStaticModel(name, read.value.model, read.value.kernel) } : read;
};

/** True if there is no kernel to compute the sum quickly. */
const hasKernelSum = (bytes: Buffer, kernel: Kernel | undefined): boolean =>
  kernel === undefined || hasQuickSum(bytes, kernel.quickSum());

/** Writes under a temporary name first, so that a concurrent search reads either the old file or the new one. */
export const putModel = (home: string, name: string, bytes: Buffer): void => {
  mkdirSync(modelsFolder(home), { recursive: true, mode: 0o700 });
  const temporary = join(modelsFolder(home), `${name}.${process.pid}.tmp`);
  try {
    writeFileSync(temporary, bytes, { mode: 0o600 });
    renameSync(temporary, modelFile(home, name));
    rmSync(sentenceFolder(home, name), { recursive: true, force: true });
  } finally {
    rmSync(temporary, { force: true });
  }
};

/** Returns false if there is no model of that name. */
export const removeModel = (home: string, name: string): boolean => {
  if (!modelNames(home).includes(name)) return false;
  rmSync(modelFile(home, name), { force: true });
  rmSync(sentenceFolder(home, name), { recursive: true, force: true });
  return true;
};

type RawModelFile = Omit<ModelFile, 'model'>;

/** Returns why the file can't be read, or its bytes in their own memory, where 4-byte numbers can be read in place. */
const readWhole = (file: string): RawModelFile | string => {
  let handle: number | undefined;
  try {
    // Non-blocking, so as not to wait for a pipe.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(handle);
    if (!stat.isFile() || stat.size > maxModelBytes) return 'it is not a model file';
    const kernel = openKernel(stat.size);
    const bytes = kernel?.bytes ?? Buffer.allocUnsafeSlow(stat.size);
    let at = 0;
    while (at < bytes.length) {
      const read = readSync(handle, bytes, at, bytes.length - at, at);
      if (read === 0) return 'it ends too early';
      at += read;
    }
    return { bytes, kernel };
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'an error';
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
};

const unknownModel = (name: string) =>
  failRead(
    'model-unknown',
    `there is no model ${JSON.stringify(name.slice(0, 64))} on this machine`,
    'see: anamnesis model list',
  );
const reinstall = 'install it again: anamnesis model install';
