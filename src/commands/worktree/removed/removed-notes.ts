/**
 * Notes that a person removed: a file was deleted, or became another note's by a copy over it or a changed id. A few
 * are recorded; many wait for confirmation.
 */
import type { GitJournal } from '../../../events/git/git-journal.js';
import { groupBy } from '../../../events/group-by.js';
import type { BlobId, JournalName, NoteId } from '../../../events/note/note.js';
import { parseNoteFile } from '../../../events/note/note-file.js';
import { idOfPath } from '../../../events/note/paths.js';
import { readNoteFile } from '../../../events/worktree/working-tree.js';
import { areTooManyDeletions, type ClassifiedFiles } from '../hand-edits.js';
import { type NoteLookup, type NotePlaces, noteAt } from '../write-store.js';

/** A file of note `id` that says it is note `by`, while no other file says it is `id`. */
export type ReplacedNote = {
  readonly path: string;
  readonly id: NoteId;
  readonly by: NoteId;
  /** Another file has the same text, so the note may be put back over this one; no other text is ever overwritten. */
  readonly isKept: boolean;
};

export type Found = Pick<ClassifiedFiles, 'adopt' | 'merge' | 'deleted' | 'renamed'>;
type File = ClassifiedFiles['adopt'][number] | ClassifiedFiles['merge'][number];

/** Returns them in the order of the files, without notes that are elsewhere now: those were renamed or swapped. */
export const findReplaced = (
  { name: journal, folder }: Pick<GitJournal, 'name' | 'folder'>,
  places: Pick<NotePlaces, 'filesOf' | 'idAt'>,
  found: Found,
): readonly ReplacedNote[] => {
  const files = [...found.adopt, ...found.merge];
  const said = files.map((file) => ({ path: file.path, by: idIn(journal, file) }));
  const edited = new Set(said.map(({ path }) => path));
  const gone = new Set([...found.deleted, ...found.renamed]);
  const now = new Set(said.map(({ by }) => by));
  const isElsewhere = (id: NoteId): boolean =>
    now.has(id) ||
    places.filesOf(id).some((file) => file.journal !== journal || !(edited.has(file.path) || gone.has(file.path)));
  const replaced = said.flatMap(({ path, by }) => {
    const id = places.idAt(journal, path);
    return id === undefined || id === by || isElsewhere(id) ? [] : [{ path, id, by }];
  });
  const paths = new Set(replaced.map(({ path }) => path));
  const blobOf = new Map(files.map(({ path, blob }) => [path, blob]));
  const isKept = (path: string, by: NoteId): boolean => {
    const blob = blobOf.get(path);
    const isSame = (other: { readonly path: string; readonly blob: BlobId }): boolean =>
      other.blob === blob && !paths.has(other.path);
    // The index may still list files that are gone or that say something else by now.
    const isThere = (other: { readonly path: string; readonly blob: BlobId }): boolean => {
      const file = readNoteFile(folder, other.path, other.blob);
      return file.kind === 'file' && file.row.blob === other.blob;
    };
    const known = places.filesOf(by).filter((file) => file.journal === journal && !blobOf.has(file.path));
    return known.some((other) => isSame(other) && isThere(other)) || files.some(isSame);
  };
  return replaced.map((one) => ({ ...one, isKept: isKept(one.path, one.by) }));
};

/** The id of the note that the file says it is. */
export const idIn = (journal: JournalName, { path, bytes }: File): NoteId => {
  const parsed = parseNoteFile(bytes, journal, path);
  return parsed.ok ? parsed.file.note.id : idOfPath(path);
};

/** A removed file whose note another edited file says it is was moved over that file: it is renamed, not removed. */
export const renameMovedOver = (
  journal: JournalName,
  places: Pick<NotePlaces, 'idAt'>,
  all: ClassifiedFiles,
): ClassifiedFiles => {
  if (all.deleted.length === 0) return all;
  const now = new Set([...all.adopt, ...all.merge].map((file) => idIn(journal, file)));
  const moved = new Set(all.deleted.filter((path) => now.has(noteAt(places, journal, path))));
  if (moved.size === 0) return all;
  return { ...all, deleted: all.deleted.filter((path) => !moved.has(path)), renamed: [...all.renamed, ...moved] };
};

/** Also marks as kept, for the report, a file that can return to its own free place before the note is put back. */
export const sayKept = (
  journal: JournalName,
  places: Pick<NotePlaces, 'idAt'>,
  { renamed }: Pick<ClassifiedFiles, 'renamed'>,
  replaced: readonly ReplacedNote[],
): readonly ReplacedNote[] => {
  const free = new Set(renamed.map((path) => noteAt(places, journal, path)));
  return replaced.map((one) => ({ ...one, isKept: one.isKept || free.has(one.by) }));
};

export type ReconciledRemovals = {
  readonly found: ClassifiedFiles;
  /** Paths to remove from the journal. */
  readonly recorded: readonly string[];
  /** Paths of removed files that wait, and of files that wait with the text of another note. */
  readonly held: readonly string[];
  /** All paths that wait: those in `held`, and the other paths of the notes whose files are there. */
  readonly waiting: readonly string[];
  readonly replaced: readonly ReplacedNote[];
  /** Head versions to check out again over `base`. */
  readonly restored: readonly { readonly path: string; readonly base: BlobId | undefined }[];
};

/**
 * Decides about all notes that are gone, together. Requires the write lock. Those outside `look`, which a reader or a
 * refused command came across, wait: a repeated command should find the note, not that it was forgotten.
 */
export const reconcileRemoved = (
  journal: Pick<GitJournal, 'name' | 'folder'>,
  lookup: NoteLookup,
  all: ClassifiedFiles,
  deletions: 'hold' | 'record' | 'put-back',
  look: readonly string[] | 'all',
): ReconciledRemovals => {
  const { name } = journal;
  const found = renameMovedOver(name, lookup, all);
  const { deleted } = found;
  const replaced = findReplaced(journal, lookup, found);
  if (deletions === 'put-back') return putBack(name, lookup, found, replaced);
  const isAsked = (path: string): boolean => look === 'all' || look.includes(path);
  const gone = [...deleted, ...replaced.map(({ path }) => path)];
  const asked = gone.filter(isAsked);
  const mayRecord = deletions === 'record' || !areTooManyDeletions(asked.length, lookup.countFiles(name));
  const held = mayRecord ? gone.filter((path) => !isAsked(path)) : gone;
  const { found: rest, waiting } = withoutWaiting(name, lookup, found, held);
  return {
    found: rest,
    recorded: [...rest.renamed, ...deleted.filter((path) => !waiting.includes(path))],
    held,
    waiting,
    replaced: sayKept(name, lookup, found, replaced).filter(({ path }) => held.includes(path)),
    restored: [],
  };
};

/** A text that is nowhere else is a person's work: it stays where it is, and the note waits. */
const putBack = (
  journal: JournalName,
  lookup: NoteLookup,
  found: ClassifiedFiles,
  replaced: readonly ReplacedNote[],
): ReconciledRemovals => {
  const blobOf = new Map([...found.adopt, ...found.merge].map(({ path, blob }) => [path, blob]));
  const back = replaced.filter(({ isKept }) => isKept);
  const left = replaced
    .filter(({ isKept }) => !isKept)
    .map(({ path, id, by }) => ({
      path,
      reason: `it says it is note ${by} and took the place of note ${id}, and its text is nowhere else: move it away, then anamnesis adopt --put-back restores ${id}`,
    }));
  const paths = replaced.map(({ path }) => path);
  const { found: rest, waiting } = withoutWaiting(journal, lookup, found, paths);
  return {
    found: { ...rest, left: [...found.left, ...left] },
    recorded: rest.renamed,
    held: [],
    waiting: waiting.filter((path) => !back.some((one) => one.path === path)),
    replaced: [],
    restored: [
      ...found.deleted.map((path) => ({ path, base: undefined })),
      ...back.map(({ path }) => ({ path, base: blobOf.get(path) })),
    ],
  };
};

/**
 * While these files wait, so must anything that would remove the notes they say they are from the journal: the removal
 * of their old files, other notes that are now at those paths, whatever would remove those, and so on.
 */
const withoutWaiting = (
  journal: JournalName,
  places: Pick<NotePlaces, 'filesOf'>,
  found: ClassifiedFiles,
  held: readonly string[],
): { readonly found: ClassifiedFiles; readonly waiting: readonly string[] } => {
  const said = new Map([...found.adopt, ...found.merge].map((file) => [file.path, idIn(journal, file)]));
  const filesBy = groupBy(said.keys(), (path) => said.get(path));
  const renamed = new Set(found.renamed);
  const waiting = new Set(held);
  // The set grows, and may then include the last file of another note.
  for (let size = 0; size < waiting.size; ) {
    size = waiting.size;
    for (const [id, files] of filesBy) {
      if (id === undefined || !files.every((file) => waiting.has(file))) continue;
      for (const { journal: where, path: place } of places.filesOf(id))
        if (where === journal && (renamed.has(place) || (said.get(place) ?? id) !== id)) waiting.add(place);
    }
  }
  const isGoing = ({ path }: { readonly path: string }): boolean => !waiting.has(path);
  return {
    found: {
      ...found,
      adopt: found.adopt.filter(isGoing),
      merge: found.merge.filter(isGoing),
      renamed: found.renamed.filter((path) => isGoing({ path })),
    },
    waiting: [...waiting],
  };
};
