/** Which of the notes that a person removed are recorded, and which wait for `adopt`. Pure. */
import type { JournalName, NoteId } from '../../events/note/note.js';
import { idOfPath } from '../../events/note/paths.js';
import type { SortedFiles } from './sort-files.js';
import type { NotePlaces } from './write-store.js';

export type Removals = {
  /** Paths to remove from the journal: deleted and renamed files. */
  readonly recorded: readonly string[];
  /** Paths whose notes would be gone and that wait. */
  readonly held: readonly string[];
  /** With `put-back`, paths at which to check the head's version out again. */
  readonly restored: readonly string[];
};

/** How to treat notes that a person removed; of a few, `hold` records those among the paths in `asked`. */
export type Deletions = 'hold' | 'record' | 'put-back';

export const planRemovals = (
  journal: JournalName,
  places: Pick<NotePlaces, 'filesOf'>,
  { edits, removed: all, leftNotes }: Pick<SortedFiles, 'edits' | 'removed' | 'leftNotes'>,
  deletions: Deletions,
  { asked, total }: { readonly asked: readonly string[] | 'all'; readonly total: number },
): Removals => {
  const removed = all.filter((path) => !leftNotes.has(idOfPath(path)));
  const gone = new Set(removed);
  const now = new Set(edits.map(({ id }) => id));
  const isElsewhere = (id: NoteId): boolean =>
    now.has(id) || places.filesOf(id).some((file) => file.journal === journal && !gone.has(file.path));
  const lost = removed.filter((path) => !isElsewhere(idOfPath(path)));
  const isAsked = (path: string): boolean => asked === 'all' || asked.includes(path);
  const areMany = areTooManyDeletions(lost.filter(isAsked).length, total);
  const mayRecord = deletions === 'record' || (deletions === 'hold' && !areMany);
  const waiting = mayRecord ? lost.filter((path) => deletions === 'hold' && !isAsked(path)) : lost;
  const isWaiting = new Set(waiting);
  return {
    recorded: removed.filter((path) => !isWaiting.has(path)),
    held: deletions === 'put-back' ? [] : waiting,
    restored: deletions === 'put-back' ? waiting : [],
  };
};

/** True if deletions wait: more than five together, or more than one and over a tenth of all. */
export const areTooManyDeletions = (deleted: number, total: number): boolean =>
  deleted > 5 || (deleted > 1 && deleted * 10 > total);
