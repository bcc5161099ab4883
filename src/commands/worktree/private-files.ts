/** Tells which files must not be adopted, because they may hold what must stay on this machine. */
import type { Journal } from '../../events/journal.js';
import { type JournalName, journalFolder, type NoteId } from '../../events/note/note.js';
import { formatNoteFile, parseNoteFile } from '../../events/note/note-file.js';
import { pathOfNote } from '../../events/note/paths.js';
import { saysMachineLocal } from '../../events/note/stated-scope.js';
import { derivedUlid, timeOfUlid } from '../../events/ulid-form.js';
import { compareFiles } from '../../events/worktree/checked-out-files.js';
import { putNoteFile, readNoteFile, removeNoteFile } from '../../events/worktree/working-tree.js';
import { lostLocal } from '../../state/lost-journal.js';
import { movedId, writtenAnew } from '../move.js';
import type { Refusal } from '../refusals.js';
import type { Edit, LeftFile, SortedFiles } from './sort-files.js';
import type { NotePlaces, Store } from './write-store.js';

/** Asks the index, with or without the write lock. */
export type AskPlaces = <Answer>(question: (places: NotePlaces) => Answer) => Answer | Promise<Answer>;

/** Names edits of the other journal's notes, and files newly machine-local. `isLocalLost`: local/ can't tell. */
export const withoutPrivate = async (
  journal: Pick<Journal, 'name' | 'blobs' | 'head' | 'versions'>,
  ask: AskPlaces,
  found: SortedFiles,
  isLocalLost: boolean,
): Promise<SortedFiles> => {
  const left = new Map<Edit, string>();
  const others = await ask((places) => found.edits.map((edit) => ofOtherJournal(journal.name, places, edit)));
  for (const [at, edit] of found.edits.entries()) {
    const reason =
      journal.name === 'portable' && isLocalLost
        ? lostLocal.left
        : (others[at]?.reason ??
          (others[at]?.isBack === true ? await movedAway(journal, ask, edit) : undefined) ??
          (await newlySaysLocal(journal, edit)));
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

/** `isBack`: memory/ had the note once, and has it no more. */
type Standing = { readonly reason?: string; readonly isBack?: boolean };

const ofOtherJournal = (name: JournalName, places: NotePlaces, { id, head }: Edit): Standing => {
  const other = name === 'portable' ? 'local' : 'portable';
  const files = places.filesOf(id);
  const isHere = files.some(({ journal }) => journal === name);
  const isThere = files.some(({ journal }) => journal === other);
  if (isHere && (head !== undefined || !isThere)) return {};
  if (isThere)
    return {
      reason: `note ${id} is in ${journalFolder[other]}/, and a note stays in its journal: ${wayOut(name, id)}`,
    };
  if (name === 'local' || head !== undefined) return {};
  return places.wasLocal(id) ? { reason: wasMachineLocal(id) } : { isBack: places.wasThere(id) };
};

const wasMachineLocal = (id: NoteId): string => `note ${id} was machine-local: ${wayOut('portable', id)}`;

/** An editor saved the file of a note that was moved to local/ since, where one of its versions has an id of its own. */
const movedAway = async (
  journal: Pick<Journal, 'head' | 'versions'>,
  ask: AskPlaces,
  { id, path }: Edit,
): Promise<string | undefined> => {
  const head = journal.head();
  const versions = head === undefined ? [] : [...(await journal.versions(head, path))];
  const isMoved = await ask((places) => versions.some((blob) => places.wasLocal(movedId(id, blob))));
  return isMoved ? wasMachineLocal(id) : undefined;
};

const wayOut = (name: JournalName, id: NoteId): string =>
  name === 'portable'
    ? `to publish it as a new note: anamnesis adopt --publish ${id}; else move the file away`
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

/** Gives such files ids of their own, under which the next look adopts them. Requires the write lock. */
export const publishLeft = async (store: Store, id: NoteId): Promise<Refusal | undefined> => {
  const { journals, state, lookup } = store;
  const { folder } = journals.portable;
  await lookup.catchUp(journals.portable);
  const { changed } = await compareFiles(folder, state.allStamps('portable'), false);
  let count = 0;
  for (const path of changed) {
    const found = readNoteFile(folder, path);
    const parsed = found.kind === 'file' ? parseNoteFile(found.bytes, 'portable', path) : undefined;
    if (found.kind !== 'file' || parsed?.ok !== true || parsed.file.note.id !== id) continue;
    if (lookup.blobAt('portable', path) !== undefined) continue;
    const own = derivedUlid(timeOfUlid(id), 'published', id, found.row.blob);
    const { note, ...file } = writtenAnew(parsed.file, own, { scope: 'portable' });
    putNoteFile(folder, pathOfNote(note.type, own), formatNoteFile({ note, ...file }), undefined);
    removeNoteFile(folder, path, found.row.blob);
    count += 1;
  }
  return count > 0 ? undefined : noneLeft(id);
};

const noteFolder = `${journalFolder.portable}/`;

const noneLeft = (id: NoteId): Refusal => ({
  code: 'none-left',
  message: `no file in ${noteFolder} was left because it says it is note ${id}`,
  next: `anamnesis status names the files that were left; a machine-local note is published by: anamnesis move ${id} --scope portable`,
});
