/** Turns a person's changes to files into one event: masks secrets, and merges what was recorded since. */
import type { FileChange } from '../../events/event.js';
import type { Journal } from '../../events/journal.js';
import { blobIdOf } from '../../events/note/blob-id.js';
import type { LostOfNote } from '../../events/note/lost-values.js';
import { conflictCopy, mergeNotes } from '../../events/note/merge.js';
import { type BlobId, type NoteId, shownTitle } from '../../events/note/note.js';
import { formatNoteFile, type NoteFile, parseNoteFile } from '../../events/note/note-file.js';
import { idOfPath, pathOfNote } from '../../events/note/paths.js';
import type { MaskCount } from '../../events/note/redact.js';
import { formatTime } from '../../events/time.js';
import { addUp, redactFile } from '../redact-fields.js';
import type { Edit } from './sort-files.js';
import type { Store } from './write-store.js';

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
  readonly masked: readonly MaskCount[];
  /** Time of the newest edit, at most now. */
  readonly atMs: number;
};

/** `removed` are paths to remove. */
export const buildHandEvent = async (
  store: Store,
  journal: Journal,
  edits: readonly Edit[],
  removed: readonly string[],
  eventId: string,
): Promise<HandEvent> => {
  const nowMs = store.nowMs();
  const atMs = edits.length === 0 ? nowMs : Math.max(...edits.map(({ mtimeMs }) => Math.min(mtimeMs, nowMs)));
  const event = new HandEventBuilder(journal, eventId, atMs);
  const ids = edits.flatMap(({ base, head }) => (isMerge({ base, head }) ? [base, head] : []));
  const old = ids.length === 0 ? new Map<BlobId, Buffer>() : await journal.blobs(ids.filter((id) => id !== undefined));
  for (const edit of edits) event.addEdit(edit, old);
  for (const path of removed) event.remove(path);
  return event.finish();
};

const isMerge = ({ base, head }: Pick<Edit, 'base' | 'head'>): boolean => head !== undefined && base !== head;

class HandEventBuilder {
  readonly #journal: Journal;
  readonly #eventId: string;
  readonly #atMs: number;
  readonly #changes: FileChange[] = [];
  readonly #notes: NoteId[] = [];
  readonly #adopted: string[] = [];
  readonly #lost: LostOfNote[] = [];
  readonly #merged: string[] = [];
  readonly #masked: MaskCount[] = [];
  #subject = '';

  constructor(journal: Journal, eventId: string, atMs: number) {
    this.#journal = journal;
    this.#eventId = eventId;
    this.#atMs = atMs;
  }

  addEdit(edit: Edit, old: ReadonlyMap<BlobId, Buffer>): void {
    const { path, bytes, base, head, blob, id } = edit;
    const theirs = parseNoteFile(bytes, this.#journal.name, path);
    if (!theirs.ok) return;
    const parse = (version: BlobId | undefined): NoteFile | undefined => {
      const content = version === undefined ? undefined : old.get(version);
      const parsed = content === undefined ? undefined : parseNoteFile(content, this.#journal.name, path);
      return parsed?.ok === true ? parsed.file : undefined;
    };
    const ours = isMerge(edit) ? parse(head) : undefined;
    if (ours === undefined) {
      this.#add(path, theirs.file, blob);
      return;
    }
    const { file, clashing, lost } = mergeNotes(parse(base), ours, theirs.file);
    if (file.note.body !== theirs.file.note.body) this.#merged.push(path);
    this.#add(path, file, blob);
    this.#lost.push(...lost.map((value) => ({ noteId: id, ...value })));
    if (clashing === undefined) return;
    const copy = conflictCopy(ours.note, clashing, this.#eventId, this.#atMs, formatTime(this.#atMs));
    this.#add(pathOfNote(copy.note.type, copy.note.id), copy, undefined);
  }

  remove(path: string): void {
    this.#changes.push({ journal: this.#journal.name, path, bytes: undefined });
    this.#notes.push(idOfPath(path));
  }

  #add(path: string, file: NoteFile, blob: BlobId | undefined): void {
    const clean = redactFile(file);
    const bytes = formatNoteFile(clean.file);
    this.#masked.push(...clean.masked);
    this.#changes.push({ journal: this.#journal.name, path, bytes });
    this.#subject ||= shownTitle(clean.file.note);
    this.#notes.push(file.note.id);
    if (blob !== undefined && blobIdOf(bytes, blob) !== blob) this.#adopted.push(`${blob} ${path}`);
  }

  finish(): HandEvent {
    const notes = [...new Set(this.#notes)];
    const count = notes.length;
    const named =
      count === 1 && this.#subject !== ''
        ? this.#subject
        : `${count} ${count === 1 ? 'file' : 'files'} changed by hand`;
    return {
      changes: this.#changes,
      notes,
      subject: this.#merged.length === 0 ? named : `${named}, merged with what was recorded since`,
      adopted: this.#adopted,
      lost: this.#lost,
      merged: this.#merged,
      masked: addUp(this.#masked),
      atMs: this.#atMs,
    };
  }
}
