/**
 * Notes that a person took away: their files were removed, or each was made the file of another note, by a copy over it or by
 * another id. Few are recorded, and many wait for a word.
 */
import type { KnownVersion } from '../../events/event.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { type BlobId, type JournalName, journalFolder, type NoteId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { idOfPath } from '../../events/note/paths.js';
import { areTooManyDeletions, type Reconciliation } from './hand-edits.js';
import { type Published, standingOf } from './private-files.js';
import type { NoteLookup, NotePlaces, Store } from './write-store.js';

/** A file of note `id` that says it is note `by`, while no other file is that of `id`. */
export type ReplacedNote = {
  readonly path: string;
  readonly id: NoteId;
  readonly by: NoteId;
  /** The text of the file stands in another one too: the note is put back over it, and over no other text. */
  readonly isKept: boolean;
};

type Found = Pick<Reconciliation, 'adopt' | 'merge' | 'deleted' | 'renamed'>;
type File = Reconciliation['adopt'][number] | Reconciliation['merge'][number];

/** In the order of the files. A note that lies elsewhere now was renamed, or changed places with another. */
export const findReplaced = (
  journal: JournalName,
  places: Pick<NotePlaces, 'filesOf' | 'idAt'>,
  found: Found,
): readonly ReplacedNote[] => {
  const files = [...found.adopt, ...found.merge];
  const said = files.map((file) => ({ path: file.path, by: idIn(journal, file) }));
  const edited = new Set(said.map(({ path }) => path));
  const gone = new Set([...found.deleted, ...found.renamed]);
  const now = new Set(said.map(({ by }) => by));
  const isElsewhere = (id: NoteId): boolean =>
    now.has(id) ||
    places.filesOf(id).some((file) => file.journal !== journal || !(edited.has(file.path) || gone.has(file.path)));
  const replaced = said.flatMap(({ path, by }) => {
    const id = places.idAt(journal, path);
    return id === undefined || id === by || isElsewhere(id) ? [] : [{ path, id, by }];
  });
  const paths = new Set(replaced.map(({ path }) => path));
  const blobOf = new Map(files.map(({ path, blob }) => [path, blob]));
  const isKept = (path: string, by: NoteId): boolean => {
    const blob = blobOf.get(path);
    const isSame = (other: { readonly path: string; readonly blob: BlobId }): boolean =>
      other.blob === blob && !paths.has(other.path);
    const known = places.filesOf(by).filter((file) => file.journal === journal && !blobOf.has(file.path));
    return known.some(isSame) || files.some(isSame);
  };
  return replaced.map((one) => ({ ...one, isKept: isKept(one.path, one.by) }));
};

const idIn = (journal: JournalName, { path, bytes }: File): NoteId => {
  const parsed = parseNoteFile(bytes, journal, path);
  return parsed.ok ? parsed.file.note.id : idOfPath(path);
};

/** Removed files whose notes another edited file says it is: they were moved over that one's. */
const movedOver = (journal: JournalName, found: Found): ReadonlySet<string> => {
  if (found.deleted.length === 0) return new Set();
  const now = new Set([...found.adopt, ...found.merge].map((file) => idIn(journal, file)));
  return new Set(found.deleted.filter((path) => now.has(idOfPath(path))));
};

/** A file that says it is a note of the other journal, in the place of a note of this one. */
export type OfOtherJournal = Omit<ReplacedNote, 'isKept'> & {
  readonly blob: BlobId;
  /** The file of its note, in the other journal; a note that was forgotten has none. */
  readonly belongs: KnownVersion | undefined;
};

/**
 * Such files are taken in by no word, which would publish a note or hide it from the other machines: they are parted from
 * `found`. `leftBehind` are paths that killed moves have yet to remove.
 */
export const partOthers = (
  journal: JournalName,
  places: NotePlaces,
  found: Reconciliation,
  leftBehind: readonly string[],
  published: readonly Published[] = [],
): { readonly found: Reconciliation; readonly others: readonly OfOtherJournal[] } => {
  const files = [...found.adopt, ...found.merge];
  const touched = new Set([...files.map(({ path }) => path), ...found.deleted, ...found.renamed]);
  const isOther = (by: NoteId, path: string): boolean => {
    const known = places.filesOf(by);
    const here = known.filter((file) => file.journal === journal && !leftBehind.includes(file.path));
    if (journal === 'local') return here.length === 0 && known.length > 0;
    if (published.some((one) => one.id === by && one.path === path)) return false;
    const standing = standingOf(places, by, leftBehind);
    // What lies in the place of a note that is in both may be its portable file, if that is not where it was.
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
 * What becomes of such files: one whose text the other journal has recorded makes way for its note where that is put back,
 * because nothing is lost by it; every other one is left.
 */
export const settleOthers = async (
  journals: Store['journals'],
  journal: JournalName,
  others: readonly OfOtherJournal[],
  deletions: 'hold' | 'record' | 'put-back',
): Promise<Pick<SettledGone, 'restored'> & Pick<Reconciliation, 'left'>> => {
  const restored: SettledGone['restored'][number][] = [];
  const left: Reconciliation['left'][number][] = [];
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

export type SettledGone = {
  readonly found: Reconciliation;
  /** Paths to remove from the journal. */
  readonly recorded: readonly string[];
  /** Removed files that wait, and files that wait with the text of another note. */
  readonly held: readonly string[];
  readonly replaced: readonly ReplacedNote[];
  /** Versions of the head to lay out again over what `base` says. */
  readonly restored: readonly { readonly path: string; readonly base: BlobId | undefined }[];
};

/**
 * Decides about all notes that are gone at once. Under the write lock. Those outside `look`, which a reader or a refused
 * command came upon, wait: who repeats that command is to find the note, and not that it was forgotten.
 */
export const settleGone = (
  journal: JournalName,
  lookup: NoteLookup,
  all: Reconciliation,
  deletions: 'hold' | 'record' | 'put-back',
  look: readonly string[] | 'all',
): SettledGone => {
  const moved = movedOver(journal, all);
  const deleted = all.deleted.filter((path) => !moved.has(path));
  const found = moved.size === 0 ? all : { ...all, deleted, renamed: [...all.renamed, ...moved] };
  const replaced = findReplaced(journal, lookup, found);
  if (deletions === 'put-back') return putBack(found, replaced);
  const isAsked = (path: string): boolean => look === 'all' || look.includes(path);
  const gone = [...deleted, ...replaced.map(({ path }) => path)];
  const asked = gone.filter(isAsked);
  const mayRecord = deletions === 'record' || !areTooManyDeletions(asked.length, lookup.countFiles(journal));
  const held = new Set(mayRecord ? gone.filter((path) => !isAsked(path)) : gone);
  return {
    found: without(found, [...held]),
    recorded: [...found.renamed, ...deleted.filter((path) => !held.has(path))],
    held: [...held],
    replaced: replaced.filter(({ path }) => held.has(path)),
    restored: [],
  };
};

/** A text that stands nowhere else is a person's work: it stays where it is, and the note waits. */
const putBack = (found: Reconciliation, replaced: readonly ReplacedNote[]): SettledGone => {
  const blobOf = new Map([...found.adopt, ...found.merge].map(({ path, blob }) => [path, blob]));
  const back = replaced.filter(({ isKept }) => isKept);
  const left = replaced
    .filter(({ isKept }) => !isKept)
    .map(({ path, id, by }) => ({
      path,
      reason: `it says it is note ${by} and took the place of note ${id}, and its text is nowhere else: move it away, then anamnesis adopt --put-back restores ${id}`,
    }));
  return {
    found: {
      ...without(
        found,
        replaced.map(({ path }) => path),
      ),
      left: [...found.left, ...left],
    },
    recorded: found.renamed,
    held: [],
    replaced: [],
    restored: [
      ...found.deleted.map((path) => ({ path, base: undefined })),
      ...back.map(({ path }) => ({ path, base: blobOf.get(path) })),
    ],
  };
};

const without = (found: Reconciliation, paths: readonly string[]): Reconciliation => ({
  ...found,
  adopt: found.adopt.filter(({ path }) => !paths.includes(path)),
  merge: found.merge.filter(({ path }) => !paths.includes(path)),
});
