/**
 * Checks that an undoing took back what it names. Anybody can claim that in a trailer of the portable journal, so the
 * files must prove it; the local journal is this machine's own.
 */
import { cleanFile } from '../commands/revert.js';
import type { Journal, PathChange } from '../events/journal.js';
import { mergeNotes } from '../events/note/merge.js';
import type { BlobId, NoteId } from '../events/note/note.js';
import { formatNoteFile, type NoteFile, parseNoteFile, setNoteFields } from '../events/note/note-file.js';
import { idOfPath } from '../events/note/paths.js';

/**
 * True if both commits changed a note, and each such note became what undoing the event makes of it: its text before
 * the event or, if changed since, that change merged with it. Throws GitError.
 */
export const isProven = async (journal: Journal, event: string, undoing: string): Promise<boolean> => {
  const [done, undone] = await Promise.all(
    [event, undoing].map(async (commit) => byNote(await changesOf(journal, commit))),
  );
  if (done === undefined || undone === undefined) return false;
  const common = [...done].flatMap(([id, change]) => {
    const other = undone.get(id);
    return other === undefined ? [] : [[change, other] as const];
  });
  const ids = common.flat().flatMap(({ before, after }) => [before, after].filter((blob) => blob !== undefined));
  const bytesById = await journal.blobs([...new Set(ids)]);
  const read = (blob: BlobId | undefined): NoteFile | undefined => {
    const bytes = blob === undefined ? undefined : bytesById.get(blob);
    const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, journal.name, '');
    return parsed?.ok === true ? parsed.file : undefined;
  };
  const isTakenBack = ([change, other]: readonly [Sides, Sides]): boolean => {
    if (change.before === undefined || other.after === undefined) return change.before === other.after;
    const [old, fresh, present, now] = [change.before, change.after, other.before, other.after].map(read);
    if (old === undefined || now === undefined) return change.before === other.after;
    const isMerged = fresh !== undefined && present !== undefined && change.after !== other.before;
    return saysTheSame(isMerged ? mergeNotes(fresh, old, present).file : old, now);
  };
  return common.length > 0 && common.every(isTakenBack);
};

type Sides = Pick<PathChange, 'before' | 'after'>;

/** A note whose path changed is one change. */
const byNote = (changes: readonly PathChange[]): ReadonlyMap<NoteId, Sides> => {
  const byId = new Map<NoteId, Sides>();
  for (const { path, before, after } of changes) {
    const there = byId.get(idOfPath(path));
    byId.set(idOfPath(path), { before: there?.before ?? before, after: there?.after ?? after });
  }
  return byId;
};

const changesOf = async (journal: Journal, commit: string): Promise<readonly PathChange[]> => {
  const [parent] = await journal.parents(commit);
  return journal.diff(parent, commit);
};

/** Ignores masking and a different updated_at. */
const saysTheSame = (one: NoteFile, other: NoteFile): boolean => {
  const [left, right] = [one, other].map(
    (file) => cleanFile(setNoteFields(file, { updatedAt: other.note.updatedAt })).file,
  );
  return left !== undefined && right !== undefined && formatNoteFile(left).equals(formatNoteFile(right));
};
