/** Compares two points of the history, by note and as text. */

import type { DiffJson, NoteChange } from '../answers/history-schema.js';
import { type JournalName, journalFolder, journalNames, shownTitle } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { idOfPath } from '../events/note/paths.js';
import { eventWithId } from '../projections/history/query.js';
import { filesOfNote } from '../projections/index/query.js';
import { shortNoteIds } from '../projections/short-ids.js';
import type { Memory } from '../store/memory.js';
import { resolveRevision } from '../store/revision.js';

export type { NoteChange };

/** Pairs notes by id, so that one whose type changed is `changed`, not `removed` and `added`. */
export const diffStore = async (
  memory: Memory,
  from: string,
  to: string,
): Promise<DiffJson & { readonly text: string }> => {
  const [before, after] = [await resolveRevision(memory, from), await resolveRevision(memory, to)];
  const notes: ChangeWithLongId[] = [];
  const texts: string[] = [];
  for (const name of journalNames) {
    const [start, end] = [before[name], after[name]];
    const changes = await changesBetween(memory, name, start, end);
    notes.push(...changes);
    if (changes.length > 0) texts.push(await memory.journals[name].patch(start, end));
  }
  notes.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { from, to, notes: await withShortIds(memory, notes), text: texts.join('') };
};

/**
 * Returns the note changes of these newest events, in event order. A note that still has another file wasn't removed.
 */
export const changesOfEvents = async (memory: Memory, ids: readonly string[]): Promise<readonly NoteChange[]> => {
  const notes: ChangeWithLongId[] = [];
  for (const id of ids) {
    const event = await memory.liveIndex.ask((database) => eventWithId(database, id));
    if (event === undefined) continue;
    const [parent] = await memory.journals[event.journal].parents(event.commit);
    const changes = await changesBetween(memory, event.journal, parent, event.commit);
    notes.push(...changes.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  }
  const removed = notes.flatMap(({ id, change }) => (change === 'removed' ? [id] : []));
  const stay = await memory.liveIndex.ask(
    (database) => new Set(removed.filter((id) => filesOfNote(database, id).length > 0)),
  );
  const replacing = new Set(notes.flatMap(({ replaced_by: by }) => by ?? []));
  const copied = await versionsOf(
    memory,
    notes.flatMap(({ id, change }) => (change === 'added' && replacing.has(id) ? [id] : [])),
  );
  const shown = notes.flatMap((one): readonly ChangeWithLongId[] => {
    if (one.change === 'removed' && stay.has(one.id)) return [{ ...one, change: 'changed', replaced_by: undefined }];
    const versions = copied.get(one.id);
    if (versions === undefined || versions.length < 2) return [one];
    // The note existed before, so a copy of it is no change.
    return versions.every((version) => version === one.after) ? [] : [{ ...one, change: 'changed' }];
  });
  return withShortIds(memory, shown);
};

/** Returns the versions of all present files of each note. */
const versionsOf = async (memory: Memory, ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> =>
  ids.length === 0
    ? new Map()
    : memory.liveIndex.ask(
        (database) => new Map(ids.map((id) => [id, filesOfNote(database, id).map(({ version }) => version)])),
      );

type ChangeWithLongId = Omit<NoteChange, 'short_id'>;

const changesBetween = async (
  memory: Memory,
  name: JournalName,
  start: string | undefined,
  end: string | undefined,
): Promise<readonly ChangeWithLongId[]> => {
  if (end === undefined && start === undefined) return [];
  const journal = memory.journals[name];
  const changes =
    end === undefined
      ? (await journal.diff(undefined, start ?? '')).map(({ path, after: blob }) => ({
          path,
          before: blob,
          after: undefined,
        }))
      : await journal.diff(start, end);
  const blobs = await journal.blobs(
    changes.flatMap(({ before, after }) => [before, after].filter((one) => one !== undefined)),
  );
  const byId = new Map<string, ChangedSides>();
  for (const change of changes) {
    const { path, before, after } = change;
    const noteOf = (blob: string): { readonly id: string; readonly title: string } => {
      const bytes = blobs.get(blob);
      const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, name, path);
      return parsed?.ok === true
        ? { id: parsed.file.note.id, title: shownTitle(parsed.file.note) }
        : { id: idOfPath(path), title: path };
    };
    const add = (id: string, title: string, one: Pick<ChangedSides, 'before' | 'after' | 'replaced_by'>): void => {
      const known = byId.get(id);
      byId.set(id, {
        before: known?.before ?? one.before,
        after: known?.after ?? one.after,
        title: one.after === null ? (known?.title ?? title) : title,
        replaced_by: known?.replaced_by ?? one.replaced_by,
      });
    };
    const [was, is] = [before, after].map((blob) => (blob === undefined ? undefined : noteOf(blob)));
    // The file now holds another note.
    if (was !== undefined && is !== undefined && was.id !== is.id) {
      add(was.id, was.title, { before: before ?? null, after: null, replaced_by: is.id });
      add(is.id, is.title, { before: null, after: after ?? null });
    } else {
      const note = is ?? was;
      if (note !== undefined) add(note.id, note.title, { before: before ?? null, after: after ?? null });
    }
  }
  return [...byId].map(([id, one]) => ({
    id,
    journal: journalFolder[name],
    change: one.before === null ? 'added' : one.after === null ? 'removed' : 'changed',
    title: one.title,
    before: one.before,
    after: one.after,
    ...(one.after === null && one.replaced_by !== undefined ? { replaced_by: one.replaced_by } : {}),
  }));
};

type ChangedSides = Pick<NoteChange, 'title' | 'before' | 'after' | 'replaced_by'>;

/** Querying the index of a missing store would create one. */
const withShortIds = async (memory: Memory, notes: readonly ChangeWithLongId[]): Promise<readonly NoteChange[]> => {
  const ids = notes.map(({ id }) => id);
  const shortIds = ids.length === 0 ? undefined : await memory.liveIndex.ask((database) => shortNoteIds(database, ids));
  return notes.map((note) => ({ ...note, short_id: shortIds?.get(note.id) ?? note.id }));
};
