/** Files that a person moved over other notes' files go back before those notes are put back. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GitJournal } from '../../../events/git/git-journal.js';
import type { JournalName, NoteId } from '../../../events/note/note.js';
import { moveIfFree } from '../../../events/worktree/replace-file.js';
import type { NotePlaces } from '../write-store.js';
import { type Found, findReplaced, idIn } from './gone-notes.js';

/**
 * Before replaced notes are put back: a file that was moved over one of them goes back to its own place. The file of another
 * note that lies there goes back first, and so on. Killed in between, each file is still in one of its two places. Answers the
 * moves, whose paths are to be looked at again.
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

/** The moves that make room for the one before; none where the last file has no free place to go to. */
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
