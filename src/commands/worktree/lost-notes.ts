/**
 * Notes that a person's changes would remove: a file was deleted, or now says that it is another note. A few are
 * recorded, many wait for `adopt --deletions` or `adopt --put-back`. Pure.
 */
import type { JournalName, NoteId } from '../../events/note/note.js';
import type { Edit, SortedFiles } from './sort-files.js';
import { type NotePlaces, noteAt } from './write-store.js';

/** A file of note `id` that says it is note `by`, while no file says it is `id`. */
export type ReplacedNote = { readonly path: string; readonly id: NoteId; readonly by: NoteId };

export type Removals = {
  readonly edits: readonly Edit[];
  /** Paths to remove from the journal: deleted and renamed files. */
  readonly recorded: readonly string[];
  /** Paths whose notes would be gone and that wait. */
  readonly held: readonly string[];
  readonly replaced: readonly ReplacedNote[];
  /** With `put-back`, paths at which to check the head's version out again; some hold another note's text. */
  readonly restored: readonly string[];
};

/** How to treat notes that a person removed; of a few, `hold` records those among the paths in `asked`. */
export type Deletions = 'hold' | 'record' | 'put-back';

export const planRemovals = (
  journal: JournalName,
  places: Pick<NotePlaces, 'filesOf' | 'idAt'>,
  { edits, removed: all, leftNotes }: Pick<SortedFiles, 'edits' | 'removed' | 'leftNotes'>,
  deletions: Deletions,
  { asked, total }: { readonly asked: readonly string[] | 'all'; readonly total: number },
): Removals => {
  const removed = all.filter((path) => !leftNotes.has(noteAt(places, journal, path)));
  const replaced = edits.flatMap(({ path, id: by }) => {
    const id = places.idAt(journal, path);
    return id === undefined || id === by ? [] : [{ path, id, by }];
  });
  const left = new Set([...removed, ...replaced.map(({ path }) => path)]);
  /** Paths that no longer have their note, whose note has no other file among those that don't wait. */
  const findLost = (waiting: ReadonlySet<string>): readonly string[] => {
    const now = new Set(edits.filter(({ path }) => !waiting.has(path)).map(({ id }) => id));
    const isElsewhere = (id: NoteId): boolean =>
      now.has(id) || places.filesOf(id).some((file) => file.journal === journal && !left.has(file.path));
    return [...left].filter((path) => !isElsewhere(noteAt(places, journal, path)));
  };
  const lost = findLost(new Set());
  const isAsked = (path: string): boolean => asked === 'all' || asked.includes(path);
  const areMany = areTooManyDeletions(lost.filter(isAsked).length, total);
  const mayRecord = deletions === 'record' || (deletions === 'hold' && !areMany);
  const held = mayRecord ? lost.filter((path) => deletions === 'hold' && !isAsked(path)) : lost;
  const waiting = new Set(held);
  // While a file waits with a note's text, that note's old place waits too, and so on.
  for (let size = -1; size < waiting.size; ) {
    size = waiting.size;
    for (const path of findLost(waiting)) if (!lost.includes(path)) waiting.add(path);
  }
  const isGoing = (path: string): boolean => !waiting.has(path);
  return {
    edits: edits.filter(({ path }) => isGoing(path)),
    recorded: removed.filter(isGoing),
    held: deletions === 'put-back' ? [] : held,
    replaced: replaced.filter(({ path }) => held.includes(path)),
    restored: deletions === 'put-back' ? [...waiting] : [],
  };
};

/** True if deletions wait: more than five together, or more than one and over a tenth of all. */
export const areTooManyDeletions = (deleted: number, total: number): boolean =>
  deleted > 5 || (deleted > 1 && deleted * 10 > total);
