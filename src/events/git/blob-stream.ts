/**
 * Contents and sizes of objects, and fields of long listings, streamed from one git child. Anything larger than a note is reported by its size and
 * never held: a blob of two gigabytes packs into two megabytes, so anyone can send one.
 */
import { type BlobId, maxFileBytes } from '../note/note.js';
import { splitFields } from './git-log.js';
import { type GitFolders, streamGit } from './git-process.js';

/** In bytes. Contents larger than `maxBytes` are skipped; reading stops after `inAll`. */
export type BlobLimits = { readonly maxBytes?: number | undefined; readonly inAll?: number | undefined };

/**
 * Contents by id, in the order of `ids`, each once; without ids that git lacks, objects that aren't blobs, and what the
 * limits exclude: `readSizes` tells these apart. The first content that fits is always read.
 */
export const readBlobs = async (
  folders: GitFolders,
  ids: readonly BlobId[],
  { maxBytes = maxFileBytes, inAll = Number.POSITIVE_INFINITY }: BlobLimits = {},
): Promise<ReadonlyMap<BlobId, Buffer>> => {
  const found = new Map<BlobId, Buffer>();
  let held = 0;
  let wanted = [...new Set(ids)];
  while (wanted.length > 0 && held < inAll) {
    let answered = 0;
    let isTooLarge = false;
    const take = parseBlobStream(maxBytes, ({ id, bytes, size }) => {
      answered += 1;
      if (bytes !== undefined && held < inAll) found.set(id, bytes);
      held += bytes?.length ?? 0;
      isTooLarge ||= size > maxBytes;
    });
    // Above this size git streams a blob in pieces, unless it is stored as a delta.
    const args = ['-c', `core.bigFileThreshold=${maxBytes}`, 'cat-file', '--batch', '--buffer'];
    await streamGit(folders, args, (chunk) => take(chunk) && !isTooLarge && held < inAll, [lines(wanted)]);
    if (!isTooLarge) break;
    // Reading on would wait for git to unpack it, and there may be thousands more.
    const rest = wanted.slice(answered);
    const sizes = await readSizes(folders, rest);
    wanted = rest.filter((id) => (sizes.get(id) ?? Number.POSITIVE_INFINITY) <= maxBytes);
  }
  return found;
};

/** Returns sizes in bytes by id, without ids that git lacks and objects that aren't blobs. Reads no contents. */
export const readSizes = async (folders: GitFolders, ids: readonly BlobId[]): Promise<ReadonlyMap<BlobId, number>> => {
  const sizes = new Map<BlobId, number>();
  if (ids.length === 0) return sizes;
  const take = splitLines((line) => {
    const [id = '', kind, size] = line.split(' ');
    if (kind === 'blob') sizes.set(id, Number(size));
  });
  await streamGit(folders, ['cat-file', '--batch-check', '--buffer'], take, [lines([...new Set(ids)])]);
  return sizes;
};

/** One object of `git cat-file --batch`; no bytes if too large, of another type or missing (size 0 for both). */
export type StreamedObject = {
  readonly id: BlobId;
  readonly bytes: Buffer | undefined;
  readonly size: number;
};

/**
 * Takes chunks of `git cat-file --batch`, split anywhere. Reports a skipped object with its header, any other with its
 * last byte; holds at most one. Always returns true, so that the stream continues.
 */
export const parseBlobStream = (
  maxBytes: number,
  onObject: (object: StreamedObject) => void,
  wantedKind: 'blob' | 'tree' = 'blob',
): ((chunk: Buffer) => true) => {
  let header = '';
  /** Bytes of the current object still to come, including its final line break; -1 while reading a header. */
  let missing = -1;
  let id = '';
  let size = 0;
  let parts: Buffer[] | undefined;

  const begin = (line: string): void => {
    const [name = '', kind = '', length = '0'] = line.split(' ');
    const isObject = kind === 'blob' || kind === 'tree' || kind === 'commit' || kind === 'tag';
    id = name;
    size = kind === wantedKind ? Number(length) : 0;
    missing = isObject ? Number(length) + 1 : -1;
    parts = kind === wantedKind && size <= maxBytes ? [] : undefined;
    if (parts === undefined) onObject({ id, bytes: undefined, size });
  };

  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (missing === -1) {
        const end = chunk.indexOf(10, at);
        header += chunk.toString('latin1', at, end === -1 ? chunk.length : end);
        if (end === -1) break;
        at = end + 1;
        begin(header);
        header = '';
        continue;
      }
      const part = chunk.subarray(at, at + missing);
      at += part.length;
      missing -= part.length;
      parts?.push(part);
      if (missing > 0) continue;
      missing = -1;
      if (parts === undefined) continue;
      const bytes = parts.length === 1 ? (parts[0] ?? part) : Buffer.concat(parts);
      onObject({ id, bytes: bytes.subarray(0, size), size });
      parts = undefined;
    }
    return true;
  };
};

/** Calls `onLine` with each complete line of a stream; lines are expected to be short. */
export const splitLines = (onLine: (line: string) => void): ((chunk: Buffer) => true) => {
  let rest = '';
  return (chunk) => {
    const found = (rest + chunk.toString('latin1')).split('\n');
    rest = found.pop() ?? '';
    for (const line of found) onLine(line);
    return true;
  };
};

const lines = (ids: readonly BlobId[]): string => ids.map((id) => `${id}\n`).join('');

/** Calls `take` with each field. Throws GitError. */
export const streamFields = (
  folders: GitFolders,
  args: readonly string[],
  take: (field: string) => void,
  input?: Iterable<Buffer | string>,
): Promise<void> => {
  let rest: Buffer[] = [];
  return streamGit(
    folders,
    args,
    (chunk) => {
      const end = chunk.lastIndexOf(0) + 1;
      if (end > 0) splitFields(Buffer.concat([...rest, chunk.subarray(0, end - 1)])).forEach(take);
      // Chunks are joined only when a field ends, so a long message is copied once.
      if (end > 0) rest = [];
      rest.push(chunk.subarray(end));
      return true;
    },
    input,
  );
};
