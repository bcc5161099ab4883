/** Files that turn up in the portable folder though their notes are machine-local. */
import { journalFolder, type NoteId } from '../../events/note/note.js';
import { idOfPath } from '../../events/note/paths.js';
import type { Reconciliation } from './hand-edits.js';
import type { NotePlaces } from './write-store.js';

/**
 * Of what was found in the portable folder. A file that a killed move left behind is removed even if a person has renamed it. Any other file stays where it is and is
 * not taken in: only an explicit move publishes a note. `leftBehind` are the paths that killed moves have yet to remove.
 */
export const withoutPrivate = (
  places: NotePlaces,
  found: Reconciliation,
  leftBehind: readonly string[],
): Reconciliation => {
  // If another machine edited the note, there is a portable one too, which may be renamed like any other.
  const isPrivate = (id: NoteId | undefined): id is NoteId => {
    const files = id === undefined ? [] : places.filesOf(id);
    const isPortable = files.some(({ journal, path }) => journal === 'portable' && !leftBehind.includes(path));
    return files.some(({ journal }) => journal === 'local') && !isPortable;
  };
  const own = found.adopt.filter(({ id }) => isPrivate(id));
  if (own.length === 0) return found;
  const isLeftBehind = ({ id, blob }: Reconciliation['adopt'][number]): boolean =>
    leftBehind.some((path) => idOfPath(path) === id && places.blobAt('portable', path) === blob);
  return {
    ...found,
    adopt: found.adopt.filter((file) => !own.includes(file)),
    put: [...found.put, ...own.filter(isLeftBehind).map(({ path, blob }) => ({ path, head: undefined, base: blob }))],
    left: [
      ...found.left,
      ...own
        .filter((file) => !isLeftBehind(file))
        .map(({ path, id = '' }) => ({
          path,
          reason: `its note is machine-local, in ${journalFolder.local}/: anamnesis move ${id} --scope portable publishes it`,
        })),
    ],
  };
};
