/** Ids of git's objects: their form, and the id of a file's content. Pure. */
import { createHash } from '../hash.js';
import type { BlobId } from './note.js';

/** `likeId` is another id of the same repository; its length tells which hash the repository uses. */
export const blobIdOf = (bytes: Buffer, likeId?: string): BlobId =>
  createHash(likeId?.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');

/** True for the id of an object, in a repository of either hash function. */
export const isObjectId = (text: string): boolean => objectId.test(text);
const objectId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
