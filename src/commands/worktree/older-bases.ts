/** Finds edits made from an older version than the one checked out, by an editor or a git stash. */
import type { GitJournal } from '../../events/git/git-journal.js';
import type { BlobId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { countUnsharedLines } from '../../events/note/unshared-lines.js';
import { heldAtOnce } from '../../events/read-in-batches.js';
import { parseTime } from '../../events/time.js';
import { findReplacedBy, type Replaced, readReplaced } from '../../state/replaced-by-sync.js';
import type { ClassifiedFiles } from './hand-edits.js';
import type { Store } from './write-store.js';

type Edits = Pick<ClassifiedFiles, 'adopt' | 'merge'>;
export type Edit = Pick<Edits['adopt'][number], 'path' | 'bytes' | 'blob' | 'id'>;

/**
 * Commands that edit a note set `updated_at`, and people don't, so a file with an older version's `updated_at` was made
 * from that version, and is merged with what was recorded since. Tags and hand edits don't change it: of several
 * versions with that time, the one most like the file counts. A file identical to an older version was brought back on
 * purpose.
 */
export const mergeOlder = async (
  store: Store,
  journal: GitJournal,
  head: string | undefined,
  { adopt, merge }: Edits,
): Promise<Edits> => {
  const older: ClassifiedFiles['merge'][number][] = [];
  for (const file of adopt) {
    const { path, bytes, blob, mtimeMs } = file;
    const inHead = store.lookup.blobAt(journal.name, path);
    const base = head === undefined ? undefined : await findBase(store, journal, head, file, inHead);
    if (base !== undefined && base !== inHead) older.push({ path, base, head: inHead, bytes, blob, mtimeMs });
  }
  if (older.length === 0) return { adopt, merge };
  const paths = new Set(older.map(({ path }) => path));
  return { adopt: adopt.filter(({ path }) => !paths.has(path)), merge: [...merge, ...older] };
};

/** Returns undefined if nothing points to another version than the one last checked out, in most cases the head's. */
export const findBase = async (
  store: Store,
  journal: GitJournal,
  head: string,
  { path, id, bytes, blob }: Edit,
  checkedOut: BlobId | undefined,
): Promise<BlobId | undefined> => {
  const recorded = id === undefined ? store.lookup.updatedAt(journal.name, path) : undefined;
  const parsed = recorded === undefined ? undefined : parseNoteFile(bytes, journal.name, path);
  if (recorded === undefined || parsed?.ok !== true) return undefined;
  const { id: ownId, updatedAt } = parsed.file.note;
  // An import gives many notes the same time, and a person may put one note's file in the place of another's.
  if (ownId !== store.lookup.idAt(journal.name, path)) return undefined;
  const fileMs = parseTime(updatedAt) ?? recorded * 1000;
  const replaced = journal.name === 'portable' ? readReplaced(store.state).filter((one) => one.path === path) : [];
  // A sync may bring a version with an older or the same time. Any other version with a later time than the head's was
  // reverted by the person, with git or by hand: editing it brings it back.
  const candidates =
    fileMs >= recorded * 1000
      ? await replacedInHistory(journal, head, path, checkedOut, replaced)
      : [...replaced.map(({ before }) => before), ...(await journal.versions(head, path))].slice(0, maxVersions);
  if (candidates.length === 0 || candidates.includes(blob)) return undefined;
  const texts = await journal.blobs([...new Set(candidates)], heldAtOnce);
  const text = bytes.toString('utf8');
  let base: BlobId | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const version of candidates) {
    const content = texts.get(version);
    const other = content === undefined ? undefined : parseNoteFile(content, journal.name, path);
    if (content === undefined || other?.ok !== true) continue;
    if (other.file.note.id !== ownId || other.file.note.updatedAt !== updatedAt) continue;
    const unlike = countUnsharedLines(text, content.toString('utf8'));
    if (unlike > least || (unlike === least && version !== checkedOut)) continue;
    base = version;
    least = unlike;
  }
  return base;
};

/** Returns the replaced versions and the one last checked out; empty if there are none. */
const replacedInHistory = async (
  journal: GitJournal,
  head: string,
  path: string,
  checkedOut: BlobId | undefined,
  replaced: readonly Replaced[],
): Promise<readonly BlobId[]> => {
  if (checkedOut === undefined || replaced.length === 0) return [];
  const inARow = findReplacedBy([checkedOut], replaced);
  // Tags and hand edits may have followed, so the history is searched too. But if a replaced version was brought back,
  // the one that replaced it may be brought back on purpose as well.
  const isAll = inARow.length === replaced.length || replaced.some(({ before }) => before === checkedOut);
  const found = isAll ? inARow : findReplacedBy([checkedOut, ...(await journal.versions(head, path))], replaced);
  return found.length === 0 ? [] : [...found, checkedOut];
};

/** Limit of the search: no file stays open for longer. */
const maxVersions = 200;
