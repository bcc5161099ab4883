/** Recovers what a program saves into a file that we replaced while it was open. */
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

/** A program may keep a file open for minutes; examining 1,000 files takes a few milliseconds. */
export const keptAside: Keep = { ms: 10 * 60_000, count: 1000, bytes: 64 * 1024 ** 2 };

/**
 * Puts what was written into a file that had been set aside back at its path, as an edit of the replaced version. If a
 * person has saved the path again since, that edit comes first: the late text waits until it is recorded. Returns the
 * paths for reconciling to examine. Deletes files that nothing was written to and that are no longer kept. Requires the
 * write lock, and the index at the head.
 */
export const bringBackSaves = async (store: Store, journal: GitJournal): Promise<readonly string[]> => {
  const written = clearSetAside(journal.folder, keptAside);
  if (written.length === 0) return [];
  // Loads the YAML parser, which a process that only reads does without.
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
    store.log(`${file} was written to after it had been replaced, and its path is no longer known`);
    return undefined;
  }
  const found = readNoteFile(folder, path, blob);
  if (found.kind === 'obstacle') {
    store.log(`${file} was written to after it had been replaced, and ${path} is ${found.reason}`);
    return undefined;
  }
  const replaceable = replaceableAt(store, name, path);
  if (found.kind === 'file' && found.row.blob !== replaceable) return path;
  // Reconciling must see the version that the program had opened as the base, not what replaced it. Recorded before the
  // file is there: after a kill in between, the edit would otherwise revert what was recorded since.
  if (state.checkedOut(name, path) !== undefined) state.advance(name, undefined, [unseenRow(path, blob)], []);
  if (found.kind === 'absent') {
    mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    // If there is a file by now, the late text waits.
    moveIfFree(file, join(folder, path));
  } else exchangeFile(folder, path, found.row.blob, { file, blob: undefined });
  return path;
};
