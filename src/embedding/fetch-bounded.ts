/** A file from an address, held in memory up to a limit. What it is worth is for the caller to check. */
import { failRead, type Read, readAs } from './embedder.js';

/** Undefined where the address has none. Never throws. */
export const fetchBounded = async (address: string, maxBytes: number): Promise<Read<Buffer | undefined>> => {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
    if (response.status === 404) return readAs(undefined);
    if (!response.ok || response.body === null) return unreachable(`HTTP ${response.status}`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes)
        return failRead('model-too-large', `the file has more than ${maxBytes} bytes`, 'choose a smaller model');
      chunks.push(chunk);
    }
    return readAs(Buffer.concat(chunks));
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return unreachable(isLate ? `no end within ${timeoutMs / 60_000} minutes` : 'the request failed');
  }
};

const timeoutMs = 10 * 60_000;

const unreachable = (why: string) =>
  failRead(
    'model-unreadable',
    `the address could not be read: ${why}`,
    'try again, or fetch the files yourself and name their folder',
  );
