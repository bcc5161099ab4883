/** What a person's program wrote into a file after that had been replaced, because it had it open. */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Journal } from '../events/journal.js';
import { clearSetAside, exchangeFile, placeFile, type SetAside } from '../events/replace-file.js';
import { readNoteFile } from '../events/working-tree.js';
import { replaceableAt } from './replaceable.js';
import type { Store } from './store.js';

/**
 * Brings back to its place what was written into a file that had been set aside, as an edit of the version that was
 * replaced; where a person has saved the path again since, that is the newer. Answers the paths, for settling to look at.
 * What nobody wrote into is cleared away once it is older than `keepMs`. Under the write lock, with the index at the head.
 */
export const bringBackSaves = (store: Store, journal: Journal, keepMs: number): readonly string[] => {
  return clearSetAside(journal.folder, keepMs).flatMap((aside) => bringBack(store, journal, aside) ?? []);
};

const bringBack = (store: Store, { name, folder }: Journal, aside: SetAside): string | undefined => {
  const { state } = store;
  const { file, blob } = aside;
  const path = aside.path ?? [...state.allLaidOut(name).keys()].find(aside.isOf);
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
  // Settling is to see what the program had opened as the base, not what replaced it: before the file is there, for a
  // kill in between would make it an edit that takes back what was recorded since.
  if (state.laidOut(name, path) !== undefined)
    state.advance(name, undefined, [{ path, blob, size: 0, mtimeNs: '', ctimeNs: '', ino: '', seenMs: 0 }], []);
  if (found.kind === 'absent') {
    mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    placeFile(file, join(folder, path));
  } else if (found.row.blob === replaceable) {
    exchangeFile(folder, path, found.row.blob, { file, blob: undefined });
  } else rmSync(file, { force: true });
  return path;
};
