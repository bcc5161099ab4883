/** Compares two points of the history, by note and as text. */

import { type JournalFolder, journalFolder, journalNames, shownTitle } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { idOfPath } from '../events/note/paths.js';
import { shortNoteIds } from '../projections/short-ids.js';
import type { Memory } from '../store/memory.js';
import { resolveRevision } from '../store/revision.js';

export type NoteChange = {
  readonly id: string;
  readonly short_id: string;
  readonly journal: JournalFolder;
  readonly change: 'added' | 'changed' | 'removed';
  readonly title: string;
  readonly before: string | null;
  readonly after: string | null;
};

export type DiffAnswer = {
  readonly from: string;
  readonly to: string;
  readonly notes: readonly NoteChange[];
  readonly text: string;
};

/** Notes are paired by id, so that one whose type changed is changed and not removed and added. */
export const diffStore = async (memory: Memory, from: string, to: string): Promise<DiffAnswer> => {
  const [before, after] = [await resolveRevision(memory, from), await resolveRevision(memory, to)];
  const notes: Omit<NoteChange, 'short_id'>[] = [];
  const texts: string[] = [];
  for (const name of journalNames) {
    const journal = memory.journals[name];
    const [start, end] = [before[name], after[name]];
    if (end === undefined && start === undefined) continue;
    const changes =
      end === undefined
        ? (await journal.diff(undefined, start ?? '')).map(({ path, after: blob }) => ({
            path,
            before: blob,
            after: undefined,
          }))
        : await journal.diff(start, end);
    const blobs = await journal.blobs(changes.flatMap((one) => one.after ?? one.before ?? []));
    const byId = new Map<string, { before: string | null; after: string | null; title: string }>();
    for (const change of changes) {
      const bytes = blobs.get(change.after ?? change.before ?? '');
      const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, name, change.path);
      const id = parsed?.ok === true ? parsed.file.note.id : idOfPath(change.path);
      const title = parsed?.ok === true ? shownTitle(parsed.file.note) : change.path;
      const known = byId.get(id);
      byId.set(id, {
        before: known?.before ?? change.before ?? null,
        after: known?.after ?? change.after ?? null,
        title: change.after === undefined ? (known?.title ?? title) : title,
      });
    }
    for (const [id, one] of byId) {
      const change = one.before === null ? 'added' : one.after === null ? 'removed' : 'changed';
      notes.push({ id, journal: journalFolder[name], change, title: one.title, before: one.before, after: one.after });
    }
    if (changes.length > 0) texts.push(await journal.patch(start, end));
  }
  notes.sort((a, b) => (a.id < b.id ? -1 : 1));
  const shortIds = await readShortIds(
    memory,
    notes.map(({ id }) => id),
  );
  const named = notes.map((note) => ({ ...note, short_id: shortIds.get(note.id) ?? note.id }));
  return { from, to, notes: named, text: texts.join('') };
};

/** Asking the index of a store that is not there would make one. */
const readShortIds = async (memory: Memory, ids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  ids.length === 0 ? new Map() : memory.liveIndex.ask((database) => shortNoteIds(database, ids));
