/** Fetches a file from an address; reads it into memory only once its hash is known to be right. */
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { failRead, type Read, readAs } from './embedder.js';

export type FetchLimits = {
  readonly maxBytes: number;
  /** For files that are not checked yet. Created if missing; nothing is left in it. */
  readonly folder: string;
};

export type Fetched = {
  readonly sha256: string;
  /** Undefined if the hash is not among those given. */
  readonly bytes: Buffer | undefined;
};

/** Returns undefined if the address has no file (404). Never throws. */
export const fetchChecked = async (
  address: string,
  hashes: readonly string[],
  { maxBytes, folder }: FetchLimits,
): Promise<Read<Fetched | undefined>> => {
  let handle: number | undefined;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
    if (response.status === 404) return readAs(undefined);
    if (!response.ok || response.body === null) return unreachable(`HTTP ${response.status}`);
    handle = openUnnamed(folder);
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of response.body) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes)
        return failRead('model-too-large', `the file has more than ${maxBytes} bytes`, 'choose a smaller model');
      hash.update(chunk);
      for (let at = 0; at < chunk.byteLength; ) at += writeSync(handle, chunk, at);
    }
    const sha256 = hash.digest('hex');
    return readAs({ sha256, bytes: hashes.includes(sha256) ? readBack(handle, bytes) : undefined });
  } catch (error) {
    // Only a disk error names a system call; the network's error is in its cause.
    if (error instanceof Error && 'syscall' in error && 'code' in error) return unkept(folder, String(error.code));
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return unreachable(isLate ? `it did not end within ${timeoutMs / 60_000} minutes` : 'the request failed');
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
};

const timeoutMs = 10 * 60_000;

/** Unlinks the file as soon as it is open, so that a kill leaves nothing. */
const openUnnamed = (folder: string): number => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `.${randomUUID()}.fetched`);
  const handle = openSync(path, 'wx+', 0o600);
  rmSync(path, { force: true });
  return handle;
};

const readBack = (handle: number, size: number): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let at = 0; at < size; ) {
    const read = readSync(handle, bytes, at, size - at, at);
    if (read === 0) throw new Error('the bytes that were written are gone');
    at += read;
  }
  return bytes;
};

const unreachable = (why: string) =>
  failRead(
    'model-unreadable',
    `the address could not be read: ${why}`,
    'try again, or download the files yourself and give their folder',
  );

const unkept = (folder: string, why: string) =>
  failRead('model-unreadable', `the file can't be kept in ${folder} while it is checked: ${why}`, 'make room there');
