/** Merges what two sides made of a file that isn't a readable note. Pure. */
import { isUtf8 } from 'node:buffer';
import { blobIdOf } from '../note/blob-id.js';
import { keepBoth, mergeLines } from '../note/line-diff.js';
import type { BlobId } from '../note/note.js';
import { type FileState, type PathStates, type PlacedFile, shortSuffix, withSuffix } from './tree-state.js';

/** Adds the content that it makes to `contents`. Where two clash, a readable note keeps the path. */
export const mergeOther = (
  { path, base, a, b }: PathStates,
  contents: Map<BlobId, Buffer>,
  isNote: (state: FileState) => boolean,
): readonly PlacedFile[] => {
  const as = (state: FileState | undefined, at = path): readonly PlacedFile[] =>
    state === undefined ? [] : [{ path: at, state, note: undefined }];
  const isBase = (state: FileState | undefined): boolean => state?.blob === base?.blob;
  if (a === undefined || b === undefined) return isBase(a ?? b) ? [] : as(a ?? b);
  if (isBase(b) || a.blob === b.blob) return as(a);
  if (isBase(a)) return as(b);
  const isFirst = isNote(a) === isNote(b) ? a.blob < b.blob : isNote(a);
  const [first, second] = isFirst ? [a, b] : [b, a];
  const text = mergeText(path, [base, first, second], contents);
  if (text === undefined) return [...as(first), ...as(second, withSuffix(path, shortSuffix(second.blob)))];
  const bytes = Buffer.from(text);
  const blob = blobIdOf(bytes, a.blob);
  contents.set(blob, bytes);
  return as({ blob, mode: a.mode > b.mode ? a.mode : b.mode, isMade: true });
};

/** Returns undefined if the two clash, or if one of them is no text. */
const mergeText = (
  path: string,
  [base, first, second]: readonly [FileState | undefined, FileState, FileState],
  contents: ReadonlyMap<BlobId, Buffer>,
): string | undefined => {
  const [ours, theirs] = [readText(first, contents), readText(second, contents)];
  const old = base === undefined ? '' : readText(base, contents);
  if (ours === undefined || theirs === undefined || old === undefined) return undefined;
  // Every line of an eval set stands for itself.
  if (/^eval\/.*\.jsonl$/.test(path)) return keepBoth(ours, old, theirs);
  const lines: string[] = [];
  for (const part of mergeLines(old, ours, theirs)) {
    if (part.kind === 'clash') return undefined;
    lines.push(part.lines.join(''));
  }
  return lines.join('');
};

const readText = ({ blob, mode }: FileState, contents: ReadonlyMap<BlobId, Buffer>): string | undefined => {
  const bytes = contents.get(blob);
  const isText = bytes !== undefined && mode.startsWith('100') && isUtf8(bytes) && !bytes.includes(0);
  return isText ? bytes.toString('utf8') : undefined;
};
