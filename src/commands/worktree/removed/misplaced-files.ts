/** Handles files of one journal's notes in the places of the other's: left or replaced, never adopted. */
import type { KnownVersion } from '../../../events/event.js';
import type { GitJournal } from '../../../events/git/git-journal.js';
import { type BlobId, type JournalName, journalFolder, type NoteId } from '../../../events/note/note.js';
import type { ClassifiedFiles } from '../hand-edits.js';
import { type Published, standingOf } from '../private-files.js';
import type { NotePlaces, Store } from '../write-store.js';
import { idIn, type ReconciledRemovals, type ReplacedNote } from './removed-notes.js';

/** A file in the place of a note of this journal that says it is a note of the other one. */
export type OfOtherJournal = Omit<ReplacedNote, 'isKept'> & {
  readonly blob: BlobId;
  /** The file of its note, in the other journal; a note that was forgotten has none. */
  readonly belongs: KnownVersion | undefined;
};

/**
 * Separates such files from `found`: adopting them would publish a note or hide it from the other machines.
 * `leftBehind` are paths that killed moves have yet to remove.
 */
export const separateMisplaced = (
  journal: JournalName,
  places: NotePlaces,
  found: ClassifiedFiles,
  leftBehind: readonly string[],
  published: readonly Published[] = [],
): { readonly found: ClassifiedFiles; readonly others: readonly OfOtherJournal[] } => {
  const files = [...found.adopt, ...found.merge];
  const touched = new Set([...files.map(({ path }) => path), ...found.deleted, ...found.renamed]);
  const isOther = (by: NoteId, path: string): boolean => {
    const known = places.filesOf(by);
    const here = known.filter((file) => file.journal === journal && !leftBehind.includes(file.path));
    if (journal === 'local') return here.length === 0 && known.length > 0;
    if (published.some((one) => one.id === by && one.path === path)) return false;
    const standing = standingOf(places, by, leftBehind);
    // For a note that is in both journals, this may be its portable file, if that has left its own place.
    return standing === 'both' ? !here.some((file) => touched.has(file.path)) : standing !== 'portable';
  };
  const others = files.flatMap((file): readonly OfOtherJournal[] => {
    const { path, blob } = file;
    const by = idIn(journal, file);
    const id = places.idAt(journal, path);
    if (id === undefined || id === by || leftBehind.includes(path) || !isOther(by, path)) return [];
    return [{ path, id, by, blob, belongs: places.filesOf(by).find((one) => one.journal !== journal) }];
  });
  const paths = others.map(({ path }) => path);
  return { found: paths.length === 0 ? found : without(found, paths), others };
};

/**
 * Decides about such files: with 'put-back', one whose text the other journal has recorded is replaced by this
 * journal's note, because nothing is lost by it; every other one is left.
 */
export const reconcileMisplaced = async (
  journals: Store['journals'],
  journal: JournalName,
  others: readonly OfOtherJournal[],
  deletions: 'hold' | 'record' | 'put-back',
): Promise<Pick<ReconciledRemovals, 'restored'> & Pick<ClassifiedFiles, 'left'>> => {
  const restored: ReconciledRemovals['restored'][number][] = [];
  const left: ClassifiedFiles['left'][number][] = [];
  for (const other of others) {
    const { path, blob, belongs } = other;
    const isKept = belongs !== undefined && (await isRecorded(journals[belongs.journal], belongs, blob));
    if (isKept && deletions === 'put-back') restored.push({ path, base: blob });
    else left.push({ path, reason: describeOther(journal, other, isKept) });
  }
  return { restored, left };
};

const isRecorded = async (journal: GitJournal, { path, blob: now }: KnownVersion, blob: BlobId): Promise<boolean> => {
  if (now === blob) return true;
  const head = journal.head();
  return head !== undefined && (await journal.versions(head, path)).has(blob);
};

const describeOther = (journal: JournalName, { id, by, belongs }: OfOtherJournal, isKept: boolean): string => {
  const scope = journal === 'portable' ? 'machine-local' : 'portable';
  const says = `it took the place of note ${id}: it says it is note ${by}, which is ${scope}`;
  const back = `anamnesis adopt --put-back restores ${id}`;
  if (isKept) return `${says}; ${back}`;
  const where = belongs === undefined ? '' : ` and belongs in ${journalFolder[belongs.journal]}/${belongs.path}`;
  return `${says}${where}; its text is nowhere else: move it away, then ${back}`;
};

const without = (found: ClassifiedFiles, paths: readonly string[]): ClassifiedFiles => ({
  ...found,
  adopt: found.adopt.filter(({ path }) => !paths.includes(path)),
  merge: found.merge.filter(({ path }) => !paths.includes(path)),
});
