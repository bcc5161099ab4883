/** Commits that a person made on an outdated git index, and what they took back without meaning to. */
import type { FileChange } from '../../events/event.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import type { LoggedEvent } from '../../events/logged-event.js';
import type { BlobId } from '../../events/note/note.js';
import { currentBlob } from './base-of-file.js';
import type { Store } from './write-store.js';

/**
 * Commits that a person made on a git index from before our last writes take those writes back without meaning to. What
 * such a commit dropped or turned back to an older version, while the file still says otherwise, is put back. What the
 * working tree had shown until `checkout` was known to the person, as is what an amended, rebased or merged commit started
 * from.
 */
export const findStaleReverts = async (
  store: Store,
  journal: GitJournal,
  head: string,
  checkout: string,
  events: readonly LoggedEvent[],
  madeHere: ReadonlySet<string>,
): Promise<readonly FileChange[]> => {
  const back = new Map<string, BlobId>();
  /** What commits that were made here said at a path: a person who takes that back knew of it. */
  const own = new Set<string>();
  for (const { foreign, commit, parents } of events) {
    if (!foreign) continue;
    const [parent] = parents;
    for (const { path, before, after } of await journal.diff(parent, commit)) {
      if (after !== undefined && madeHere.has(commit)) own.add(`${after} ${path}`);
      if (before === undefined || own.has(`${before} ${path}`)) continue;
      const checkedOut = store.state.checkedOut(journal.name, path)?.blob;
      const file = currentBlob(journal, path);
      if (file === after && checkedOut === before) continue;
      const neverCheckedOut =
        checkedOut !== before && after === checkedOut && !(await journal.versions(checkout, path)).has(before);
      const untouched =
        file === before && (after === undefined || (await journal.versions(parent ?? commit, path)).has(after));
      if (neverCheckedOut || untouched) back.set(path, before);
    }
  }
  if (back.size === 0) return [];
  // A note that another path hides is still there, so its whole tree is asked.
  const inHead = new Map((await journal.tree(head)).map(({ path, blob }) => [path, blob]));
  const blobs = await journal.blobs([...back.values()]);
  return [...back].flatMap(([path, blob]) => {
    const bytes = blobs.get(blob);
    return bytes === undefined || inHead.get(path) === blob ? [] : [{ journal: journal.name, path, bytes }];
  });
};
