/** The id that git gives to bytes. Pure. */
import { createHash } from '../hash.js';
import type { BlobId } from './note.js';
/** The id git gives these bytes; the length of another id of the repository tells which hash it uses. */
export const blobIdOf = (bytes: Buffer, likeId?: string): BlobId =>
  createHash(likeId?.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
