/** Finds files in the portable folder that must not be adopted: they are, or say they are, machine-local. */
import type { GitJournal } from '../../events/git/git-journal.js';
import { type BlobId, type JournalName, journalFolder, type NoteId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { idOfPath } from '../../events/note/paths.js';
import { saysMachineLocal } from '../../events/note/stated-scope.js';
import { forgetMovedEdits, type MovedFiles, readMovedEdits } from '../../state/moved-edits.js';
import { currentBlob } from './base-of-file.js';
import type { ClassifiedFiles } from './hand-edits.js';
import { linesOf, readLocalTexts } from './removed/local-texts.js';
import { type NotePlaces, noteAt, type Store } from './write-store.js';

/**
 * Where this machine knows a note's files to be: 'local' alone; 'forgotten', gone from local; in 'both' journals;
 * 'returned', gone from local and portable again without a move; or plainly 'portable'. `leftBehind` are paths that
 * killed moves have yet to remove, `except` portable events that don't make it portable.
 */
export type Standing = 'local' | 'forgotten' | 'both' | 'returned' | 'portable';

export const standingOf = (
  places: NotePlaces,
  id: NoteId,
  leftBehind: readonly string[],
  except?: ReadonlySet<string>,
): Standing => {
  const files = places.filesOf(id);
  const isPortable = files.some(({ journal, path }) => journal === 'portable' && !leftBehind.includes(path));
  if (files.some(({ journal }) => journal === 'local')) return isPortable ? 'both' : 'local';
  if (!places.wasLocalLast(id, except)) return 'portable';
  return isPortable ? 'returned' : 'forgotten';
};

/**
 * Called before commands are decided, because one of them may be the same move again. Does nothing while a file of a
 * recorded move has yet to be removed.
 */
export const forgetStaleMovedEdits = ({ state, lookup, journals }: Store): void => {
  const files = [...readMovedEdits(state, lookup.isLocalEvent)];
  if (!files.some(([path, blob]) => currentBlob(journals.portable, path) === blob)) forgetMovedEdits(state);
};

/** A note that a command is about to make portable, and its path. */
export type Published = { readonly path: string; readonly id: NoteId };

const isAmong = (published: readonly Published[], { path }: File, id: NoteId): boolean =>
  published.some((one) => one.path === path && one.id === id);

/** Applies `withoutPrivate`, `withoutLocalText` and `withoutSaidLocal`. Requires the write lock. */
export const withoutLeft = async (
  { journals, lookup, state }: Store,
  journal: Contents,
  found: ClassifiedFiles,
  leftBehind: readonly string[],
  published: readonly Published[],
  headOf: ReadonlyMap<string, BlobId | undefined>,
): Promise<ClassifiedFiles> => {
  const isCheckedOut = (path: string): boolean => state.checkedOut('portable', path) !== undefined;
  const isMeant = (file: File): boolean =>
    isAmong(published, file, idIn(file)) && standingOf(lookup, idIn(file), leftBehind) !== 'portable';
  const taken = withoutPrivate(
    lookup,
    found,
    leftBehind,
    isCheckedOut,
    readMovedEdits(state, lookup.isLocalEvent),
    published,
  );
  const noteOf = (path: string): NoteId => noteAt(lookup, 'portable', path);
  const others = await withoutLocalText({ journals, lookup }, taken, findOfLocal(lookup, taken), noteOf, isMeant);
  const meant = await copiesOrNew(
    journals,
    lookup,
    leftBehind,
    others.adopt.concat(others.merge).filter(isMeant),
    headOf,
  );
  return withoutSaidLocal(
    journal,
    others,
    (path) => headOf.get(path),
    noteOf,
    (file) => meant.has(file),
  );
};

/**
 * Returns the files that a move publishes although they say they are machine-local: copies of the note as it is in
 * local/, and files that a person put where the portable journal has none. In any other portable file the person typed
 * that line, and it is respected.
 */
const copiesOrNew = async (
  { local }: Store['journals'],
  places: NotePlaces,
  leftBehind: readonly string[],
  files: readonly File[],
  headOf: ReadonlyMap<string, BlobId | undefined>,
): Promise<ReadonlySet<File>> => {
  const isNew = (file: File): boolean =>
    headOf.get(file.path) === undefined && standingOf(places, idIn(file), leftBehind) !== 'both';
  const [fresh, others] = partition(files, isNew);
  const known = others.map((file) => ({
    file,
    own: places.filesOf(idIn(file)).filter(({ journal }) => journal === 'local'),
  }));
  const texts = await local.blobs(known.flatMap(({ own }) => own.map(({ blob }) => blob)));
  const isCopy = ({ file, own }: (typeof known)[number]): boolean =>
    own.some(({ path, blob }) => {
      const bytes = texts.get(blob);
      return bytes !== undefined && bodyOf(bytes, 'local', path) === bodyOf(file.bytes, 'portable', file.path);
    });
  return new Set([...fresh, ...known.filter(isCopy).map(({ file }) => file)]);
};

const bodyOf = (bytes: Buffer, journal: JournalName, path: string): string | undefined => {
  const parsed = parseNoteFile(bytes, journal, path);
  return parsed.ok ? parsed.file.note.body : undefined;
};

type File = ClassifiedFiles['adopt'][number] | ClassifiedFiles['merge'][number];

/** Leaves out edits of notes that are about to leave the journal: they don't belong in its history. */
export const withoutLeaving = (found: ClassifiedFiles, leaving: readonly string[]): ClassifiedFiles => {
  const goes = ({ path }: File): boolean => leaving.includes(path);
  const going = [...found.adopt, ...found.merge].filter(goes);
  if (going.length === 0) return found;
  const left = going.map(({ path }) => ({ path, reason: 'it goes to the other journal with its note' }));
  const [adopt, merge] = [found.adopt.filter((file) => !goes(file)), found.merge.filter((file) => !goes(file))];
  return { ...found, adopt, merge, left: [...found.left, ...left] };
};

/**
 * Sorts the files found in the portable folder. One that a killed move left behind is removed, even if a person has
 * renamed it, unless they have edited it. Any other file of a machine-local note stays where it is and is not adopted:
 * only an explicit move publishes a note. `isCheckedOut` is true for paths that were checked out, `movedEdits` is what the
 * last move took along.
 */
export const withoutPrivate = (
  places: NotePlaces,
  found: ClassifiedFiles,
  leftBehind: readonly string[],
  isCheckedOut: (path: string) => boolean,
  movedEdits: MovedFiles,
  published: readonly Published[] = [],
): ClassifiedFiles => {
  const renamed = new Set(found.renamed.map((path) => noteAt(places, 'portable', path)));
  const own = new Map<File, { readonly id: NoteId; readonly standing: Standing }>();
  for (const file of [...found.adopt, ...found.merge]) {
    const id = idIn(file);
    const standing = standingOf(places, id, leftBehind);
    // If a note is portable elsewhere too, a file that we checked out is edited and renamed like any other.
    const isElsewhere = standing === 'both' || standing === 'returned';
    const isPortable = isElsewhere && (isCheckedOut(file.path) || renamed.has(id));
    if (standing !== 'portable' && !isPortable && !isAmong(published, file, id)) own.set(file, { id, standing });
  }
  if (own.size === 0) return found;
  const isLeftBehind = ({ path: at, blob }: File, id: NoteId): boolean =>
    movedEdits.get(at) === blob ||
    leftBehind.some((path) => noteAt(places, 'portable', path) === id && places.blobAt('portable', path) === blob);
  const [behind, left] = partition([...own], ([file, { id }]) => isLeftBehind(file, id));
  return {
    ...found,
    adopt: found.adopt.filter((file) => !own.has(file)),
    merge: found.merge.filter((file) => !own.has(file)),
    put: [...found.put, ...behind.map(([{ path, blob }]) => ({ path, head: undefined, base: blob }))],
    left: [...found.left, ...left.map(([{ path }, { id, standing }]) => ({ path, reason: reasons[standing](id) }))],
  };
};

const partition = <One>(
  all: readonly One[],
  isFirst: (one: One) => boolean,
): readonly [readonly One[], readonly One[]] => [all.filter(isFirst), all.filter((one) => !isFirst(one))];

const publishes = (id: NoteId): string => `anamnesis move ${id} --scope portable publishes it`;
/** Does not suggest deleting the file: its text may be nowhere else. */
const keeps = (id: NoteId): string =>
  `anamnesis move ${id} --scope machine-local takes in what this file says and keeps it here; ${publishes(id)}`;
const isPrivate = `is machine-local, in ${journalFolder.local}/`;
const reasons: Readonly<Record<Standing, (id: NoteId) => string>> = {
  local: (id) => `its note ${isPrivate}: ${keeps(id)}`,
  both: (id) => `its note ${isPrivate}, and has another portable file: ${keeps(id)}`,
  forgotten: (id) =>
    `its note was machine-local and is gone: anamnesis restore ${id} brings it back, then ${keeps(id)}`,
  returned: (id) => `its note was machine-local, and a portable one came back: ${keeps(id)}`,
  portable: () => '',
};

/** Ids of these files' notes that have, or last had, a machine-local text. */
export const findOfLocal = (places: NotePlaces, { adopt, merge }: ClassifiedFiles): readonly NoteId[] =>
  [...new Set([...adopt, ...merge].map(idIn))].filter(
    (id) => places.filesOf(id).some(({ journal }) => journal === 'local') || places.wasLocalLast(id),
  );

/**
 * Leaves out portable files with text that only the note's machine-local file has or had, whatever scope they state.
 */
export const withoutLocalText = async (
  { journals, lookup }: Pick<Store, 'journals' | 'lookup'>,
  found: ClassifiedFiles,
  ofLocal: readonly NoteId[],
  noteOf: (path: string) => NoteId,
  isMeant: (file: File) => boolean = () => false,
): Promise<ClassifiedFiles> => {
  if (ofLocal.length === 0) return found;
  const hasTextOf = await readLocalTexts({ journals, lookup }, ofLocal);
  const places = new Map(ofLocal.map((id) => [id, lookup.filesOf(id).filter(({ journal }) => journal === 'portable')]));
  const contents = await journals.portable.blobs([...places.values()].flat().map(({ blob }) => blob));
  const hasLocalText = (file: File): boolean => {
    const known = places.get(idIn(file));
    if (known === undefined) return false;
    const before = known.flatMap(({ path, blob }) => linesOf(contents.get(blob), 'portable', path));
    return hasTextOf(idIn(file), new Set(before), new Set(linesOf(file.bytes, 'portable', file.path)));
  };
  const left = [...found.adopt, ...found.merge].filter((file) => !isMeant(file) && hasLocalText(file));
  return left.length === 0 ? found : leave(found, left, noteOf, (file) => hasItsText(idIn(file)));
};

const hasItsText = (id: NoteId): string =>
  `it has the text of its machine-local note, in ${journalFolder.local}/: remove those lines to keep them on this machine; ${publishes(id)}`;

/**
 * Leaves out these files. The old path of one that was renamed, perhaps over another note, doesn't count as removed.
 */
const leave = (
  found: ClassifiedFiles,
  left: readonly File[],
  noteOf: (path: string) => NoteId,
  reasonFor: (file: File) => string,
): ClassifiedFiles => {
  const ids = new Set(left.map(idIn));
  const isElsewhere = (path: string): boolean => ids.has(noteOf(path));
  return {
    ...found,
    adopt: found.adopt.filter((file) => !left.includes(file)),
    merge: found.merge.filter((file) => !left.includes(file)),
    renamed: found.renamed.filter((path) => !isElsewhere(path)),
    deleted: found.deleted.filter((path) => !isElsewhere(path)),
    left: [...found.left, ...left.map((file) => ({ path: file.path, reason: reasonFor(file) }))],
  };
};

/** The id in the front matter: only files that can be parsed are adopted. */
const idIn = ({ path, bytes }: File): NoteId => idOf(path, bytes);

const idOf = (path: string, bytes: Buffer): NoteId => {
  const parsed = parseNoteFile(bytes, 'portable', path);
  return parsed.ok ? parsed.file.note.id : idOfPath(path);
};

export const saysLocal = (bytes: Buffer, path: string): boolean => {
  const parsed = parseNoteFile(bytes, 'portable', path);
  return parsed.ok && saysMachineLocal(parsed.file);
};

type Contents = Pick<GitJournal, 'blobs'>;

/**
 * Leaves out and reports the files that a person has newly marked machine-local; one that always said so is a note of
 * the folder. `isMeant` is true for files that a command is about to publish.
 */
export const withoutSaidLocal = async (
  journal: Contents,
  found: ClassifiedFiles,
  headOf: (path: string) => BlobId | undefined,
  noteOf: (path: string) => NoteId,
  isMeant: (file: File) => boolean = () => false,
): Promise<ClassifiedFiles> => {
  const saying = [...found.adopt, ...found.merge].filter((file) => saysLocal(file.bytes, file.path) && !isMeant(file));
  if (saying.length === 0) return found;
  const heads = await journal.blobs(saying.flatMap(({ path }) => headOf(path) ?? []));
  const noteAt = (path: string): NoteId | undefined => {
    const head = headOf(path);
    const bytes = heads.get(head ?? '');
    return bytes === undefined ? head && idOfPath(path) : idOf(path, bytes);
  };
  const isNew = ({ path, bytes }: File): boolean => {
    const head = heads.get(headOf(path) ?? '');
    return head === undefined || !saysLocal(head, path) || idOf(path, head) !== idOf(path, bytes);
  };
  return leave(found, saying.filter(isNew), noteOf, (file) => reasonOf(file, noteAt(file.path)));
};

/** `id` is the note that the path belongs to. */
const reasonOf = (file: File, id: NoteId | undefined): string => {
  const says = `it says scope: machine-local, but ${journalFolder.portable}/ is synced`;
  if (id === undefined) return `${says}: move it to ${journalFolder.local}/, or remove that line to publish it`;
  return id === idIn(file)
    ? `${says}: anamnesis move ${id} --scope machine-local keeps it here; without that line it is published`
    : `${says}, and it is in the place of note ${id}: move it away, then anamnesis adopt --put-back restores ${id}`;
};
