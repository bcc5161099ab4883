/** Compares two points of the history, by note and as text. */

import { type JournalFolder, type JournalName, journalFolder, journalNames, shownTitle } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { idOfPath } from '../events/note/paths.js';
import { eventWithId } from '../projections/history/query.js';
import { filesOfNote } from '../projections/index/query.js';
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
  const notes: Unnamed[] = [];
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

/** The changes of notes in these newest events, in the order of the events. A note that kept another file was not removed. */
export const changesOfEvents = async (memory: Memory, ids: readonly string[]): Promise<readonly NoteChange[]> => {
  const notes: Unnamed[] = [];
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
  const said = notes.map(
    (one): Unnamed => (one.change === 'removed' && stay.has(one.id) ? { ...one, change: 'changed' } : one),
  );
  return withShortIds(memory, said);
};

type Unnamed = Omit<NoteChange, 'short_id'>;

const changesBetween = async (
  memory: Memory,
  name: JournalName,
  start: string | undefined,
  end: string | undefined,
): Promise<readonly Unnamed[]> => {
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
  return [...byId].map(([id, one]) => ({
    id,
    journal: journalFolder[name],
    change: one.before === null ? 'added' : one.after === null ? 'removed' : 'changed',
    title: one.title,
    before: one.before,
    after: one.after,
  }));
};

/** Asking the index of a store that is not there would make one. */
const withShortIds = async (memory: Memory, notes: readonly Unnamed[]): Promise<readonly NoteChange[]> => {
  const ids = notes.map(({ id }) => id);
  const shortIds = ids.length === 0 ? undefined : await memory.liveIndex.ask((database) => shortNoteIds(database, ids));
  return notes.map((note) => ({ ...note, short_id: shortIds?.get(note.id) ?? note.id }));
};
