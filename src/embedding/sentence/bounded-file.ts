/** Reads a regular file up to a size limit, and hashes it while copying it. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { ReadAt } from './onnx-outline.js';

export type FileProblem = { readonly code: 'missing' | 'too-large' | 'unreadable'; readonly why: string };

export type OpenedFile = {
  readonly bytes: number;
  readonly readAt: ReadAt;
  close(): void;
};

/** Never throws, but later reads throw the disk's errors. Does not wait for a pipe. */
export const openBounded = (path: string, most: number): OpenedFile | FileProblem => {
  let handle: number;
  try {
    handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? { code: 'missing', why: 'it is not there' } : unreadable(code);
  }
  const stat = fstatSync(handle);
  if (stat.isFile() && stat.size <= most)
    return { bytes: stat.size, readAt: openWindow(handle, stat.size), close: () => closeSync(handle) };
  closeSync(handle);
  return stat.isFile()
    ? { code: 'too-large', why: `it has ${stat.size} bytes, but at most ${most} are allowed` }
    : { code: 'unreadable', why: 'it is not a regular file' };
};

const unreadable = (why: string): FileProblem => ({ code: 'unreadable', why });

/** Buffers a window of the file, because it is read a few bytes at a time. */
const openWindow = (handle: number, size: number): ReadAt => {
  const window = Buffer.alloc(windowBytes);
  let from = 0;
  let filled = 0;
  return (offset, length) => {
    const wanted = Math.max(0, Math.min(length, size - offset));
    if (wanted > windowBytes) {
      const whole = Buffer.alloc(wanted);
      return whole.subarray(0, readFully(handle, whole, offset));
    }
    if (offset < from || offset + wanted > from + filled) {
      from = offset;
      filled = readFully(handle, window, offset);
    }
    return window.subarray(offset - from, Math.min(offset - from + wanted, filled));
  };
};

const windowBytes = 64 * 1024;

const readFully = (handle: number, into: Buffer, offset: number): number => {
  let filled = 0;
  while (filled < into.length) {
    const read = readSync(handle, into, filled, into.length - filled, offset + filled);
    if (read === 0) break;
    filled += read;
  }
  return filled;
};

export const readAll = ({ bytes, readAt }: OpenedFile): Buffer => Buffer.from(readAt(0, bytes));

export const hashAll = (file: OpenedFile): string => copyTo(file, undefined);

/** Copies to a new file that only its owner can read. Returns the SHA-256 of what was copied. */
export const copyAll = (file: OpenedFile, to: string): string => {
  const target = openSync(to, 'wx', 0o600);
  try {
    return copyTo(file, target);
  } finally {
    closeSync(target);
  }
};

const copyTo = ({ bytes, readAt }: OpenedFile, target: number | undefined): string => {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes; ) {
    const part = readAt(at, chunkBytes);
    if (part.length === 0) break;
    hash.update(part);
    for (let written = 0; target !== undefined && written < part.length; )
      written += writeSync(target, part, written, part.length - written);
    at += part.length;
  }
  return hash.digest('hex');
};

const chunkBytes = 1024 * 1024;

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
