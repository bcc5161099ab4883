/** Downloads the files of a static model, and keeps only those whose hash is known to be right. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { failRead, type Read, readAs } from './embedder.js';
import { codeOf, otherHash } from './installed-models.js';

/** Returns the path of the file of vectors in `folder`. Each file's hash must be among `hashes`. Never throws. */
export const downloadModel = async (address: URL, hashes: readonly string[], folder: string): Promise<Read<string>> => {
  const at = address.pathname.lastIndexOf('/') + 1;
  const isTable = !address.pathname.endsWith('.bin');
  const weights = join(folder, isTable ? 'model.safetensors' : 'vectors.bin');
  const name = address.pathname.slice(at) || 'model.safetensors';
  const from = `${address.origin}${address.pathname.slice(0, at)}`;
  const fetched = await download(from + name, weights, hashes);
  if (!fetched.ok || !isTable) return fetched;
  const tokenizer = await download(`${from}tokenizer.json`, join(folder, 'tokenizer.json'), hashes);
  return tokenizer.ok ? fetched : tokenizer;
};

const download = async (address: string, file: string, hashes: readonly string[]): Promise<Read<string>> => {
  let handle: number | undefined;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok || response.body === null) return unreachable(address, `HTTP ${response.status}`);
    handle = openSync(file, 'wx', 0o600);
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of response.body) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes)
        return failRead('model-too-large', `${address} has more than ${maxBytes} bytes`, 'choose a smaller model');
      hash.update(chunk);
      for (let at = 0; at < chunk.byteLength; ) at += writeSync(handle, chunk, at);
    }
    const sha256 = hash.digest('hex');
    if (hashes.includes(sha256)) return readAs(file);
    rmSync(file);
    return otherHash(sha256);
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return unreachable(address, isLate ? `it did not end within ${timeoutMs / 60_000} minutes` : codeOf(error));
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
};

const timeoutMs = 10 * 60_000;
const maxBytes = 640 * 1024 * 1024;

const unreachable = (address: string, why: string) =>
  failRead(
    'model-unreadable',
    `${address} could not be read: ${why}`,
    'try again, or download the files yourself and give their folder',
  );
