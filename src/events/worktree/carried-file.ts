/** A person's own copy of a file that git carries and that is no note (a README), brought to the version that came. */
import { isUtf8 } from 'node:buffer';
import { chmodSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { keepBoth } from '../note/merge-lines.js';
import type { BlobId } from '../note/note.js';
import { redact } from '../note/redact.js';
import { obstacleAbove, putNoteFile, readNoteFile } from './working-tree.js';

/** What git's own index has of it, and what came. */
export type CarriedVersions = {
  readonly path: string;
  /** What the copy may say without the person having edited it. */
  readonly before: ReadonlySet<BlobId | undefined>;
  /** What an edited copy was made from; undefined where git was never told of the person's file. */
  readonly base: BlobId | undefined;
  readonly after: BlobId;
  readonly isExecutable: boolean;
};

/** Also where a file is in the place of a folder, or a path that no file system takes: nothing is checked out there. */
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
 * A commit of all that differs would take back what came. So a copy that was not edited gets it, and an edited text is merged
 * with it, line by line. A secret that was masked in git stays in the copy. Answers false where the two can't be brought
 * together: the copy stays as it is then.
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
  const [old, came] = [bytes.get(from), bytes.get(after)];
  if (old === undefined || came === undefined) return false;
  const content = merge(old, found.bytes, came);
  if (content === undefined) return false;
  if (content.equals(found.bytes)) return true;
  const file = join(folder, path);
  const mode = lstatSync(file, { throwIfNoEntry: false })?.mode;
  if (putNoteFile(folder, path, content, blob) === 'changed') return false;
  if (mode !== undefined) chmodSync(file, isExecutable ? (mode & 0o777) | 0o100 : mode & 0o666);
  return true;
};

const merge = (old: Buffer, copy: Buffer, came: Buffer): Buffer | undefined => {
  if (copy.equals(old) && !holdsSecret(copy)) return came;
  const [base, theirs, ours] = [textOf(old), textOf(copy), textOf(came)];
  if (base === undefined || theirs === undefined || ours === undefined) return undefined;
  // A person's git may check files out with other line ends (core.autocrlf): no line would be the same.
  if (theirs.includes('\r\n') && !base.includes('\r\n')) return undefined;
  return Buffer.from(keepBoth(ours, redact(base).text, theirs));
};

const textOf = (bytes: Buffer): string | undefined =>
  isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : undefined;

const holdsSecret = (bytes: Buffer): boolean => redact(bytes.toString('latin1').replaceAll('\0', '')).masked.length > 0;
