/** Finds files whose text is in no event, and so in no backup: those to adopt, and those that adopting leaves alone. */
import { tellCopies } from '../../commands/importing/copied-notes.js';
import { inspectTree } from '../../commands/worktree/inspect-tree.js';
import type { LeftFile } from '../../commands/worktree/sort-files.js';
import type { Store } from '../../commands/worktree/write-store.js';
import { type JournalFolder, type JournalName, journalFolder, journalNames } from '../../events/note/note.js';
import { obstacleAbove, readNoteFile } from '../../events/worktree/working-tree.js';

export type UnrecordedFiles = {
  /** Paths below the store. */
  readonly not_recorded: readonly string[];
  /** Those of the files that `adopt` leaves alone. */
  readonly left: readonly (LeftFile & { readonly journal: JournalFolder })[];
};

/** Examines the files of both journals as they are now. */
export const listUnrecorded = async (store: Store): Promise<UnrecordedFiles> => {
  const edited: string[] = [];
  const left: UnrecordedFiles['left'][number][] = [];
  for (const name of journalNames) {
    const journal = journalFolder[name];
    const found = await inspectTree(store, name);
    edited.push(
      ...found.edited.map((path) => `${journal}/${path}`),
      ...found.deleted.map((path) => `${journal}/${path}`),
    );
    const uncommitted = await withoutCommitted(store, name, found.left);
    left.push(...(await tellCopies(store, name, uncommitted)).map((file) => ({ journal, ...file })));
  }
  return { not_recorded: [...edited, ...left.map(({ journal, path }) => `${journal}/${path}`)], left };
};

/** A person may have committed such a file with git: then the text is in the backup, under whichever name. */
const withoutCommitted = async (
  { journals }: Store,
  name: JournalName,
  left: readonly LeftFile[],
): Promise<readonly LeftFile[]> => {
  const journal = journals[name];
  const head = left.length === 0 ? undefined : journal.head();
  const entries = head === undefined ? [] : await journal.tree(head);
  const committed = new Set(entries.map(({ blob }) => blob));
  return left.filter(({ path }) => {
    // A path that git has but the file system can't have is not a file here.
    const found = readNoteFile(journal.folder, path, head);
    if (found.kind === 'absent' || obstacleAbove(journal.folder, path) !== undefined) return false;
    return found.kind !== 'file' || !committed.has(found.row.blob);
  });
};
