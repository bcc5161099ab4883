/** Files whose text no event holds, and so no backup: those that adopting would take in, and those that it leaves alone. */
import { tellCopies } from '../../commands/importing/copied-notes.js';
import type { LeftFile } from '../../commands/worktree/hand-edits.js';
import { inspectTree } from '../../commands/worktree/inspect-tree.js';
import type { Store } from '../../commands/worktree/write-store.js';
import { parseTreeLines } from '../../events/git/git-log.js';
import { readTreeLines } from '../../events/git/tree-lines.js';
import { type JournalFolder, type JournalName, journalFolder, journalNames } from '../../events/note/note.js';
import { isCheckedOut } from '../../events/worktree/carried-file.js';
import { readNoteFile } from '../../events/worktree/working-tree.js';

export type Unrecorded = {
  /** Paths below the store. */
  readonly not_recorded: readonly string[];
  /** Those of them that `adopt` leaves alone. */
  readonly left: readonly (LeftFile & { readonly journal: JournalFolder })[];
};

/** Looks at the files of both journals as they are now. */
export const listUnrecorded = async (store: Store): Promise<Unrecorded> => {
  const edited: string[] = [];
  const left: Unrecorded['left'][number][] = [];
  for (const name of journalNames) {
    const journal = journalFolder[name];
    const found = await inspectTree(store, name);
    edited.push(
      ...[...found.adopt, ...found.merge].map(({ path }) => `${journal}/${path}`),
      ...found.deleted.map((path) => `${journal}/${path}`),
    );
    const unheld = await withoutHeld(store, name, found.left);
    left.push(...(await tellCopies(store, name, unheld)).map((file) => ({ journal, ...file })));
  }
  return { not_recorded: [...edited, ...left.map(({ journal, path }) => `${journal}/${path}`)], left };
};

/** A person may have committed such a file with git: the text is in the backup under whichever name it has there. */
const withoutHeld = async (
  { journals }: Store,
  name: JournalName,
  left: readonly LeftFile[],
): Promise<readonly LeftFile[]> => {
  const journal = journals[name];
  const head = left.length === 0 ? undefined : journal.head();
  const entries = head === undefined ? [] : parseTreeLines(await readTreeLines(journal.folders, head));
  const held = new Set(entries.map(({ blob }) => blob));
  return left.filter(({ path }) => {
    // Of what git carries and no file system can hold, there is no file.
    if (!isCheckedOut(journal.folder, path)) return false;
    const found = readNoteFile(journal.folder, path, head);
    return found.kind !== 'file' || !held.has(found.row.blob);
  });
};
