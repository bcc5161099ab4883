/** Finds which paths of a journal to examine, and what was last checked out at each. */

import type { GitJournal } from '../../events/git/git-journal.js';
import type { BlobId, NoteId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { idOfPath } from '../../events/note/paths.js';
import { compareFiles } from '../../events/worktree/checked-out-files.js';
import { readNoteFile } from '../../events/worktree/working-tree.js';
import type { BaseOf } from './file-bases.js';
import type { Candidate } from './hand-edits.js';
import { findMisnamed, nameById } from './misnamed-files.js';
import { type Gathered, gatherWhole } from './whole-tree.js';
import { noteAt, type Store } from './write-store.js';

/** Gathers the paths that changed since the checkpoint and those in `look`; 'all' compares the tree with the head. */
export const gatherCandidates = async (
  store: Store,
  journal: GitJournal,
  head: string | undefined,
  checkout: string | undefined,
  look: readonly string[] | 'all',
  baseOf: BaseOf,
  cleanUp: boolean,
): Promise<Gathered> => {
  const { name } = journal;
  if (look === 'all') return gatherWhole(store, journal, head, checkout, baseOf, cleanUp);
  const changes = head === undefined || checkout === undefined ? [] : await journal.diff(checkout, head);
  const candidates = new Map<string, Candidate>();
  for (const { path, before, after } of changes) {
    candidates.set(path, { path, base: baseOf(path, store.state.checkedOut(name, path)?.blob ?? before), head: after });
  }
  for (const path of withExchanged(store, journal, look)) {
    if (candidates.has(path)) continue;
    const blob = store.lookup.blobAt(name, path);
    // Without a record, a file is a person's new one, and a missing file was never checked out.
    const base = baseOf(path, store.state.checkedOut(name, path)?.blob);
    candidates.set(path, { path, base, head: blob });
  }
  return { candidates: [...candidates.values()], unchanged: new Map(), left: [] };
};

/**
 * Adds the paths of files that a person swapped: if only one of them were examined, its note would seem to be gone.
 * Follows each file to the recorded places of the note that it now holds, and so on. Only files that changed since
 * their checkout are read.
 */
const withExchanged = (
  { lookup, state, isAsCheckedOut }: Pick<Store, 'lookup' | 'state' | 'isAsCheckedOut'>,
  { name, folder }: Pick<GitJournal, 'name' | 'folder'>,
  look: readonly string[],
): ReadonlySet<string> => {
  const paths = new Set(look);
  // Iterating over a Set also visits what is added meanwhile.
  for (const path of paths) {
    const row = state.checkedOut(name, path);
    const note = lookup.idAt(name, path);
    if (note === undefined || row === undefined || isAsCheckedOut(name, row)) continue;
    const file = readNoteFile(folder, path);
    const parsed = file.kind === 'file' ? parseNoteFile(file.bytes, name, path) : undefined;
    if (parsed?.ok !== true || parsed.file.note.id === note) continue;
    for (const { journal, path: place } of lookup.filesOf(parsed.file.note.id)) if (journal === name) paths.add(place);
  }
  return paths;
};

/**
 * Finds where the notes of these places are now, by file name or by the id in changed files: a person may have renamed
 * them. If one took the place of another, that one is searched for as well, and so on. A file whose name no note can
 * have is renamed. Requires the write lock.
 */
export const findElsewhere = async (
  store: Store,
  journal: GitJournal,
  gone: readonly string[],
): Promise<readonly string[]> => {
  if (gone.length === 0) return [];
  const { name, folder } = journal;
  const blobAt = (path: string): BlobId | undefined => store.lookup.blobAt(name, path);
  const noteOf = (path: string): NoteId => noteAt(store.lookup, name, path);
  const { changed, ignored } = await compareFiles(folder, store.state.allStamps(name), false);
  const like = blobAt(gone[0] ?? '');
  const placesOf = new Map<string, string[]>();
  const idOf = new Map<string, NoteId>();
  for (const path of changed) {
    const file = readNoteFile(folder, path, like);
    const parsed = file.kind === 'file' ? parseNoteFile(file.bytes, name, path) : undefined;
    const id = parsed?.ok === true ? parsed.file.note.id : undefined;
    if (id !== undefined) idOf.set(path, id);
    const keys = [idOfPath(path), id, file.kind === 'file' ? file.row.blob : undefined];
    for (const key of new Set(keys)) if (key !== undefined) placesOf.set(key, [...(placesOf.get(key) ?? []), path]);
  }
  const paths = new Set(gone);
  for (const path of paths) {
    for (const key of [noteOf(path), blobAt(path)]) for (const place of placesOf.get(key ?? '') ?? []) paths.add(place);
    const id = idOf.get(path);
    // The note found here may have left its own place to another.
    for (const file of id === undefined ? [] : store.lookup.filesOf(id))
      if (file.journal === name) paths.add(file.path);
  }
  const wasAt = new Set(gone);
  const named = await findMisnamed(journal, ignored, gone, blobAt, noteOf);
  return [...[...paths].filter((path) => !wasAt.has(path)), ...nameById(folder, named)];
};
