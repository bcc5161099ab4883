/** All files of a journal that may be notes, as they stand on the disk, without following links. */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { codeOf } from '../error-code.js';
import { isNotePath, noteFolders, whyNoNote } from '../note/paths.js';
import { stampOf, temporaryPrefix } from './working-tree.js';

export type Walk = {
  /** Note files, in the order of their folders and names where the disk lists them in theirs. */
  readonly paths: readonly string[];
  /** One for each path, as `stampOf` makes them. */
  readonly stamps: readonly string[];
  /** Markdown files that are not notes by their name or kind, with the reason. */
  readonly ignored: readonly Ignored[];
};

type Ignored = { readonly path: string; readonly reason: string };

/**
 * All note files below the type folders. Yields to the event loop now and then: 100,000 files take about a
 * second. Temporary files that a killed writer left are removed when `cleanUp` is set (only under the write lock).
 */
export const walkNotes = async (folder: string, cleanUp: boolean): Promise<Walk> => {
  const paths: string[] = [];
  const stamps: string[] = [];
  const ignored: Ignored[] = [];
  // The last one comes next.
  const pending: string[] = noteFolders
    .filter((path) => isFolder(folder, path, ignored))
    .sort()
    .reverse();
  let looked = 0;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const below: string[] = [];
    const { names, folders } = readFolder(folder, path, ignored);
    for (const name of names) {
      const child = `${path}/${name}`;
      // Joining would take as long as the lstat.
      const file = `${folder}/${child}`;
      looked += 1;
      if (looked % 1000 === 0) await nextTurn();
      if (folders.has(name) && !name.includes('\ufffd')) {
        below.push(child);
        continue;
      }
      const stat = lstatSync(file, inNanoseconds);
      if (stat === undefined) {
        if (name.includes('\ufffd')) ignored.push({ path: child, reason: 'its name is not valid UTF-8' });
        continue;
      }
      if (stat.isDirectory()) below.push(child);
      else if (name.startsWith(temporaryPrefix)) {
        if (cleanUp) rmSync(file, { force: true });
      } else if (stat.isSymbolicLink()) ignored.push({ path: child, reason: 'a symbolic link' });
      else if (isNotePath(child) && stat.isFile()) {
        paths.push(child);
        stamps.push(stampOf(stat));
      } else if (name.endsWith('.md')) ignored.push({ path: child, reason: whyNoNote(child) ?? 'not a regular file' });
    }
    for (const child of below.reverse()) pending.push(child);
  }
  ignored.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { paths, stamps, ignored };
};

const inNanoseconds = { bigint: true, throwIfNoEntry: false } as const;

const isFolder = (folder: string, path: string, ignored: Ignored[]): boolean => {
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
const readFolder = (folder: string, path: string, ignored: Ignored[]): Listed => {
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
