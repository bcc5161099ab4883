/** Which files a person changed, where the working tree is known to reflect the head: without asking git for the head's files. */
import type { Journal } from '../events/journal.js';
import { type FoundFile, isUnchanged, walkNotes } from '../events/working-tree.js';
import type { Gathered } from './candidates.js';
import type { Candidate } from './hand-edits.js';
import type { Store } from './store.js';

/**
 * Compares each file with the row of when it was laid out; undefined when there is a file without a row, which takes the
 * whole comparison. Files of the head that were never laid out are not looked for.
 */
export const gatherChanged = async (
  store: Store,
  journal: Journal,
  cleanUp: boolean,
): Promise<Gathered | undefined> => {
  const { name } = journal;
  const { files, ignored } = await walkNotes(journal.folder, cleanUp);
  const laidOut = store.state.allLaidOut(name);
  const changed: string[] = [];
  const unchanged = new Map<string, FoundFile>();
  for (const { path, stat } of files) {
    const row = laidOut.get(path);
    if (row === undefined) return undefined;
    if (!isUnchanged(row, stat)) changed.push(path);
  }
  if (files.length < laidOut.size) {
    const there = new Set(files.map(({ path }) => path));
    for (const path of laidOut.keys()) if (!there.has(path)) changed.push(path);
  }
  const candidates = changed.map(
    (path): Candidate => ({ path, base: laidOut.get(path)?.blob, head: store.catalog.blobAt(name, path) }),
  );
  return { candidates, unchanged, left: ignored };
};
