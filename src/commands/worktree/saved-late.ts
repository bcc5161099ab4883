/** Saves by a program that still had a file open after we replaced it. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GitJournal } from '../../events/git/git-journal.js';
import {
  clearSetAside,
  exchangeFile,
  type Keep,
  moveIfFree,
  type SetAside,
} from '../../events/worktree/replace-file.js';
import { readNoteFile, unseenRow } from '../../events/worktree/working-tree.js';
import type { replaceableAt as ReplaceableAt } from './replaceable.js';
import type { Store } from './write-store.js';

/** A program may hold a file open for minutes; 1,000 files are looked at in some milliseconds. */
export const keptAside: Keep = { ms: 10 * 60_000, count: 1000, bytes: 64 * 1024 ** 2 };

/**
 * Brings back to its place what was written into a file that had been set aside, as an edit of the version that was
 * replaced. Where a person has saved the path again since, that comes first: the late text waits until it is recorded.
 * Answers the paths, for reconciling to look at. Clears away what nobody wrote into and is not to be kept any longer. Under
 * the write lock, with the index at the head.
 */
export const bringBackSaves = async (store: Store, journal: GitJournal): Promise<readonly string[]> => {
  const written = clearSetAside(journal.folder, keptAside);
  if (written.length === 0) return [];
  // It brings the YAML parser, which whoever only looks does without.
  const { replaceableAt } = await import('./replaceable.js');
  return written.flatMap((aside) => revert(store, journal, aside, replaceableAt) ?? []);
};

const revert = (
  store: Store,
  { name, folder }: GitJournal,
  aside: SetAside,
  replaceableAt: typeof ReplaceableAt,
): string | undefined => {
  const { state } = store;
  const { file, blob } = aside;
  const path = aside.path ?? state.allCheckedOut(name).paths.find(aside.isOf);
  if (path === undefined) {
    store.log(`${file} was written to after it had been replaced, and its path is not known any more`);
    return undefined;
  }
  const found = readNoteFile(folder, path, blob);
  if (found.kind === 'obstacle') {
    store.log(`${file} was written to after it had been replaced, and ${path} is ${found.reason}`);
    return undefined;
  }
  const replaceable = replaceableAt(store, name, path);
  if (found.kind === 'file' && found.row.blob !== replaceable) return path;
  // Reconciling is to see what the program had opened as the base, not what replaced it: before the file is there, for a
  // kill in between would make it an edit that takes back what was recorded since.
  if (state.checkedOut(name, path) !== undefined) state.advance(name, undefined, [unseenRow(path, blob)], []);
  if (found.kind === 'absent') {
    mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    // Where something stands there by now, the late text waits.
    moveIfFree(file, join(folder, path));
  } else exchangeFile(folder, path, found.row.blob, { file, blob: undefined });
  return path;
};
