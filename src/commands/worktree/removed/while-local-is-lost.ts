/** Holds back new files in the portable folder while `local/` is lost: they may belong to machine-local notes. */
import type { BlobId, NoteId } from '../../../events/note/note.js';
import { lostLocal } from '../../../state/lost-journal.js';
import type { ClassifiedFiles } from '../hand-edits.js';
import type { Published } from '../private-files.js';
import type { NotePlaces } from '../write-store.js';
import { idIn } from './removed-notes.js';

type File = ClassifiedFiles['adopt'][number] | ClassifiedFiles['merge'][number];

/**
 * Leaves out such files and reports them. A portable note may be edited, or renamed: then its known place no longer
 * holds it. `headOf` maps a path to the head's version, `published` is what a person's command publishes.
 */
export const withoutNew = (
  places: NotePlaces,
  found: ClassifiedFiles,
  headOf: ReadonlyMap<string, BlobId | undefined>,
  published: readonly Published[],
): ClassifiedFiles => {
  const files = [...found.adopt, ...found.merge];
  const idAt = new Map(files.map((file) => [file.path, idIn('portable', file)]));
  const renamed = new Set(found.renamed);
  const isGoneFrom = (path: string, id: NoteId): boolean => renamed.has(path) || (idAt.get(path) ?? id) !== id;
  const isKnown = (file: File): boolean => {
    const id = idIn('portable', file);
    const portable = places.filesOf(id).filter(({ journal }) => journal === 'portable');
    const isItsPlace = headOf.get(file.path) !== undefined && portable.some(({ path }) => path === file.path);
    return isItsPlace || portable.some(({ path }) => isGoneFrom(path, id));
  };
  const isMeant = ({ path }: File): boolean => published.some((one) => one.path === path && one.id === idAt.get(path));
  const left = new Set(files.filter((file) => !isKnown(file) && !isMeant(file)).map(({ path }) => path));
  if (left.size === 0) return found;
  return {
    ...found,
    adopt: found.adopt.filter(({ path }) => !left.has(path)),
    merge: found.merge.filter(({ path }) => !left.has(path)),
    left: [...found.left, ...[...left].map((path) => ({ path, reason: lostLocal.left }))],
  };
};
