/** Finds a person's changes to files, redacts and merges them, and turns them into one event. */
import type { FileChange } from '../../events/event.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { blobIdOf } from '../../events/note/blob-id.js';
import type { LostOfNote } from '../../events/note/lost-values.js';
import { conflictCopy, mergeNotes } from '../../events/note/merge.js';
import { type BlobId, type NoteId, shownTitle } from '../../events/note/note.js';
import {
  describeInFile,
  formatNoteFile,
  type NoteFile,
  parseNoteFile,
  setNoteFields,
} from '../../events/note/note-file.js';
import { pathOfNote } from '../../events/note/paths.js';
import type { Masked } from '../../events/note/redact.js';
import { settleClash } from '../../events/note/settle-clash.js';
import { formatTime } from '../../events/time.js';
import type { CheckedOutFile } from '../../events/worktree/working-tree.js';
import { type FoundFile, readNoteFile } from '../../events/worktree/working-tree.js';
import { addUp, redactFile } from '../redact-fields.js';
import { classifyFile } from './classify-file.js';
import { noteAt, type Store } from './write-store.js';

/** A path to examine, with what was last checked out there and what the head has. */
export type Candidate = { readonly path: string; readonly base: BlobId | undefined; readonly head: BlobId | undefined };

/** A file that was left alone, and why. */
export type LeftFile = { readonly path: string; readonly reason: string };

export type ClassifiedFiles = {
  /** Rows to record and paths to drop from the record, without any change to a file. */
  readonly advance: readonly CheckedOutFile[];
  readonly gone: readonly string[];
  /** Head's version to check out (undefined removes), over a file that still holds `base`. */
  readonly put: readonly {
    readonly path: string;
    readonly head: BlobId | undefined;
    readonly base: BlobId | undefined;
  }[];
  readonly adopt: readonly {
    readonly path: string;
    readonly bytes: Buffer;
    readonly blob: BlobId;
    readonly mtimeMs: number;
    /** Set for a file that is new at its path. */
    readonly id?: NoteId | undefined;
  }[];
  readonly merge: readonly (Candidate & { readonly bytes: Buffer; readonly blob: BlobId; readonly mtimeMs: number })[];
  /** Files that a person removed. */
  readonly deleted: readonly string[];
  /** Files that are gone while their note is at another path: a person renamed them, or the folder. */
  readonly renamed: readonly string[];
  /** Files that are gone, of a version that was recorded but never checked out: they may have been renamed. */
  readonly missing: readonly string[];
  readonly left: readonly LeftFile[];
};

/**
 * Reads the file at each path and sorts the files by the action they need. `noteOf` maps a path to the journal's note
 * there; `found` may supply files that were already read.
 */
export const classifyFiles = (
  journal: GitJournal,
  candidates: readonly Candidate[],
  noteOf: (path: string) => NoteId,
  found?: (path: string) => FoundFile | undefined,
): ClassifiedFiles => {
  const reconciliation = {
    advance: [] as CheckedOutFile[],
    gone: [] as string[],
    put: [] as { path: string; head: BlobId | undefined; base: BlobId | undefined }[],
    adopt: [] as { path: string; bytes: Buffer; blob: BlobId; mtimeMs: number; id: NoteId | undefined }[],
    merge: [] as (Candidate & { bytes: Buffer; blob: BlobId; mtimeMs: number })[],
    left: [] as LeftFile[],
  };
  const gone: Candidate[] = [];
  const unseen: Candidate[] = [];
  /** By note: head versions that no file has. */
  const absent = new Map<NoteId, { readonly path: string; readonly head: BlobId }>();
  const added = new Set<string>();
  for (const { path, base, head } of candidates) {
    const file = found?.(path) ?? readNoteFile(journal.folder, path, head ?? base);
    if (file.kind === 'obstacle') {
      reconciliation.left.push({ path, reason: file.reason });
      continue;
    }
    const blob = file.kind === 'file' ? file.row.blob : undefined;
    if (blob === undefined && head !== undefined) absent.set(noteOf(path), { path, head });
    const reconciling = classifyFile(base, head, blob);
    if (reconciling === 'nothing' || reconciling === 'advance') {
      if (file.kind === 'file') reconciliation.advance.push(file.row);
      else {
        reconciliation.gone.push(path);
        if (base !== undefined) unseen.push({ path, base, head });
      }
    } else if (reconciling === 'put') {
      reconciliation.put.push({ path, head, base: blob });
      if (file.kind === 'absent' && base !== undefined && head !== undefined) unseen.push({ path, base, head });
    } else if (file.kind === 'absent') gone.push({ path, base, head });
    else {
      const parsed = parseNoteFile(file.bytes, journal.name, path);
      const mtimeMs = Number(BigInt(file.row.mtimeNs) / 1_000_000n);
      const edit = { path, bytes: file.bytes, blob: file.row.blob, mtimeMs };
      if (!parsed.ok) reconciliation.left.push({ path, reason: describeInFile(parsed.problem) });
      else if (reconciling === 'merge') reconciliation.merge.push({ ...edit, base, head });
      else reconciliation.adopt.push({ ...edit, id: head === undefined ? parsed.file.note.id : undefined });
      if (parsed.ok && head === undefined) for (const key of [parsed.file.note.id, edit.blob]) added.add(key);
    }
  }
  // A file with the same note was added, or the same bytes under another name.
  const isRenamed = ({ path, head }: Candidate): boolean => added.has(noteOf(path)) || added.has(head ?? '');
  // Killed after checking the head's text out and before recording that; then a person renamed the file.
  const isRenamedHead = ({ head, base }: ClassifiedFiles['put'][number]): boolean =>
    base === undefined && head !== undefined && added.has(head);
  // Killed between recording a version and checking it out: what was renamed is the version before.
  const addedById = new Map<NoteId, (typeof reconciliation.adopt)[number][]>();
  for (const file of reconciliation.adopt)
    if (file.id !== undefined) addedById.set(file.id, [...(addedById.get(file.id) ?? []), file]);
  const renamedUnseen = unseen.flatMap((version) => {
    const [file, second] = addedById.get(noteOf(version.path)) ?? [];
    // The version may have another path as well, which is not checked out yet either.
    const moved = version.head === undefined ? absent.get(noteOf(version.path)) : undefined;
    return file !== undefined && second === undefined && file.blob !== (moved?.head ?? version.head)
      ? [{ version: { ...version, ...moved }, file }]
      : [];
  });
  const renamedBefore = renamedUnseen.filter(({ version }) => version.head !== undefined);
  // Its removal was recorded, and the file was not edited since.
  const removedBefore = renamedUnseen.filter(
    ({ version, file }) => version.head === undefined && file.blob === version.base,
  );
  const before = new Set(
    [...renamedBefore, ...removedBefore].flatMap(({ version, file }) => [version.path, file.path]),
  );
  return {
    ...reconciliation,
    put: [
      ...reconciliation.put.filter((one) => !isRenamedHead(one) && !before.has(one.path)),
      ...removedBefore.map(({ file }) => ({ path: file.path, head: undefined, base: file.blob })),
    ],
    adopt: reconciliation.adopt.filter(({ path }) => !before.has(path)),
    merge: [
      ...reconciliation.merge,
      ...renamedBefore.map(({ version: { base, head }, file }) => ({ ...file, base, head })),
    ],
    deleted: gone.filter((one) => !isRenamed(one)).map(({ path }) => path),
    renamed: [
      ...gone.filter(isRenamed),
      ...reconciliation.put.filter(isRenamedHead),
      ...renamedBefore.map(({ version }) => version),
    ].map(({ path }) => path),
    missing: unseen.map(({ path }) => path).filter((path) => !before.has(path)),
  };
};

export type HandEvent = {
  readonly changes: readonly FileChange[];
  readonly notes: readonly NoteId[];
  readonly subject: string;
  /** `<blob> <path>` of edits whose text is not in the journal unchanged, so that a kill does not merge them twice. */
  readonly adopted: readonly string[];
  /** Values replaced by edits although they were recorded after the person had read the file. */
  readonly lost: readonly LostOfNote[];
  /** Paths whose text differs from what was saved: lines that were recorded since were merged into it. */
  readonly merged: readonly string[];
  readonly masked: readonly Masked[];
  /** Time of the newest edit, at most now. */
  readonly atMs: number;
};

/** Builds the hand.adopted event of a reconciliation; undefined if there is nothing to record. */
export const buildHandEvent = async (
  store: Store,
  journal: GitJournal,
  { adopt, merge }: Pick<ClassifiedFiles, 'adopt' | 'merge'>,
  deletions: readonly string[],
  putBack: readonly FileChange[],
  eventId: string,
): Promise<HandEvent | undefined> => {
  if (adopt.length + merge.length + deletions.length + putBack.length === 0) return undefined;
  const changes: FileChange[] = [];
  const notes: NoteId[] = [];
  const replaced: NoteId[] = [];
  const adopted: string[] = [];
  const lost: LostOfNote[] = [];
  const mergedPaths: string[] = [];
  const masked: Masked[] = [];
  const nowMs = store.nowMs();
  const times = [...adopt, ...merge].map(({ mtimeMs }) => Math.min(mtimeMs, nowMs));
  const atMs = times.length === 0 ? nowMs : Math.max(...times);
  let subject = '';

  const add = (path: string, file: NoteFile, blob: BlobId | undefined): void => {
    const clean = redactFile(file);
    masked.push(...clean.masked);
    const bytes = formatNoteFile(clean.file);
    changes.push({ journal: journal.name, path, bytes });
    notes.push(file.note.id);
    // The other note's text is gone from that path, and its history must say so.
    const before = store.lookup.idAt(journal.name, path);
    if (before !== undefined) replaced.push(before);
    subject ||= shownTitle(clean.file.note);
    if (blob !== undefined && blobIdOf(bytes, blob) !== blob) adopted.push(`${blob} ${path}`);
  };

  // The search for secrets covers the head, which lacks what is put back.
  for (const change of putBack) {
    const parsed = change.bytes === undefined ? undefined : parseNoteFile(change.bytes, journal.name, change.path);
    const clean = parsed?.ok === true ? redactFile(parsed.file) : undefined;
    if (clean === undefined || clean.masked.length === 0) changes.push(change);
    else {
      masked.push(...clean.masked);
      changes.push({ ...change, bytes: formatNoteFile(clean.file) });
    }
  }
  for (const { path, bytes, blob } of adopt) {
    const parsed = parseNoteFile(bytes, journal.name, path);
    if (parsed.ok) add(path, parsed.file, blob);
  }
  const ids = merge.flatMap(({ base, head }) => [base, head]).filter((id) => id !== undefined);
  const old = ids.length === 0 ? new Map<BlobId, Buffer>() : await journal.blobs(ids);
  const parseBlob = (id: BlobId | undefined, path: string): NoteFile | undefined => {
    const content = id === undefined ? undefined : old.get(id);
    const parsed = content === undefined ? undefined : parseNoteFile(content, journal.name, path);
    return parsed?.ok ? parsed.file : undefined;
  };
  for (const { path, base, head, bytes, blob } of merge) {
    const theirs = parseNoteFile(bytes, journal.name, path);
    if (!theirs.ok) continue;
    const ours = parseBlob(head, path);
    const { id } = theirs.file.note;
    if (ours === undefined || ours.note.id !== id) {
      add(path, theirs.file, blob);
      continue;
    }
    const before = parseBlob(base, path) ?? parseBeginning(journal, path, bytes, base);
    const from = before?.note.id === id ? before : undefined;
    const merged = mergeNotes(from, ours, theirs.file);
    const body =
      merged.clashing === undefined ? undefined : settleClash(from?.note.body, merged.file.note.body, merged.clashing);
    const file = body === undefined ? merged.file : setNoteFields(merged.file, { body });
    if (file.note.body !== theirs.file.note.body) mergedPaths.push(path);
    add(path, file, blob);
    lost.push(...merged.lost.map((value) => ({ noteId: merged.file.note.id, ...value })));
    if (merged.clashing !== undefined && body === undefined) {
      const copy = conflictCopy(ours.note, merged.clashing, eventId, atMs, formatTime(atMs));
      add(pathOfNote(copy.note.type, copy.note.id), copy, undefined);
    }
  }
  for (const path of deletions) {
    changes.push({ journal: journal.name, path, bytes: undefined });
    notes.push(noteAt(store.lookup, journal.name, path));
  }
  for (const { path } of putBack) notes.push(noteAt(store.lookup, journal.name, path));
  const count = new Set(notes).size;
  const named = count === 1 && subject !== '' ? subject : `${count} ${count === 1 ? 'file' : 'files'} changed by hand`;
  return {
    changes,
    notes: [...new Set([...notes, ...replaced])],
    subject: mergedPaths.length === 0 ? named : `${named}, merged with what was recorded since`,
    adopted,
    lost,
    merged: mergedPaths,
    masked: addUp(masked),
    atMs,
  };
};

/**
 * Recovers the version that a program had opened and then only added to. Its text was merged or masked when it was
 * adopted, so git does not have it; but the file begins with it.
 */
const parseBeginning = (
  journal: GitJournal,
  path: string,
  bytes: Buffer,
  base: BlobId | undefined,
): NoteFile | undefined => {
  if (base === undefined) return undefined;
  let end = bytes.length;
  for (let tries = 0; tries < maxTries && end > 1; tries += 1) {
    end = bytes.lastIndexOf(0x0a, end - 2) + 1;
    const beginning = bytes.subarray(0, end);
    if (blobIdOf(beginning, base) !== base) continue;
    const parsed = parseNoteFile(beginning, journal.name, path);
    return parsed.ok ? parsed.file : undefined;
  }
  return undefined;
};

/** How many appended lines to try; each costs a hash of the file. */
const maxTries = 100;

/**
 * True if deletions wait for `adopt --deletions`: more than five together, or more than one and over a tenth of all.
 */
export const areTooManyDeletions = (deleted: number, total: number): boolean =>
  deleted > 5 || (deleted > 1 && deleted * 10 > total);
