/** Task: turns a batch of note files into rows of the index. Plain data in and out, because it crosses threads. */

import { threadId } from 'node:worker_threads';
import type { Journal } from '../events/journal.js';
import type { BlobId, JournalName } from '../events/note/note.js';
import { parseNoteFile, unreadFile } from '../events/note/note-file.js';
import { heldAtOnce, readInBatches } from '../events/read-in-batches.js';
import { readVersion } from '../events/worktree/working-tree.js';
import { type ProjectedNote, projectNote } from '../projections/note-row.js';
import type { WordList } from '../projections/prints/print.js';

export type ParseTask = {
  readonly task: 'parse';
  readonly journal: JournalName;
  readonly folder: string;
  readonly entries: readonly {
    readonly path: string;
    readonly blob: BlobId;
  }[];
  /** When this differs from the previous task's number, the thread starts a new list of words. */
  readonly inserting?: number;
};

/** In order; undefined where the working tree lacks that version, and after 64 MiB: a batch is in memory together. */
export const parseNotes = (
  { journal, folder, entries }: ParseTask,
  words: WordList = [],
): (ProjectedNote | undefined)[] => {
  let held = 0;
  return entries.map(({ path, blob }) => {
    const content = held > heldAtOnce ? undefined : readVersion(folder, path, blob);
    held += content?.length ?? 0;
    if (content === undefined) return undefined;
    return projectNote(parseNoteFile(content, journal, path), journal, path, blob, words);
  });
};

/** The rows without their word list, which this thread extends from task to task. */
export type PackedRows = {
  readonly rows: (ProjectedNote | undefined)[];
  readonly thread: number;
  /** How many words the list had before; 0 starts a new list. */
  readonly before: number;
  readonly added: readonly string[];
};

export const parsePacked = (task: ParseTask): PackedRows => {
  if (kept.inserting !== task.inserting || kept.words.length > maxKept) kept = { inserting: task.inserting, words: [] };
  const { words } = kept;
  const before = words.length;
  const rows = parseNotes(task, words);
  for (const row of rows) if (row !== undefined && 'note' in row) row.note.words.list = nowhere;
  return { rows, thread: threadId, before, added: words.slice(before) };
};

let kept: { readonly inserting: number | undefined; readonly words: WordList } = { inserting: undefined, words: [] };
/** More than the distinct words of anyone's notes, in whatever languages. */
const maxKept = 200_000;
const nowhere: readonly string[] = [];

/** Yields the rows of files that are read from git, in order, a few at a time. */
export async function* parseFromGit(
  journal: Journal,
  entries: ParseTask['entries'],
): AsyncGenerator<ProjectedNote, undefined> {
  const words: WordList = [];
  for await (const { entry, bytes, size } of readInBatches(journal, entries)) {
    const { path, blob } = entry;
    const parsed = bytes === undefined ? unreadFile(path, size) : parseNoteFile(bytes, journal.name, path);
    yield projectNote(parsed, journal.name, path, blob, words);
  }
}
