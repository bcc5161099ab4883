/** Walks all files of a journal on disk that may be notes, without following links. */
import { constants, lstatSync, readdirSync, rmSync, type Stats } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { codeOf } from '../faults.js';
import { isNotePath, isUsualPath, noteFolders, whyNoNote } from '../note/paths.js';
import { temporaryPrefix } from './working-tree.js';

/** A Markdown file that isn't a note by its name or type, with the reason. */
export type IgnoredFile = { readonly path: string; readonly reason: string };

/** For each note file; `isUsual`: of the usual form. By folders and names if the disk lists them sorted. */
export type SeeFile = (path: string, stat: Stats, isUsual: boolean) => void;

/**
 * Yields now and then: 100,000 files take about a second. `cleanUp` (only under the write lock) removes a killed
 * writer's temporary files. Keeps nothing per file, which would cost as much as the walk itself.
 */
export const walkNotes = async (folder: string, cleanUp: boolean, see: SeeFile): Promise<readonly IgnoredFile[]> => {
  const walk: Walk = { folder, cleanUp, see, ignored: [] };
  // A stack: the last folder is visited next.
  const pending: string[] = noteFolders
    .filter((path) => isFolder(walk, path))
    .sort()
    .reverse();
  while (pending.length > 0) {
    const large = walkForOneTurn(walk, pending);
    await nextTurn();
    if (large === undefined) continue;
    const below: string[] = [];
    for (let from = 0; from < large.names.length; from += filesPerTurn) {
      lookAtNames(walk, large.path, large.names.slice(from, from + filesPerTurn), below);
      await nextTurn();
    }
    pushReversed(pending, below);
  }
  return walk.ignored.sort((a, b) => (a.path < b.path ? -1 : 1));
};

/** Returns only the paths of the note files, and the ignored files. */
export const listNoteFiles = async (
  folder: string,
): Promise<{ readonly paths: readonly string[]; readonly ignored: readonly IgnoredFile[] }> => {
  const paths: string[] = [];
  const ignored = await walkNotes(folder, false, (path) => paths.push(path));
  return { paths, ignored };
};

const filesPerTurn = 1000;

type Walk = {
  readonly folder: string;
  readonly cleanUp: boolean;
  readonly see: SeeFile;
  readonly ignored: IgnoredFile[];
};

/** Returns a folder that has too many files for this turn. */
const walkForOneTurn = (
  walk: Walk,
  pending: string[],
): { readonly path: string; readonly names: readonly string[] } | undefined => {
  let looked = 0;
  while (looked < filesPerTurn) {
    const path = pending.pop();
    if (path === undefined) return undefined;
    const below: string[] = [];
    const names = path.includes('/') ? readNames(walk, path) : readTop(walk, path, below);
    looked += names.length;
    if (names.length > filesPerTurn) {
      pushReversed(pending, below);
      return { path, names };
    }
    if (names.length > 0) lookAtNames(walk, path, names, below);
    if (below.length > 0) pushReversed(pending, below);
  }
  return undefined;
};

const pushReversed = (pending: string[], below: string[]): void => {
  for (const child of below.reverse()) pending.push(child);
};

/** A separate, minimal function: V8 compiles it while it runs, which costs as much as thousands of files. */
const lookAtNames = (walk: Walk, path: string, names: readonly string[], below: string[]): void => {
  // `join` would take as long as the lstat.
  const at = `${walk.folder}/${path}/`;
  for (const name of names) {
    const stat = lstatSync(at + name, orNothing);
    const child = `${path}/${name}`;
    const isUsual = isUsualPath(child);
    // The same as `isFile`, which takes two calls.
    if (stat !== undefined && (stat.mode & kindOfFile) === regularFile && (isUsual || isNotePath(child)))
      walk.see(child, stat, isUsual);
    else if (stat?.isDirectory() === true) below.push(child);
    else lookAtOther(walk, name, child, stat);
  }
};

const { S_IFMT: kindOfFile, S_IFREG: regularFile } = constants;

const lookAtOther = ({ folder, cleanUp, ignored }: Walk, name: string, path: string, stat?: Stats): void => {
  if (stat === undefined) {
    if (name.includes('\ufffd')) ignored.push({ path, reason: 'its name is not valid UTF-8' });
  } else if (name.startsWith(temporaryPrefix)) {
    if (cleanUp) rmSync(`${folder}/${path}`, { force: true });
  } else if (stat.isSymbolicLink()) ignored.push({ path, reason: 'a symbolic link' });
  else if (name.endsWith('.md')) ignored.push({ path, reason: whyNoNote(path) ?? 'not a regular file' });
};

const orNothing = { throwIfNoEntry: false } as const;

const isFolder = ({ folder, ignored }: Walk, path: string): boolean => {
  const stat = lstatSync(`${folder}/${path}`, orNothing);
  if (stat?.isDirectory() === false) ignored.push({ path, reason: 'not a folder' });
  return stat?.isDirectory() === true;
};

/** With the entries' types, which saves an lstat per folder; only here, since Node creates an object per entry. */
const readTop = (walk: Walk, path: string, below: string[]): readonly string[] => {
  const names: string[] = [];
  for (const entry of listed(walk, path, (at) => readdirSync(at, { withFileTypes: true }))) {
    if (entry.isDirectory() && !entry.name.includes('\ufffd')) below.push(`${path}/${entry.name}`);
    else names.push(entry.name);
  }
  return names;
};

const readNames = (walk: Walk, path: string): readonly string[] => listed(walk, path, readPlain);

const readPlain = (at: string): readonly string[] => readdirSync(at);

const listed = <Entry>(
  { folder, ignored }: Walk,
  path: string,
  read: (at: string) => readonly Entry[],
): readonly Entry[] => {
  try {
    return read(`${folder}/${path}`);
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOENT') ignored.push({ path, reason: `not readable (${code})` });
    return [];
  }
};
