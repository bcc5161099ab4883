/** Many contents of a journal one after the other, in bounded memory. */
import type { Journal } from './journal.js';
import { type BlobId, maxFileBytes } from './note/note.js';

/** A file with its content, or with its size where that is too large; neither when the journal does not have it. */
export type Content<Entry> = {
  readonly entry: Entry;
  readonly bytes: Buffer | undefined;
  readonly size: number | undefined;
};

/** The contents of files in their order. However many and however large they are, about 64 MiB are held at a time. */
export async function* readInTurn<Entry extends { readonly blob: BlobId }>(
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
      // The first that would have fitted, but was not read any more, begins the next part.
      if (bytes === undefined && size !== undefined && size <= maxFileBytes) break;
      at += 1;
      yield { entry, bytes, size };
    }
  }
}

/** Bytes of contents that are held at a time where there is more to read than fits into memory. */
export const heldAtOnce = 64 * 1024 * 1024;
const maxAtOnce = 20_000;
