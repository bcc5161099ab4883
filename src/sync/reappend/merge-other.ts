/** Merges a file that is not a note (an eval set, a person's README) and that both sides changed. Pure. */
import { isUtf8 } from 'node:buffer';
import { isFileMode } from '../../events/git/git-log.js';
import type { ImportedChange, PathChange } from '../../events/journal.js';
import { keepBoth } from '../../events/note/merge-lines.js';
import type { BlobId } from '../../events/note/note.js';
import { withSuffix } from './path-collisions.js';

/** The file as it is on the new line. */
export type OtherFile = { readonly blob: BlobId | undefined; readonly text: string | undefined };

/**
 * Merges text by lines; where lines clash, both stay, upstream's first. Other content stays as upstream has it, with
 * ours beside it under another name. If one side removed the file and the other changed it, the change stays.
 */
export const mergeOther = (
  files: Map<string, OtherFile>,
  { path, before, after, afterMode }: PathChange,
  upstream: PathChange,
  bytes: ReadonlyMap<BlobId, Buffer>,
  eventId: string,
): readonly ImportedChange[] => {
  const now = files.get(path) ?? { blob: upstream.after, text: undefined };
  if (now.blob === after && now.text === undefined) return [];
  if (now.blob === before && now.text === undefined) {
    files.set(path, { blob: after, text: undefined });
    return [after === undefined ? { path, bytes: undefined } : { path, blob: after, mode: afterMode }];
  }
  if (after === undefined) return [];
  if (now.blob === undefined && now.text === undefined) {
    files.set(path, { blob: after, text: undefined });
    return [{ path, blob: after, mode: afterMode }];
  }
  const ours = now.text ?? textOf(now.blob, bytes);
  const theirs = isFileMode(afterMode) ? textOf(after, bytes) : undefined;
  if (ours === undefined || theirs === undefined)
    return [{ path: withSuffix(path, `.${eventId}`), blob: after, mode: afterMode }];
  const base = textOf(before, bytes) ?? '';
  const text = keepBoth(ours, base, theirs);
  if (text === ours) return [];
  files.set(path, { blob: undefined, text });
  return [{ path, bytes: Buffer.from(text) }];
};

/** Merges the file as a merge commit has it, whatever the commits before it made of it. */
export const mergeOtherDecision: typeof mergeOther = (files, change, upstream, bytes, eventId) => {
  const wasMade = files.delete(change.path);
  const changes = change.before === change.after ? [] : mergeOther(files, change, upstream, bytes, eventId);
  if (!wasMade || files.has(change.path)) return changes;
  const { path, after, afterMode } = upstream;
  return [...changes, after === undefined ? { path, bytes: undefined } : { path, blob: after, mode: afterMode }];
};

const textOf = (blob: BlobId | undefined, bytes: ReadonlyMap<BlobId, Buffer>): string | undefined => {
  const content = blob === undefined ? undefined : bytes.get(blob);
  return content !== undefined && isUtf8(content) && !content.includes(0) ? content.toString('utf8') : undefined;
};
