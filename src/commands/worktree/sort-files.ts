/** Reads the files to examine and sorts them by the table of classify-file.ts. */
import type { Journal } from '../../events/journal.js';
import type { BlobId, NoteId } from '../../events/note/note.js';
import { describeInFile, parseNoteFile } from '../../events/note/note-file.js';
import { type CheckedOutFile, type FoundFile, readNoteFile, unseenRow } from '../../events/worktree/working-tree.js';
import { classifyFile } from './classify-file.js';

/** A path to examine: the head's version, and the record of what was last checked out there. */
export type Candidate = {
  readonly path: string;
  readonly head: BlobId | undefined;
  readonly row: CheckedOutFile | undefined;
  /** Set if the file surely is as recorded, so that it need not be read. */
  readonly isUntouched?: boolean | undefined;
};

/** A file that was left alone, and why. */
export type LeftFile = { readonly path: string; readonly reason: string };

/** A person's text, not recorded yet. With another base than the head, it is merged with what was recorded since. */
export type Edit = {
  readonly path: string;
  readonly base: BlobId | undefined;
  readonly head: BlobId | undefined;
  readonly bytes: Buffer;
  readonly blob: BlobId;
  readonly mtimeMs: number;
  /** The note that the file says it is. */
  readonly id: NoteId;
};

/** A head's version to check out (undefined removes the file) over a file that holds `base`. */
export type FileToPut = {
  readonly path: string;
  readonly head: BlobId | undefined;
  readonly base: BlobId | undefined;
};

export type SortedFiles = {
  /** Rows to record and paths to drop from the record, without any change to a file. */
  readonly advance: readonly CheckedOutFile[];
  readonly gone: readonly string[];
  readonly put: readonly FileToPut[];
  readonly edits: readonly Edit[];
  readonly removed: readonly string[];
  readonly left: readonly LeftFile[];
  /** Rows of files that are not settled yet, with bases that only the commits since the record tell. */
  readonly bases: readonly CheckedOutFile[];
  /** Notes whose files are left: they are not gone. */
  readonly leftNotes: ReadonlySet<NoteId>;
};

/** What tells the base of a file, besides its row. */
export type BaseSource = {
  /** Versions of the newest commits without our event: who commits has seen them. */
  readonly committed: ReadonlyMap<string, BlobId | undefined>;
  /** `<blob> <path>` of edits that an event merged or masked. */
  readonly adopted: ReadonlySet<string>;
  /** Set if the whole record is lost: the versions that a path had. */
  readonly versions: ((path: string) => Promise<ReadonlySet<BlobId>>) | undefined;
};

export const sortFiles = async (
  journal: Journal,
  candidates: readonly Candidate[],
  source: BaseSource,
): Promise<SortedFiles> => {
  const advance: CheckedOutFile[] = [];
  const gone: string[] = [];
  const put: FileToPut[] = [];
  const edits: Edit[] = [];
  const removed: string[] = [];
  const left: LeftFile[] = [];
  const bases: CheckedOutFile[] = [];
  const leftNotes = new Set<NoteId>();
  for (const candidate of candidates) {
    const { path, head, row } = candidate;
    const file = readCandidate(journal.folder, candidate);
    if (file.kind === 'obstacle') {
      left.push({ path, reason: file.reason });
      continue;
    }
    const blob = file.kind === 'file' ? file.row.blob : undefined;
    const base = await baseOf(candidate, file, source);
    const action = classifyFile(base, head, blob);
    const isSettled = action === 'nothing' || action === 'advance' || action === 'put';
    if (!isSettled && base !== undefined && base !== row?.blob) bases.push(unseenRow(path, base));
    if (action === 'nothing' || action === 'advance') {
      if (file.kind === 'file') advance.push(file.row);
      else if (row !== undefined) gone.push(path);
    } else if (action === 'put') put.push({ path, head, base: blob });
    else if (file.kind === 'absent') removed.push(path);
    else {
      const parsed = parseNoteFile(file.bytes, journal.name, path);
      const mtimeMs = Number(BigInt(file.row.mtimeNs) / 1_000_000n);
      if (!parsed.ok) {
        left.push({ path, reason: describeInFile(parsed.problem) });
        const stated = parsed.problem.code === 'misnamed' ? parseNoteFile(file.bytes, journal.name, '') : parsed;
        if (stated.ok) leftNotes.add(stated.file.note.id);
      } else edits.push({ path, base, head, bytes: file.bytes, blob: file.row.blob, mtimeMs, id: parsed.file.note.id });
    }
  }
  return { advance, gone, put, edits, removed, left, bases, leftNotes };
};

const readCandidate = (folder: string, { path, head, row, isUntouched }: Candidate): FoundFile =>
  isUntouched === true && row !== undefined
    ? { kind: 'file', bytes: noBytes, row }
    : readNoteFile(folder, path, head ?? row?.blob);

/** Stands for the content of a file that need not be read: its base is its content. */
const noBytes = Buffer.alloc(0);

const baseOf = async (
  { path, head, row, isUntouched }: Candidate,
  file: FoundFile,
  { committed, adopted, versions }: BaseSource,
): Promise<BlobId | undefined> => {
  const blob = file.kind === 'file' ? file.row.blob : undefined;
  if (isUntouched === true) return row?.blob;
  if (row === undefined && versions !== undefined) {
    if (blob === undefined || blob === head) return blob;
    return (await versions(path)).has(blob) ? blob : head;
  }
  // The event that merged this edit was killed before its result was checked out.
  if (blob !== undefined && adopted.has(`${blob} ${path}`)) return blob;
  // A copied store has the same times.
  const isTouched = file.kind === 'file' ? row?.mtimeNs !== file.row.mtimeNs : row !== undefined;
  return isTouched && committed.has(path) ? committed.get(path) : row?.blob;
};
