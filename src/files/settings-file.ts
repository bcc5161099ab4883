/** Reads and replaces files of other programs: links are followed, modes kept, and no file is ever half written. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Refusal } from '../commands/refusals.js';
import { Fault } from '../events/faults.js';
import { createHash, randomHex } from '../events/hash.js';

export type FileState = {
  /** As given; `target` is the file that its links lead to. */
  readonly path: string;
  readonly target: string;
  /** Undefined when there is no file. */
  readonly bytes: Buffer | undefined;
  readonly mode: number;
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
};

/** Only the user needs to read a new file; an existing file keeps its mode. */
const ownMode = 0o600;
const maxLinks = 40;

export const isRefusal = (value: object): value is Refusal => 'code' in value && 'next' in value;

/** Refuses anything but a regular file: reading a pipe would never end. */
export const readFileState = (path: string): FileState | Refusal => {
  try {
    const target = followLinks(path);
    if (target === undefined) return notAFile(path, 'its links form a loop');
    const stat = statSync(target, { throwIfNoEntry: false });
    if (stat === undefined) return { path, target, bytes: undefined, mode: ownMode, owner: undefined };
    if (!stat.isFile()) return notAFile(path, stat.isDirectory() ? 'it is a folder' : 'it is not a regular file');
    return { path, target, bytes: readFileSync(target), mode: stat.mode & 0o7777, owner: stat };
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return notAFile(path, 'a folder in its path is a file');
    return notAFile(path, `it can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/** Returns the target of the links, which may not exist yet; undefined for a loop. */
const followLinks = (path: string): string | undefined => {
  let target = path;
  for (let links = 0; links < maxLinks; links += 1) {
    const stat = lstatSync(target, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink() !== true) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  return undefined;
};

/** Returns the file's text; undefined when there is no file. Refuses invalid UTF-8, which an edit would corrupt. */
export const textOf = ({ path, bytes }: FileState): { readonly text: string | undefined } | Refusal => {
  if (bytes === undefined) return { text: undefined };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return notAFile(path, 'it is not valid UTF-8');
  }
};

/** Throws Fault 'not-writable' when writing is known to fail, before anything else is changed. */
export const ensureWritable = ({ path, target }: FileState): void => {
  let folder = dirname(target);
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notWritable('written', path, error);
  }
};

/** By a temporary file and a rename; false if it is no longer as read. Makes folders. Throws Fault 'not-writable'. */
export const replaceFile = (
  state: FileState,
  bytes: Buffer,
  {
    mode = state.mode,
    step = () => undefined,
  }: { readonly mode?: number; readonly step?: (name: string) => void } = {},
): boolean => {
  const { target } = state;
  const temporary = join(dirname(target), `.${basename(target)}.anamnesis-${randomHex(6)}`);
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    writeDurably(temporary, bytes, mode, state.owner);
    step('file-written');
    if (!isAsRead(state)) {
      rmSync(temporary);
      return false;
    }
    renameSync(temporary, target);
    syncFolder(dirname(target));
    return true;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw notWritable('written', state.path, error);
  }
};

/** Removes the file; returns false when it is no longer as it was read. */
export const removeFile = (state: FileState): boolean => {
  if (!isAsRead(state)) return false;
  try {
    rmSync(state.target, { force: true });
    return true;
  } catch (error) {
    throw notWritable('removed', state.path, error);
  }
};

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const isAsRead = ({ target, bytes }: FileState): boolean =>
  bytes === undefined ? !existsSync(target) : existsSync(target) && readFileSync(target).equals(bytes);

const writeDurably = (path: string, bytes: Buffer, mode: number, owner: FileState['owner']): void => {
  const descriptor = openSync(path, 'wx', ownMode);
  try {
    writeFileSync(descriptor, bytes);
    // Under sudo, the file would belong to root, and its program could no longer read it.
    if (process.geteuid?.() === 0 && owner !== undefined && owner.uid !== 0)
      fchownSync(descriptor, owner.uid, owner.gid);
    fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Windows can't open a folder, and orders renames itself. */
const syncFolder = (folder: string): void => {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

const notAFile = (path: string, why: string): Refusal => ({
  code: 'file-unusable',
  message: `${path} can't be used: ${why}; nothing was changed`,
  next: 'fix that file, then repeat the command',
});

const notWritable = (what: 'written' | 'removed', path: string, cause: unknown): Error =>
  cause instanceof Fault
    ? cause
    : new Fault(
        'not-writable',
        `${path} can't be ${what}: ${cause instanceof Error ? cause.message : String(cause)}`,
        'check who owns that file and its folder, then repeat the command',
        { cause },
      );

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
