/** Reads a file that a person names, up to a limit: a device never ends, and a pipe may have no writer. */
import { closeSync, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';

export type GivenFile =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly problem: 'missing' | 'too-large' | 'unreadable'; readonly why: string };

/** Returns undefined when there is no such file, also for a loop of links and for an impossible name. */
export const statGiven = (path: string, { followsLink = true } = {}): Stats | undefined => {
  try {
    return (followsLink ? statSync : lstatSync)(path, { throwIfNoEntry: false });
  } catch (error) {
    if (['ELOOP', 'ENAMETOOLONG', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw error;
  }
};

/** A larger file is rejected unread; a pipe is read to its end, after `writerMs` for a writer. Blocks; never throws. */
export const readGivenFile = (file: string | number, most: number): GivenFile => {
  let handle: number | undefined;
  try {
    handle = typeof file === 'number' ? file : openSync(file, 'r');
    const stat = fstatSync(handle);
    if (stat.isDirectory()) return { ok: false, problem: 'unreadable', why: 'it is a folder' };
    if (stat.isFile() && stat.size > most) return tooLarge(`${stat.size} bytes`);
    return readUpTo(handle, most);
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes(codeOf(error));
    return { ok: false, problem: isMissing ? 'missing' : 'unreadable', why: describe(error) };
  } finally {
    if (handle !== undefined && handle !== file) closeSync(handle);
  }
};

const readUpTo = (handle: number, most: number): GivenFile => {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, most + 1 - length));
    const read = readSome(handle, chunk);
    if (read === 'later') {
      pause();
    } else if (read > 0) {
      chunks.push(chunk.subarray(0, read));
      length += read;
      if (length > most) return tooLarge(`more than ${most} bytes`);
    } else {
      return { ok: true, bytes: Buffer.concat(chunks) };
    }
  }
};

const chunkBytes = 64 * 1024;
const pauseMs = 10;
const pause = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
};

const readSome = (handle: number, into: Buffer): number | 'later' => {
  try {
    return readSync(handle, into, 0, into.length, null);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EAGAIN') return 'later';
    // On Windows, this is the end of a pipe.
    if (code === 'EOF') return 0;
    throw error;
  }
};

const tooLarge = (why: string): GivenFile => ({ ok: false, problem: 'too-large', why });

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Drops the call and the path: `EACCES: permission denied`. */
const describe = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/, [^,]*$/s, '') : String(error);
