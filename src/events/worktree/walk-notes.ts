/** All files of a journal that may be notes, as they stand on the disk, without following links. */
import { type BigIntStats, constants, lstatSync, readdirSync, rmSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { codeOf } from '../error-code.js';
import { isNotePath, isUsualPath, noteFolders, whyNoNote } from '../note/paths.js';
import { temporaryPrefix } from './working-tree.js';

/** Markdown files that are not notes by their name or kind, with the reason. */
export type Ignored = { readonly path: string; readonly reason: string };

/** Is given each note file, and whether its path is of the usual form, in the order of their folders and names where the disk lists them in theirs. */
export type SeeFile = (path: string, stat: BigIntStats, isUsual: boolean) => void;

/**
 * All note files below the type folders. Yields to the event loop now and then: 100,000 files take about a
 * second. Temporary files that a killed writer left are removed when `cleanUp` is set (only under the write lock). Keeps
 * nothing of a file: what stays in memory for each of 100,000 costs the garbage collector as much as the walk itself.
 */
export const walkNotes = async (folder: string, cleanUp: boolean, see: SeeFile): Promise<readonly Ignored[]> => {
  const walk: Walk = { folder, cleanUp, see, ignored: [] };
  // The last one comes next.
  const pending: string[] = noteFolders
    .filter((path) => isFolder(walk, path))
    .sort()
    .reverse();
  let looked = 0;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const below: string[] = [];
    const { names, folders } = readFolder(walk, path);
    for (let from = 0; from < names.length; from += filesPerTurn) {
      const some = names.slice(from, from + filesPerTurn);
      lookAtNames(walk, path, some, folders, below);
      looked += some.length;
      if (looked < filesPerTurn) continue;
      looked = 0;
      await nextTurn();
    }
    for (const child of below.reverse()) pending.push(child);
  }
  return walk.ignored.sort((a, b) => (a.path < b.path ? -1 : 1));
};

/** Paths of the note files alone. */
export const listNoteFiles = async (
  folder: string,
): Promise<{ readonly paths: readonly string[]; readonly ignored: readonly Ignored[] }> => {
  const paths: string[] = [];
  const ignored = await walkNotes(folder, false, (path) => paths.push(path));
  return { paths, ignored };
};

const filesPerTurn = 1000;

type Walk = {
  readonly folder: string;
  readonly cleanUp: boolean;
  readonly see: SeeFile;
  readonly ignored: Ignored[];
};

/** Short, and apart from the turns of the event loop, so that it is compiled early and once. */
const lookAtNames = (
  walk: Walk,
  path: string,
  names: readonly string[],
  folders: ReadonlySet<string>,
  below: string[],
): void => {
  // Joining would take as long as the lstat.
  const at = `${walk.folder}/${path}/`;
  for (const name of names) {
    if (folders.has(name) && !name.includes('\ufffd')) {
      below.push(`${path}/${name}`);
      continue;
    }
    const stat = lstatSync(at + name, inNanoseconds);
    const child = `${path}/${name}`;
    const isUsual = isUsualPath(child);
    // Asked first, because nearly all are: each question about a kind makes bigints.
    if (stat !== undefined && isRegular(stat) && (isUsual || isNotePath(child))) walk.see(child, stat, isUsual);
    else if (stat?.isDirectory() === true) below.push(child);
    else lookAtOther(walk, name, child, stat);
  }
};

const lookAtOther = ({ folder, cleanUp, ignored }: Walk, name: string, path: string, stat?: BigIntStats): void => {
  if (stat === undefined) {
    if (name.includes('\ufffd')) ignored.push({ path, reason: 'its name is not valid UTF-8' });
  } else if (name.startsWith(temporaryPrefix)) {
    if (cleanUp) rmSync(`${folder}/${path}`, { force: true });
  } else if (stat.isSymbolicLink()) ignored.push({ path, reason: 'a symbolic link' });
  else if (name.endsWith('.md')) ignored.push({ path, reason: whyNoNote(path) ?? 'not a regular file' });
};

/** As `isFile` of the stat says, which makes three bigints for it. */
const isRegular = ({ mode }: BigIntStats): boolean => (Number(mode) & constants.S_IFMT) === constants.S_IFREG;

const inNanoseconds = { bigint: true, throwIfNoEntry: false } as const;

const isFolder = ({ folder, ignored }: Walk, path: string): boolean => {
  const stat = lstatSync(`${folder}/${path}`, { throwIfNoEntry: false });
  if (stat?.isDirectory() === false) ignored.push({ path, reason: 'not a folder' });
  return stat?.isDirectory() === true;
};

type Listed = { readonly names: readonly string[]; readonly folders: ReadonlySet<string> };
const noFolders: ReadonlySet<string> = new Set();

/**
 * The kinds of entries, which save an lstat of each folder, are asked for at the top alone, where nearly all are folders:
 * Node makes an object of each entry then.
 */
const readFolder = ({ folder, ignored }: Walk, path: string): Listed => {
  const at = `${folder}/${path}`;
  try {
    if (path.includes('/')) return { names: readdirSync(at), folders: noFolders };
    const entries = readdirSync(at, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory());
    return { names: entries.map(({ name }) => name), folders: new Set(folders.map(({ name }) => name)) };
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOENT') ignored.push({ path, reason: `not readable (${code})` });
    return { names: [], folders: noFolders };
  }
};
