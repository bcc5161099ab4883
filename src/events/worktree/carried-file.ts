/** Updates a person's copy of a carried file that isn't a note (a README) to the version that arrived. */
import { isUtf8 } from 'node:buffer';
import { chmodSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { keepBoth } from '../note/merge-lines.js';
import type { BlobId } from '../note/note.js';
import { redact } from '../note/redact.js';
import { obstacleAbove, putNoteFile, readNoteFile } from './working-tree.js';

/** The versions in git's own index, and the one that arrived. */
export type CarriedVersions = {
  readonly path: string;
  /** Versions that the copy may have without the person having edited it. */
  readonly before: ReadonlySet<BlobId | undefined>;
  /** The version that an edited copy is based on; undefined when git never knew the person's file. */
  readonly base: BlobId | undefined;
  readonly after: BlobId;
  readonly isExecutable: boolean;
};

/**
 * True when a file exists at the path. False also when a file replaces a folder of the path, or no file system accepts
 * it.
 */
export const isCheckedOut = (folder: string, path: string): boolean => {
  try {
    return (
      obstacleAbove(folder, path) === undefined &&
      lstatSync(join(folder, path), { throwIfNoEntry: false }) !== undefined
    );
  } catch {
    return false;
  }
};

/**
 * Updates the copy, because a person's commit of all changes would otherwise revert the version that arrived. An
 * unedited copy is replaced; an edited text is merged line by line. A secret that was masked in git stays in the copy.
 * Returns false when the two can't be merged: then the copy stays unchanged.
 */
export const bringCopy = async (
  folder: string,
  { path, before, base, after, isExecutable }: CarriedVersions,
  read: (blobs: readonly BlobId[]) => Promise<ReadonlyMap<BlobId, Buffer>>,
): Promise<boolean> => {
  const found = readNoteFile(folder, path, after);
  if (found.kind !== 'file') return false;
  const { blob } = found.row;
  if (blob === after) return true;
  const from = before.has(blob) ? blob : base;
  if (from === undefined) return false;
  const bytes = await read([from, after]);
  const [old, incoming] = [bytes.get(from), bytes.get(after)];
  if (old === undefined || incoming === undefined) return false;
  const content = merge(old, found.bytes, incoming);
  if (content === undefined) return false;
  if (content.equals(found.bytes)) return true;
  const file = join(folder, path);
  const mode = lstatSync(file, { throwIfNoEntry: false })?.mode;
  if (putNoteFile(folder, path, content, blob) === 'changed') return false;
  if (mode !== undefined) chmodSync(file, isExecutable ? (mode & 0o777) | 0o100 : mode & 0o666);
  return true;
};

const merge = (old: Buffer, copy: Buffer, incoming: Buffer): Buffer | undefined => {
  if (copy.equals(old) && !holdsSecret(copy)) return incoming;
  const [base, theirs, ours] = [textOf(old), textOf(copy), textOf(incoming)];
  if (base === undefined || theirs === undefined || ours === undefined) return undefined;
  // A person's git may check files out with other line endings (core.autocrlf): no line would match.
  if (theirs.includes('\r\n') && !base.includes('\r\n')) return undefined;
  return Buffer.from(keepBoth(ours, redact(base).text, theirs));
};

const textOf = (bytes: Buffer): string | undefined =>
  isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : undefined;

const holdsSecret = (bytes: Buffer): boolean => redact(bytes.toString('latin1').replaceAll('\0', '')).masked.length > 0;
