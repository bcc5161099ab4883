/** Which paths of a journal have to be looked at, and what was last checked out at each. */
import type { TreeEntry } from '../../events/git/git-log.js';
import { carriedAmong, describeTwin, notesAmong } from '../../events/git/note-tree.js';
import type { Journal } from '../../events/journal.js';
import type { LoggedEvent } from '../../events/logged-event.js';
import type { BlobId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { findTwins, idOfPath, isNotePath } from '../../events/note/paths.js';
import { type Walk, walkNotes } from '../../events/worktree/walk-notes.js';
import { type FoundFile, isUnchanged, readNoteFile } from '../../events/worktree/working-tree.js';
import type { Store } from '../write-path/write-store.js';
import type { Candidate, LeftFile } from './hand-edits.js';
import { findNamedOtherwise, nameById } from './named-otherwise.js';

/** Stands for the content of a file that need not be read. */
const noBytes = Buffer.alloc(0);

export type Gathered = {
  readonly candidates: readonly Candidate[];
  /** Files that surely are what was last checked out, so that they need not be read. */
  readonly unchanged: ReadonlyMap<string, FoundFile>;
  readonly left: readonly LeftFile[];
};

/** Paths that changed since the checkpoint and those to `look` at; 'all' compares the whole tree with the head. */
export const gatherCandidates = async (
  store: Store,
  journal: Journal,
  head: string | undefined,
  checkout: string | undefined,
  look: readonly string[] | 'all',
  events: readonly LoggedEvent[],
  cleanUp: boolean,
): Promise<Gathered> => {
  const { name } = journal;
  const adopted = new Set(events.flatMap(({ event }) => event.adopted ?? []));
  const baseOf = (path: string, checkedOut: BlobId | undefined): BlobId | undefined => {
    // The edit at this path was merged already by an event that did not get as far as laying its result out.
    const found = adopted.size === 0 ? undefined : currentBlob(journal, path);
    return found !== undefined && adopted.has(`${found} ${path}`) ? found : checkedOut;
  };
  const unchanged = new Map<string, FoundFile>();
  if (look === 'all') {
    const walk = await walkNotes(journal.folder, cleanUp);
    const checkedOut = store.state.allCheckedOut(name);
    const entries = head === undefined ? [] : await journal.tree(head);
    const inHead = new Map(notesAmong(entries).map(({ path, blob }) => [path, blob]));
    for (const { path, stat } of walk.files) {
      const row = checkedOut.get(path);
      if (row !== undefined && isUnchanged(row, stat)) unchanged.set(path, { kind: 'file', bytes: noBytes, row });
    }
    // What is no note (any more) is neither checked out nor taken away.
    const known = [...checkedOut.keys()].filter(isNotePath);
    const paths = new Set([...walk.files.map(({ path }) => path), ...known, ...inHead.keys()].sort());
    const left = [...walk.ignored, ...leftInHead(entries, walk)];
    for (const [path, first] of findTwins([...paths])) {
      // What we checked out ourselves goes now that another path hides it; a person's file stays as it is.
      const row = checkedOut.get(path);
      if (row !== undefined && currentBlob(journal, path) === row.blob) continue;
      paths.delete(path);
      if (!left.some((file) => file.path === path)) left.push({ path, reason: describeTwin(first) });
    }
    const candidates: Candidate[] = [];
    for (const path of paths) {
      const row = checkedOut.get(path);
      const blob = inHead.get(path);
      // An unchanged file whose head moved on is reconciled by its base, so its bytes are never looked at.
      if (row !== undefined && row.blob === blob && unchanged.has(path)) continue;
      const base =
        row !== undefined
          ? baseOf(path, row.blob)
          : checkout === undefined
            ? await guessBase(journal, head, path, blob)
            : baseWithoutRow(journal, path, blob);
      candidates.push({ path, base, head: blob });
    }
    return { candidates, unchanged, left };
  }
  const changes = head === undefined || checkout === undefined ? [] : await journal.diff(checkout, head);
  const candidates = new Map<string, Candidate>();
  for (const { path, before, after } of changes) {
    candidates.set(path, { path, base: baseOf(path, store.state.checkedOut(name, path)?.blob ?? before), head: after });
  }
  for (const path of look) {
    if (candidates.has(path)) continue;
    const blob = store.lookup.blobAt(name, path);
    const row = store.state.checkedOut(name, path);
    const base = row === undefined ? baseWithoutRow(journal, path, blob) : baseOf(path, row.blob);
    candidates.set(path, { path, base, head: blob });
  }
  return { candidates: [...candidates.values()], unchanged, left: [] };
};

/**
 * Paths at which these notes lie now, by their names or by what new files say: a person may have renamed one. A file with a
 * name that no note has is renamed. Under the write lock.
 */
export const findElsewhere = async (
  store: Store,
  { name, folder }: Journal,
  gone: readonly string[],
): Promise<readonly string[]> => {
  if (gone.length === 0) return [];
  const wasAt = new Set(gone);
  const ids = new Set(gone.map(idOfPath));
  const blobs = new Set(gone.map((path) => store.lookup.blobAt(name, path)));
  const checkedOut = store.state.allCheckedOut(name);
  const isOneOfThem = (path: string): boolean => {
    if (ids.has(idOfPath(path))) return true;
    if (checkedOut.has(path)) return false;
    const found = readNoteFile(folder, path, store.lookup.blobAt(name, gone[0] ?? ''));
    if (found.kind !== 'file') return false;
    const parsed = parseNoteFile(found.bytes, name, path);
    return blobs.has(found.row.blob) || (parsed.ok && ids.has(parsed.file.note.id));
  };
  const { files, ignored } = await walkNotes(folder, false);
  const elsewhere = files.map(({ path }) => path).filter((path) => !wasAt.has(path) && isOneOfThem(path));
  return [...elsewhere, ...nameById(folder, findNamedOtherwise({ name, folder }, ignored, gone))];
};

/** What the head carries and nobody checks out; what stands in the working tree too is named once. */
const leftInHead = (entries: readonly TreeEntry[], walk: Walk): readonly LeftFile[] => {
  const named = new Set(walk.ignored.map(({ path }) => path));
  return carriedAmong(entries).filter(({ path }) => !named.has(path));
};

/** A path without a record: a file is a person's new one; no file means that ours was never checked out. */
const baseWithoutRow = (journal: Journal, path: string, head: BlobId | undefined): BlobId | undefined =>
  currentBlob(journal, path) === undefined ? undefined : head;

/**
 * Nothing is recorded of the working tree (state.db was lost): a file equal to any earlier version of its path is
 * stale, anything else is a hand edit, and a missing file is put back.
 */
const guessBase = async (
  journal: Journal,
  head: string | undefined,
  path: string,
  inHead: BlobId | undefined,
): Promise<BlobId | undefined> => {
  const file = currentBlob(journal, path);
  if (file === undefined || head === undefined) return undefined;
  if (file === inHead) return file;
  return (await journal.versions(head, path)).has(file) ? file : inHead;
};

/** Version that stands in the working tree now, undefined when there is none or it can't be read. */
export const currentBlob = (journal: Journal, path: string): BlobId | undefined => {
  const found = readNoteFile(journal.folder, path);
  return found.kind === 'file' ? found.row.blob : undefined;
};
