/** Which paths of a journal have to be looked at, and what was last checked out at each. */

import type { GitJournal } from '../../events/git/git-journal.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { idOfPath } from '../../events/note/paths.js';
import { listNoteFiles } from '../../events/worktree/walk-notes.js';
import { readNoteFile } from '../../events/worktree/working-tree.js';
import type { Candidate } from './hand-edits.js';
import type { BaseOf } from './laid-out.js';
import { findNamedOtherwise, nameById } from './named-otherwise.js';
import { type Gathered, gatherWhole } from './whole-tree.js';
import type { Store } from './write-store.js';

/** Paths that changed since the checkpoint and those to `look` at; 'all' compares the whole tree with the head. */
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
    // Without a record a file is a person's new one, and what is missing was never checked out.
    const base = baseOf(path, store.state.checkedOut(name, path)?.blob);
    candidates.set(path, { path, base, head: blob });
  }
  return { candidates: [...candidates.values()], unchanged: new Map(), left: [] };
};

/**
 * A person may have put files in one another's places: who looks at one of them has to see all, or one note seems to be
 * gone. These paths, and those of the notes whose files lie there now, of those in whose places these lay, and so on. Only a file
 * that is not as it was checked out is read for it.
 */
const withExchanged = (
  { lookup, state, isAsCheckedOut }: Pick<Store, 'lookup' | 'state' | 'isAsCheckedOut'>,
  { name, folder }: Pick<GitJournal, 'name' | 'folder'>,
  look: readonly string[],
): ReadonlySet<string> => {
  const paths = new Set(look);
  // A set that grows while it is gone through is gone through to its end.
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
 * Paths at which these notes lie now, by their names or by what new files say: a person may have renamed one. A file with a
 * name that no note has is renamed. Under the write lock.
 */
export const findElsewhere = async (
  store: Store,
  journal: GitJournal,
  gone: readonly string[],
): Promise<readonly string[]> => {
  if (gone.length === 0) return [];
  const { name, folder } = journal;
  const wasAt = new Set(gone);
  const ids = new Set(gone.map(idOfPath));
  const blobs = new Set(gone.map((path) => store.lookup.blobAt(name, path)));
  const checkedOut = store.state.allCheckedOut(name);
  const isOneOfThem = (path: string): boolean => {
    if (ids.has(idOfPath(path))) return true;
    if (checkedOut.placeOf(path) !== -1) return false;
    const found = readNoteFile(folder, path, store.lookup.blobAt(name, gone[0] ?? ''));
    if (found.kind !== 'file') return false;
    const parsed = parseNoteFile(found.bytes, name, path);
    return blobs.has(found.row.blob) || (parsed.ok && ids.has(parsed.file.note.id));
  };
  const { paths, ignored } = await listNoteFiles(folder);
  const elsewhere = paths.filter((path) => !wasAt.has(path) && isOneOfThem(path));
  const named = await findNamedOtherwise(journal, ignored, gone, (path) => store.lookup.blobAt(name, path));
  return [...elsewhere, ...nameById(folder, named)];
};
