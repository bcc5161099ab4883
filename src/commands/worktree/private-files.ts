/** Tells which files must not be adopted, because they may hold what must stay on this machine. */
import type { Journal } from '../../events/journal.js';
import { type JournalName, journalFolder, type NoteId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { saysMachineLocal } from '../../events/note/stated-scope.js';
import { lostLocal } from '../../state/lost-journal.js';
import type { Edit, LeftFile, SortedFiles } from './sort-files.js';
import type { NotePlaces } from './write-store.js';

type KnownPlaces = Pick<NotePlaces, 'filesOf' | 'wasLocal'>;

/**
 * Leaves out and names edits of the other journal's notes, and portable files that newly say they are machine-local.
 * `isLocalLost` is true while `local/`, which could tell, is gone.
 */
export const withoutPrivate = async (
  journal: Pick<Journal, 'name' | 'blobs'>,
  places: KnownPlaces,
  found: SortedFiles,
  isLocalLost: boolean,
): Promise<SortedFiles> => {
  const left = new Map<Edit, string>();
  for (const edit of found.edits) {
    const reason =
      journal.name === 'portable' && isLocalLost
        ? lostLocal.left
        : (ofOtherJournal(journal.name, places, edit) ?? (await newlySaysLocal(journal, edit)));
    if (reason !== undefined) left.set(edit, reason);
  }
  return leaveOut(found, left);
};

export const leaveOut = (found: SortedFiles, left: ReadonlyMap<Edit, string>): SortedFiles => {
  if (left.size === 0) return found;
  const named = [...left].map(([{ path }, reason]): LeftFile => ({ path, reason }));
  const leftNotes = new Set([...found.leftNotes, ...[...left.keys()].map(({ id }) => id)]);
  const edits = found.edits.filter((edit) => !left.has(edit));
  return { ...found, edits, left: [...found.left, ...named], leftNotes };
};

const ofOtherJournal = (name: JournalName, places: KnownPlaces, { id, head }: Edit): string | undefined => {
  const other = name === 'portable' ? 'local' : 'portable';
  const files = places.filesOf(id);
  const isHere = files.some(({ journal }) => journal === name);
  const isThere = files.some(({ journal }) => journal === other);
  if (isHere && (head !== undefined || !isThere)) return undefined;
  if (isThere) return `note ${id} is in ${journalFolder[other]}/, and a note stays in its journal: ${wayOut(name, id)}`;
  return name === 'portable' && head === undefined && places.wasLocal(id)
    ? `note ${id} was machine-local: ${wayOut(name, id)}`
    : undefined;
};

const wayOut = (name: JournalName, id: NoteId): string =>
  name === 'portable'
    ? 'move the file away, or give it an id of its own, which makes it a new note'
    : `anamnesis move ${id} --scope machine-local makes it machine-local`;

/** A portable file that always said so is a note of the folder. */
const newlySaysLocal = async (
  journal: Pick<Journal, 'name' | 'blobs'>,
  { path, bytes, head, id }: Edit,
): Promise<string | undefined> => {
  if (journal.name !== 'portable' || !saysLocal(bytes, path)) return undefined;
  const before = head === undefined ? undefined : (await journal.blobs([head])).get(head);
  if (before !== undefined && saysLocal(before, path)) return undefined;
  return `it says scope: machine-local, but ${journalFolder.portable}/ is synced: anamnesis move ${id} --scope machine-local keeps the note here; without that line it is published`;
};

export const saysLocal = (bytes: Buffer, path: string): boolean => {
  const parsed = parseNoteFile(bytes, 'portable', path);
  return parsed.ok && saysMachineLocal(parsed.file);
};
