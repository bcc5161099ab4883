/**
 * Inspects incoming history before any of it is trusted: a synced repository is untrusted input. Only trees and sizes
 * are read; nothing is checked out, and memory is bounded whatever was sent.
 */
import { statfs } from 'node:fs/promises';
import type { TreeEntry } from '../../journal.js';
import { type BlobId, describeTooLarge, maxFileBytes } from '../../note/note.js';
import { findTwins, isNotePath, standApart } from '../../note/paths.js';
import { readSizes } from '../blob-stream.js';
import type { GitJournal } from '../git-journal.js';
import { isFileMode } from '../git-log.js';
import type { GitFolders } from '../git-process.js';
import { byPath, type CarriedPath, noteFoldersIn, whyCarried } from '../note-tree.js';
import { historyLimits, inspectCommits } from './incoming-commits.js';
import { folderMode, walkChanged } from './tree-walk.js';

export type IncomingReport = {
  /** Why it may not be taken over, as a phrase; undefined if it may. */
  readonly refused: string | undefined;
  /** Paths that git keeps and nothing else reads: the first thousand in path order. */
  readonly carried: readonly CarriedPath[];
  /** Bytes of the note files that would be newly checked out. */
  readonly noteBytes: number;
};

export type IncomingLimits = {
  /** Files and folders that may differ. */
  readonly entries: number;
  /** Folders above a file. */
  readonly depth: number;
  /** UTF-16 units of all differing paths, including folders: each is held in memory. */
  readonly pathUnits: number;
  readonly noteBytes: number;
  /** Files in the whole tree that aren't notes: git's index lists each, and every write reads and writes the index. */
  readonly carried: number;
  /** Files with the same content: no honest store has many, and they turn a few sent bytes into gigabytes on disk. */
  readonly copies: number;
  /** Bytes of disk space to leave free. */
  readonly reserve: number;
  /** Time for reading the trees, in milliseconds. */
  readonly ms: number;
};

export const incomingLimits: IncomingLimits = {
  entries: 2_000_000,
  carried: 20_000,
  depth: 64,
  pathUnits: 128 * 1024 ** 2,
  noteBytes: 4 * 1024 ** 3,
  copies: 1000,
  reserve: 256 * 1024 ** 2,
  ms: 300_000,
};

/**
 * Inspects the difference between two commits, and the commits between them; `from` undefined is the empty tree. Takes
 * about as long as git takes to list the difference. Throws GitError when one of the two is not a commit.
 */
export const inspectIncoming = async (
  journal: GitJournal,
  from: string | undefined,
  to: string,
  limits: IncomingLimits = incomingLimits,
): Promise<IncomingReport> => {
  const entries = await listChanged(journal.folders, from, to, limits);
  if (typeof entries === 'string') return refuse(entries);
  const history = await inspectCommits(journal.folders, from, to, {
    ...historyLimits,
    entries: historyEntries * limits.entries,
    ms: limits.ms,
  });
  if (history !== undefined) return refuse(history);
  const files = entries.filter(isNoteFile);
  const copies = maxCopies(entries);
  if (copies !== undefined && copies.count > limits.copies)
    return refuse(`one content is in ${copies.count} files, at ${copies.path} and elsewhere`);
  // Many small syncs can add up to too many; the whole tree is read only when non-notes arrived.
  const excess = files.length === entries.length ? undefined : await tooManyOtherFiles(journal.folders, to, limits);
  if (excess !== undefined) return refuse(excess);
  // Finding twins needs the whole tree, which is read only after it was inspected.
  const [sizes, twins] = await Promise.all([
    readSizes(
      journal.folders,
      files.map(({ blob }) => blob),
    ),
    files.length === 0 ? new Map<string, string>() : twinsIn(journal, to, files),
  ]);
  const missing = files.find(({ blob }) => !sizes.has(blob));
  if (missing !== undefined) return refuse(`the content of ${missing.path} is missing or not a file`);

  const carried: CarriedPath[] = [];
  let noteBytes = 0;
  let diskBytes = 0;
  for (const { path, mode, blob } of entries) {
    const size = sizes.get(blob) ?? 0;
    const isLarge = size > maxFileBytes && isFileMode(mode) && isNotePath(path);
    const reason = whyCarried(path, mode, twins) ?? (isLarge ? describeTooLarge(size) : undefined);
    if (reason !== undefined) carried.push({ path, reason });
    else if (isFileMode(mode) && isNotePath(path)) {
      noteBytes += size;
      diskBytes += Math.ceil(size / blockBytes) * blockBytes;
    }
  }
  if (noteBytes > limits.noteBytes)
    return refuse(
      `its notes need ${inMebibytes(noteBytes)}, and at most ${inMebibytes(limits.noteBytes)} may come in one sync`,
    );
  const { bavail, bsize } = await statfs(journal.folder);
  const free = bavail * bsize - limits.reserve;
  if (diskBytes > free)
    return refuse(
      `its notes need ${inMebibytes(diskBytes)} of disk space, and ${inMebibytes(Math.max(0, free))} are free for them`,
    );
  return { refused: undefined, carried: carried.sort(byPath).slice(0, maxCarried), noteBytes };
};

/** The commits together may change this many times as many entries as the difference may have. */
const historyEntries = 4;
const maxCarried = 1000;
/** The least space that a file takes on most disks. */
const blockBytes = 4096;
const refuse = (refused: string): IncomingReport => ({ refused, carried: [], noteBytes: 0 });
const inMebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2)} MiB`;

const isNoteFile = ({ mode, path }: TreeEntry): boolean => isFileMode(mode) && isNotePath(path);

/** Counts files that aren't notes by their top-level folder; returns a phrase once there are more than `limit`. */
const openOtherFilesCount = (limit: number): ((entry: TreeEntry) => string | undefined) => {
  const countByFolder = new Map<string, number>();
  let count = 0;
  return (entry) => {
    if (entry.mode === folderMode || isNoteFile(entry)) return undefined;
    count += 1;
    const folder = entry.path.slice(0, entry.path.indexOf('/') + 1);
    countByFolder.set(folder, (countByFolder.get(folder) ?? 0) + 1);
    if (count <= limit) return undefined;
    const [largest = ''] = [...countByFolder].toSorted((a, b) => b[1] - a[1])[0] ?? [];
    return `it holds more than ${limit} files that aren't notes, many of them ${largest === '' ? 'outside of any folder' : `in ${largest}`}`;
  };
};

/** Returns why a commit's whole tree has too many files that aren't notes; undefined if it hasn't. */
const tooManyOtherFiles = async (
  folders: GitFolders,
  commit: string,
  limits: IncomingLimits,
): Promise<string | undefined> => {
  const look = openOtherFilesCount(limits.carried);
  let refused: string | undefined;
  await walkChanged(folders, undefined, commit, (entry) => {
    refused = look(entry);
    return refused === undefined;
  });
  return refused;
};

const maxCopies = (files: readonly TreeEntry[]): { readonly count: number; readonly path: string } | undefined => {
  const byBlob = new Map<BlobId, { count: number; path: string }>();
  let most: { count: number; path: string } | undefined;
  for (const { blob, path } of files) {
    const found = byBlob.get(blob) ?? { count: 0, path };
    found.count += 1;
    byBlob.set(blob, found);
    if (most === undefined || found.count > most.count) most = found;
  }
  return most;
};

const twinsIn = async (
  journal: GitJournal,
  commit: string,
  files: readonly TreeEntry[],
): Promise<ReadonlyMap<string, string>> => {
  const paths = files.map(({ path }) => path);
  if (standApart(paths, await noteFoldersIn(journal.folders, commit))) return new Map();
  const notes = new Set((await journal.notes(commit)).map(({ path }) => path));
  const hidden = files.filter(({ path }) => !notes.has(path));
  if (hidden.length === 0) return new Map();
  return findTwins([...notes, ...hidden.map(({ path }) => path)].sort());
};

/**
 * Returns the entries of `to` that differ from `from`, of any kind; a phrase if they may not be taken over. Folders
 * count too: a tree can contain millions of folders without a file, or itself a thousand times over, in a few hundred
 * bytes.
 */
const listChanged = async (
  folders: GitFolders,
  from: string | undefined,
  to: string,
  limits: IncomingLimits,
): Promise<readonly TreeEntry[] | string> => {
  const entries: TreeEntry[] = [];
  const deadline = Date.now() + limits.ms;
  let looked = 0;
  let pathUnits = 0;
  let refused: string | undefined;
  const look = openOtherFilesCount(limits.carried);
  const walked = await walkChanged(folders, from, to, (entry) => {
    looked += 1;
    pathUnits += entry.path.length;
    if (entry.mode !== folderMode) entries.push(entry);
    if (looked > limits.entries) refused = `it changes more than ${limits.entries} files and folders`;
    // Checked before the path's characters are: it is a joined string, which takes up memory only once it is read.
    else if (entry.path.length > maxPathUnits) refused = `it has a path of more than ${maxPathUnits} characters`;
    else if (pathUnits > limits.pathUnits)
      refused = `the paths that it changes have more than ${limits.pathUnits} characters together`;
    else if (isDeeper(entry.path, limits.depth)) refused = `it has more than ${limits.depth} nested folders`;
    else refused = look(entry);
    if (refused === undefined && looked % 1024 === 0 && Date.now() > deadline)
      refused = 'its trees take too long to read';
    return refused === undefined;
  });
  return refused ?? (walked === 'unreadable' ? 'git cannot read its trees' : entries);
};

/** The limit of Linux; a shorter path that is too long for a note is carried. */
const maxPathUnits = 4096;

const isDeeper = (path: string, depth: number): boolean => {
  let folders = 0;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    folders += 1;
    if (folders > depth) return true;
  }
  return false;
};
