/** Recovers what a program wrote into a file in the moment when it was replaced. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Journal } from '../../events/journal.js';
import { clearSetAside, exchangeFile, moveIfFree } from '../../events/worktree/replace-file.js';
import { readNoteFile, unseenRow } from '../../events/worktree/working-tree.js';
import type { Store } from './write-store.js';

/** A program that opens a file writes within this time. */
export const watchedMs = 2000;

/**
 * Puts such a text back at its path, as an edit of the version that was replaced, unless a person's newer edit is there,
 * which is recorded first. Returns the paths to examine. Requires the write lock, and the index at the head.
 */
export const bringBackSaves = (store: Store, { name, folder }: Journal): readonly string[] =>
  clearSetAside(folder, watchedMs).flatMap(({ file, path, blob }) => {
    const found = readNoteFile(folder, path, blob);
    const head = store.lookup.blobAt(name, path);
    if (found.kind === 'obstacle') return [];
    if (found.kind === 'file' && found.row.blob !== head) return [path];
    // Before the file is there: after a kill in between, the edit would otherwise revert what was recorded since.
    if (head !== undefined) store.state.advance(name, undefined, [unseenRow(path, blob)], []);
    if (found.kind === 'absent') {
      mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
      moveIfFree(file, join(folder, path));
    } else exchangeFile(folder, path, found.row.blob, { file, blob: undefined });
    return [path];
  });
