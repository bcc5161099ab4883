/** Reads many contents of a journal one after another, in bounded memory. */
import type { Journal } from './journal.js';
import { type BlobId, maxFileBytes } from './note/note.js';

/** A file with its content, or only its size when it is too large; neither when the journal lacks it. */
export type Content<Entry> = {
  readonly entry: Entry;
  readonly bytes: Buffer | undefined;
  readonly size: number | undefined;
};

/** Yields the contents in the order of `entries`. Holds about 64 MiB at a time, however many and large they are. */
export async function* readInBatches<Entry extends { readonly blob: BlobId }>(
  source: Pick<Journal, 'blobs' | 'sizes'>,
  entries: readonly Entry[],
): AsyncGenerator<Content<Entry>> {
  for (let at = 0; at < entries.length; ) {
    const asked = entries.slice(at, at + maxAtOnce);
    const contents = await source.blobs(
      asked.map(({ blob }) => blob),
      heldAtOnce,
    );
    const left = asked.filter(({ blob }) => !contents.has(blob)).map(({ blob }) => blob);
    const sizes = left.length === 0 ? new Map<BlobId, number>() : await source.sizes(left);
    for (const entry of asked) {
      const bytes = contents.get(entry.blob);
      const size = bytes?.length ?? sizes.get(entry.blob);
      // The next batch begins with the first small enough file that the byte limit left out.
      if (bytes === undefined && size !== undefined && size <= maxFileBytes) break;
      at += 1;
      yield { entry, bytes, size };
    }
  }
}

/** Bytes of contents held at a time when reading more than fits into memory. */
export const heldAtOnce = 64 * 1024 * 1024;
const maxAtOnce = 20_000;
