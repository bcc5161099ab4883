/** Reading and replacing files of other programs: links are followed, modes kept, nothing is ever half written. */
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
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Refusal } from '../commands/refusals.js';
import { Fault } from '../events/faults.js';
import { createHash } from '../events/hash.js';
import { randomHex } from '../events/random-hex.js';

export type FileState = {
  /** As it is named; `target` is where links lead from there. */
  readonly path: string;
  readonly target: string;
  /** Undefined where there is no file. */
  readonly bytes: Buffer | undefined;
  readonly mode: number;
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
};

/** For what nobody else needs to read; an existing file keeps the mode it has. */
const ownMode = 0o600;
const maxLinks = 40;

export const isRefusal = (value: object): value is Refusal => 'code' in value && 'next' in value;

/** Refuses what is no plain file: reading a pipe would never end. */
export const readFileState = (path: string): FileState | Refusal => {
  try {
    const target = followLinks(path);
    if (target === undefined) return notAFile(path, 'its links lead in a circle');
    const stat = statSync(target, { throwIfNoEntry: false });
    if (stat === undefined) return { path, target, bytes: undefined, mode: ownMode, owner: undefined };
    if (!stat.isFile()) return notAFile(path, stat.isDirectory() ? 'it is a folder' : 'it is not a regular file');
    return { path, target, bytes: readFileSync(target), mode: stat.mode & 0o7777, owner: stat };
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return notAFile(path, 'a folder on the way to it is a file');
    return notAFile(path, `it can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/** A link may lead to a file that is not there yet; the file is then made where it leads. */
const followLinks = (path: string): string | undefined => {
  let target = path;
  for (let links = 0; links < maxLinks; links += 1) {
    const stat = lstatSync(target, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink() !== true) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  return undefined;
};

/** Text of the file; undefined where there is none. Refuses what is no UTF-8, which an edit would spoil. */
export const textOf = ({ path, bytes }: FileState): { readonly text: string | undefined } | Refusal => {
  if (bytes === undefined) return { text: undefined };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return notAFile(path, 'it is not valid UTF-8');
  }
};

/** Throws Fault 'not-writable' early, before anything else was changed, where writing is known to fail. */
export const ensureWritable = ({ path, target }: FileState): void => {
  let folder = dirname(target);
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notWritable('written', path, error);
  }
};

/**
 * Writes beside the file and renames over it. False, and nothing was changed, when the file is no longer as it was
 * read. Folders on the way are made. Throws Fault 'not-writable'.
 */
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

/** False when the file is no longer as it was read. */
export const removeFile = (state: FileState): boolean => {
  if (!isAsRead(state)) return false;
  try {
    rmSync(state.target, { force: true });
    return true;
  } catch (error) {
    throw notWritable('removed', state.path, error);
  }
};

/** Folders that are missing on the way to the file, the outermost first. */
export const missingFolders = (target: string): readonly string[] => {
  const missing: string[] = [];
  for (let folder = dirname(target); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  return missing;
};

/** Removes those that are empty, the innermost first; what somebody put into one keeps it. */
export const removeEmptyFolders = (folders: readonly string[]): void => {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
};

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const isAsRead = ({ target, bytes }: FileState): boolean =>
  bytes === undefined ? !existsSync(target) : existsSync(target) && readFileSync(target).equals(bytes);

const writeDurably = (path: string, bytes: Buffer, mode: number, owner: FileState['owner']): void => {
  const descriptor = openSync(path, 'wx', ownMode);
  try {
    writeFileSync(descriptor, bytes);
    // Under sudo the file would become root's, and its program could read it no more.
    if (process.geteuid?.() === 0 && owner !== undefined && owner.uid !== 0)
      fchownSync(descriptor, owner.uid, owner.gid);
    fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Windows can't open a folder; it keeps renames in order by itself. */
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
        'see who owns that file and its folder, then repeat the command',
        { cause },
      );

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
