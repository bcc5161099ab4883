/** Moves files that a person moved over other notes' files back to their own places. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GitJournal } from '../../../events/git/git-journal.js';
import type { JournalName, NoteId } from '../../../events/note/note.js';
import { moveIfFree } from '../../../events/worktree/replace-file.js';
import type { NotePlaces } from '../write-store.js';
import { type Found, findReplaced, idIn } from './removed-notes.js';

/**
 * Runs before replaced notes are put back: a file that was moved over one of them goes back to its own place. If
 * another note's file is there, that one goes back first, and so on. If killed in between, each file is still in one of
 * its two places. Returns the moves, whose paths must be examined again.
 */
export const moveBack = (
  { name, folder }: Pick<GitJournal, 'name' | 'folder'>,
  places: Pick<NotePlaces, 'filesOf' | 'idAt'>,
  found: Found,
): readonly Move[] => {
  const said = new Map([...found.adopt, ...found.merge].map((file) => [file.path, idIn(name, file)]));
  const free = new Set([...found.deleted, ...found.renamed]);
  const moved: Move[] = [];
  for (const { path } of findReplaced({ name, folder }, places, found)) {
    const way = wayBack(name, places, said, free, path);
    for (const { from, to } of way.toReversed()) {
      mkdirSync(dirname(join(folder, to)), { recursive: true });
      if (!moveIfFree(join(folder, from), join(folder, to))) break;
      free.delete(to);
      said.delete(from);
      moved.push({ from, to });
    }
  }
  return moved;
};

type Move = { readonly from: string; readonly to: string };

/** Returns the moves, each making room for the one before it; empty if the last file has no free place to go to. */
const wayBack = (
  name: JournalName,
  places: Pick<NotePlaces, 'filesOf'>,
  said: ReadonlyMap<string, NoteId>,
  free: ReadonlySet<string>,
  path: string,
): readonly Move[] => {
  const way: Move[] = [];
  const passed = new Set<string>();
  for (let from = path; !passed.has(from); ) {
    passed.add(from);
    const id = said.get(from);
    const own = id === undefined ? [] : places.filesOf(id).filter(({ journal }) => journal === name);
    const empty = own.find((file) => free.has(file.path));
    if (empty !== undefined) return [...way, { from, to: empty.path }];
    const taken = own.find((file) => (said.get(file.path) ?? id) !== id);
    if (taken === undefined) return [];
    way.push({ from, to: taken.path });
    from = taken.path;
  }
  return [];
};
