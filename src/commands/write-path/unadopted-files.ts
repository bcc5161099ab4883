/** Reads the files of machine-local notes that adopting leaves in memory/. */

import type { BlobId, JournalName, NoteId } from '../../events/note/note.js';
import { type NoteFile, parseNoteFile } from '../../events/note/note-file.js';
import { countUnsharedLines } from '../../events/note/unshared-lines.js';
import { heldAtOnce } from '../../events/read-in-batches.js';
import { compareFiles } from '../../events/worktree/checked-out-files.js';
import { readNoteFile } from '../../events/worktree/working-tree.js';
import type { UnadoptedText } from '../command.js';
import type { Command } from '../handlers.js';
import { standingOf } from '../worktree/standing.js';
import type { Store } from '../worktree/write-store.js';

/** Covers notes that a command makes machine-local although they are or were. Walks memory/ only if there is one. */
export const readLeftTexts = async (
  store: Store,
  commands: readonly Command[],
): Promise<ReadonlyMap<NoteId, readonly UnadoptedText[]>> => {
  const { journals, lookup, state } = store;
  const moved = commands.flatMap((one) => (one.kind === 'move' && one.scope === 'machine-local' ? [one.id] : []));
  const ids = new Set(moved.filter((id) => standingOf(lookup, id, lookup.unfinishedMoves()) !== 'portable'));
  const found = new Map<NoteId, UnadoptedText[]>();
  if (ids.size === 0) return found;
  const { folder } = journals.portable;
  const rows = state.allCheckedOut('portable');
  const { changed } = await compareFiles(folder, rows, false);
  for (const path of changed) {
    if (lookup.blobAt('portable', path) !== undefined) continue;
    const there = readNoteFile(folder, path, rows.blobs[0]);
    const parsed = there.kind === 'file' ? parseNoteFile(there.bytes, 'portable', path) : undefined;
    if (there.kind !== 'file' || parsed?.ok !== true || !ids.has(parsed.file.note.id)) continue;
    const { id } = parsed.file.note;
    const base = await findMadeFrom(store, path, parsed.file, there.bytes);
    found.set(id, [...(found.get(id) ?? []), { path, blob: there.row.blob, file: parsed.file, base }]);
  }
  return found;
};

/**
 * Finds the version of the note, in either journal, with the file's `updated_at`; of several, the one most like the
 * file. No person changes that key, so the file was made from that version, or from one that was tagged or edited by
 * hand since.
 */
const findMadeFrom = async (
  { journals, lookup }: Store,
  path: string,
  { note: { id, updatedAt } }: NoteFile,
  bytes: Buffer,
): Promise<NoteFile | undefined> => {
  const text = bytes.toString('utf8');
  const places = lookup.filesOf(id);
  let madeFrom: NoteFile | undefined;
  let least = Number.POSITIVE_INFINITY;
  const look = async (name: JournalName, at: string): Promise<void> => {
    const journal = journals[name];
    const head = journal.head();
    const versions: readonly BlobId[] =
      head === undefined ? [] : [...(await journal.versions(head, at))].slice(0, maxVersions);
    for (const content of (await journal.blobs(versions, heldAtOnce)).values()) {
      const parsed = parseNoteFile(content, name, at);
      if (!parsed.ok || parsed.file.note.id !== id || parsed.file.note.updatedAt !== updatedAt) continue;
      const unlike = countUnsharedLines(text, content.toString('utf8'));
      if (unlike >= least) continue;
      madeFrom = parsed.file;
      least = unlike;
    }
  };
  for (const name of ['local', 'portable'] as const) {
    const own = places.filter(({ journal }) => journal === name).map((file) => file.path);
    for (const at of new Set([...own, path])) await look(name, at);
  }
  return madeFrom;
};

/** Limit of the search: no file is kept for longer. */
const maxVersions = 200;
