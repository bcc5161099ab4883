/**
 * The models of this machine in a folder beside the store, never part of the notes: a file for each static model, a folder for
 * each sentence model.
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

/** Whether the model of that name is one that is run, and no table. */
export const isSentenceModel = (home: string, name: string): boolean => {
  try {
    return isModelName(name) && lstatSync(sentenceFolder(home, name)).isDirectory();
  } catch {
    return false;
  }
};

/** `none` stands for no model, and a folder must not have the name of another model's file. */
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

/** Reads the file in one go, and checks that it is as it was installed: 2 ms for 3 MB. Never throws. */
export const readModelFile = (home: string, name: string): Read<ModelFile> =>
  readChecked(home, name, ({ bytes, kernel }) => isWhole(bytes) && hasKernelSum(bytes, kernel));

const readChecked = (home: string, name: string, isSound: (room: Room) => boolean): Read<ModelFile> => {
  if (!isModelName(name)) return unknownModel(name);
  const room = readWhole(modelFile(home, name));
  if (room === 'ENOENT') return unknownModel(name);
  if (typeof room === 'string')
    return failRead('model-unreadable', `the model ${name} can't be read: ${room}`, reinstall);
  const model = readModel(room.bytes);
  if (!model.ok) return model;
  return isSound(room)
    ? { ok: true, value: { ...room, model: model.value } }
    : failRead('model-damaged', `the model ${name} is not what was installed`, reinstall);
};

/** For searching with it. Never throws. */
export const openModel = (home: string, name: string): Read<StaticModel> => {
  const read = readChecked(home, name, ({ bytes, kernel }) =>
    kernel === undefined ? isWhole(bytes) : hasKernelSum(bytes, kernel),
  );
  return read.ok ? { ok: true, value: openStaticModel(name, read.value.model, read.value.kernel) } : read;
};

/** True where nothing computes the sum quickly. */
const hasKernelSum = (bytes: Buffer, kernel: Kernel | undefined): boolean =>
  kernel === undefined || hasQuickSum(bytes, kernel.quickSum());

/** Put under a name of its own first: a search meanwhile reads the old one or the new one. */
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

/** False when there is none of the name. */
export const removeModel = (home: string, name: string): boolean => {
  if (!modelNames(home).includes(name)) return false;
  rmSync(modelFile(home, name), { force: true });
  rmSync(sentenceFolder(home, name), { recursive: true, force: true });
  return true;
};

type Room = Omit<ModelFile, 'model'>;

/** Why it can't be read, or the bytes in memory of their own, where numbers of 4 bytes can be read in place. */
const readWhole = (file: string): Room | string => {
  let handle: number | undefined;
  try {
    // A pipe is not waited for.
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
