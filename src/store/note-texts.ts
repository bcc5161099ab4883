/** Reads the texts of notes found in the index: from their current files, else from git. */
import { basename, dirname } from 'node:path';
import { Fault } from '../events/faults.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { findFences } from '../events/note/fences.js';
import { type BlobId, type JournalName, type Note, type NoteId, shownTitle } from '../events/note/note.js';
import { linksOf, mayNameResolvers, resolversOf } from '../events/note/note-links.js';
import { type FoundFile, readNoteFile, readVersion } from '../events/worktree/working-tree.js';
import type { IndexedNote } from '../projections/index/query.js';

export type ReadNote = {
  readonly note: IndexedNote;
  readonly body: string;
  /** The notes in its `resolved-by` links. */
  readonly resolvers?: readonly NoteId[] | undefined;
};

export type WholeNote = {
  readonly note: Note;
  readonly version: string;
  readonly links: readonly string[];
  /** Why the current file is not a valid note, so that the recorded version was read. */
  readonly fileProblem: string | undefined;
};

export class NoteTexts {
  constructor(private readonly journals: Readonly<Record<JournalName, GitJournal>>) {}

  /**
   * A file changed by hand is shown as it is and reported; one that a killed sync or command has not checked out, as
   * recorded. Only a changed file needs the YAML parser: for others, the index is right.
   */
  read(indexed: readonly IndexedNote[]): Promise<readonly ReadNote[]> {
    return eachOf(indexed, async (note) => {
      const bytes = this.readUnchanged(note);
      return bytes === undefined ? this.readChanged(note) : readText(note, bytes.toString('utf8'));
    });
  }

  /** Like `read`, with long bodies cut: a synced note may have 32 MiB, and splitting those into words takes seconds. */
  readHeads(indexed: readonly IndexedNote[]): Promise<readonly ReadNote[]> {
    return eachOf(indexed, async (note) => {
      const bytes = this.readUnchanged(note);
      if (bytes === undefined) return cutIfLong(await this.readChanged(note));
      const head = await readText(note, bytes.subarray(0, maxHeadBytes).toString('utf8'));
      return bytes.length > maxHeadBytes ? { ...head, body: cutBody(head.body) } : cutIfLong(head);
    });
  }

  /** Returns the whole note, including keys that the index doesn't have, and the version read. */
  async readWhole({ id, journal, path, version }: IndexedNote): Promise<WholeNote> {
    const { parseNoteFile } = await import('../events/note/note-file.js');
    const found = await this.readFile(journal, path, version);
    let fileProblem: string | undefined;
    if (found.kind === 'file' && (found.row.blob === version || (await this.isEdited(journal, path, found.row.blob)))) {
      const parsed = parseNoteFile(found.bytes, journal, path);
      if (parsed.ok && parsed.file.note.id === id)
        return { note: parsed.file.note, version: found.row.blob, links: linksOf(parsed.file), fileProblem };
      fileProblem = parsed.ok ? `it is the file of ${parsed.file.note.id} now` : parsed.problem.message;
    }
    const parsed = parseNoteFile(await this.readRecorded(journal, version), journal, path);
    if (!parsed.ok)
      throw new Fault('journal-damaged', `${path} can't be read: ${parsed.problem.message}`, 'run: anamnesis verify');
    return { note: parsed.file.note, version, links: linksOf(parsed.file), fileProblem };
  }

  private async readChanged(indexed: IndexedNote): Promise<ReadNote> {
    const { journal, path, version } = indexed;
    const found = await this.readFile(journal, path, version);
    const same = found.kind === 'file' && found.row.blob === version;
    if (found.kind === 'file' && !same && (await this.isEdited(journal, path, found.row.blob))) {
      const { parseNoteFile } = await import('../events/note/note-file.js');
      const parsed = parseNoteFile(found.bytes, journal, path);
      if (parsed.ok && isStill(indexed, parsed.file.note)) {
        const { title, body, tags } = parsed.file.note;
        const note = { ...indexed, version: found.row.blob, title: shownTitle({ title, body }), tags };
        return { note, body, resolvers: resolversOf(parsed.file) };
      }
    }
    const bytes = same ? found.bytes : await this.readRecorded(journal, version);
    return readText(indexed, bytes.toString('utf8'));
  }

  /** Nearly every file is unchanged, which takes three system calls to find out. */
  private readUnchanged({ journal, path, version }: IndexedNote): Buffer | undefined {
    return readVersion(this.journals[journal].folder, path, version);
  }

  private async readRecorded(journal: JournalName, blob: string): Promise<Buffer> {
    const { runGitSync } = await import('../events/git/git-process.js');
    return runGitSync(this.journals[journal].folders, ['cat-file', 'blob', blob]);
  }

  /** If the file is gone, reads one of the same name in another folder: a person moved it. */
  private async readFile(journal: JournalName, path: string, version: BlobId): Promise<FoundFile> {
    const { folder } = this.journals[journal];
    const found = readNoteFile(folder, path, version);
    if (found.kind !== 'absent') return found;
    await this.noteHandEdit(journal, path);
    const { listNoteFiles } = await import('../events/worktree/walk-notes.js');
    const moved = (await listNoteFiles(folder)).paths.find((other) => basename(other) === basename(path));
    return moved === undefined ? found : readNoteFile(folder, moved, version);
  }

  /** True when a person changed the file; false if it is as last checked out, and only the checkout was killed. */
  private async isEdited(name: JournalName, path: string, blob: BlobId): Promise<boolean> {
    await this.noteHandEdit(name, path);
    const journal = this.journals[name];
    const { readCheckedOutAt } = await import('../state/state.js');
    const row = readCheckedOutAt(dirname(journal.folder), name, path);
    if (row?.blob !== blob) return true;
    return !row.isPending && (row.checkout === undefined || row.checkout === journal.head());
  }

  /** A reader only leaves a message for the next command, which adopts the file. */
  private async noteHandEdit(journal: JournalName, path: string): Promise<void> {
    const { noteHandEdit } = await import('../state/state.js');
    noteHandEdit(dirname(this.journals[journal].folder), journal, path);
  }
}

const eachOf = async (
  indexed: readonly IndexedNote[],
  readNote: (note: IndexedNote) => Promise<ReadNote>,
): Promise<readonly ReadNote[]> => {
  const read: ReadNote[] = [];
  for (const note of indexed) read.push(await readNote(note));
  return read;
};

/** True for the same note, workspace and user: the index decided who may see it. Others are shown once adopted. */
const isStill = ({ id, workspaceId, userId }: IndexedNote, now: Note): boolean =>
  now.id === id && now.workspaceId === workspaceId && now.userId === userId;

/** The index is right about all its fields. The YAML is parsed only if it may name resolvers, which the index lacks. */
const readText = async (note: IndexedNote, text: string): Promise<ReadNote> => {
  const fences = findFences(text);
  if (!fences.ok) return { note, body: '' };
  const { inner, body } = fences;
  if (!mayNameResolvers(inner)) return { note, body };
  const { parseNoteFile } = await import('../events/note/note-file.js');
  const parsed = parseNoteFile(Buffer.from(text), note.journal, note.path);
  return { note, body, resolvers: parsed.ok ? resolversOf(parsed.file) : [] };
};

/** More than a command can write, so only imported or synced notes are cut. */
const maxHeadUnits = 256 * 1024;
const maxHeadBytes = 1024 * 1024;

const cutIfLong = (read: ReadNote): ReadNote =>
  read.body.length <= maxHeadUnits ? read : { ...read, body: cutBody(read.body) };

const cutBody = (body: string): string => `${body.slice(0, maxHeadUnits).replace(/[\ud800-\udbff]$/, '')}\n…\n`;
