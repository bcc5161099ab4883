/** Compares two points of the history, by note and as text; and what each event changed in one note. */
import type { DiffJson, EventJson, NoteChange } from '../answers/history-schema.js';
import { diffLines, formatUnified } from '../events/note/line-diff.js';
import { type JournalName, journalFolder, journalNames, type NoteId, shownTitle } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { idOfPath } from '../events/note/paths.js';
import { eventWithId } from '../projections/history/query.js';
import { filesOfNote } from '../projections/index/query.js';
import { shortNoteIds } from '../projections/short-ids.js';
import type { Memory } from '../store/memory.js';
import { type Revision, resolveRevision } from '../store/revision.js';

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

/** In event order. A note that still has another file wasn't removed. */
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
  return withShortIds(
    memory,
    notes.map((one) => (one.change === 'removed' && stay.has(one.id) ? { ...one, change: 'changed' } : one)),
  );
};

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
  for (const { path, before = null, after = null } of changes) {
    const titleOf = (blob: string | null): string | undefined => {
      const bytes = blob === null ? undefined : blobs.get(blob);
      const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, name, path);
      return parsed?.ok === true ? shownTitle(parsed.file.note) : undefined;
    };
    const known = byId.get(idOfPath(path));
    const title = titleOf(after) ?? known?.title ?? titleOf(before) ?? path;
    byId.set(idOfPath(path), { before: known?.before ?? before, after: known?.after ?? after, title });
  }
  return [...byId].map(([id, one]) => ({
    id,
    journal: journalFolder[name],
    change: one.before === null ? 'added' : one.after === null ? 'removed' : 'changed',
    ...one,
  }));
};

type ChangedSides = Pick<NoteChange, 'title' | 'before' | 'after'>;

/** Querying the index of a missing store would create one. */
const withShortIds = async (memory: Memory, notes: readonly ChangeWithLongId[]): Promise<readonly NoteChange[]> => {
  const ids = notes.map(({ id }) => id);
  const shortIds = ids.length === 0 ? undefined : await memory.liveIndex.ask((database) => shortNoteIds(database, ids));
  return notes.map((note) => ({ ...note, short_id: shortIds?.get(note.id) ?? note.id }));
};

/** A unified diff of the note's file per event, in the given order; empty if the event left the file alone. */
export const patchesOfNote = async (
  memory: Memory,
  id: NoteId,
  events: readonly Pick<EventJson, 'commit' | 'journal'>[],
): Promise<readonly (readonly string[])[]> => {
  const patches: (readonly string[])[] = [];
  for (const { commit, journal: folder } of events) {
    const name = nameOf(folder);
    const [parent] = await memory.journals[name].parents(commit);
    patches.push(await patchOfNote(memory, id, { [name]: parent }, { [name]: commit }));
  }
  return patches;
};

const nameOf = (folder: EventJson['journal']): JournalName =>
  journalNames.find((one) => journalFolder[one] === folder) ?? 'portable';

/** The event already shows the time of the change. */
const withoutMoment = (text: string): string => text.replace(/^updated_at: .*\n/m, '');

/** Diffs the note between two points; skips a journal that has no commit at `after`. */
const patchOfNote = async (
  memory: Memory,
  id: NoteId,
  before: Revision,
  after: Revision,
): Promise<readonly string[]> => {
  const lines: string[] = [];
  for (const name of journalNames) {
    const journal = memory.journals[name];
    const [start, end] = [before[name], after[name]];
    if (end === undefined) continue;
    const changes = (await journal.diff(start, end)).filter(({ path }) => idOfPath(path) === id);
    const blobs = await journal.blobs(changes.flatMap(({ before: old, after: now }) => [old ?? [], now ?? []].flat()));
    const textOf = (blob: string | undefined): string => withoutMoment(blobs.get(blob ?? '')?.toString() ?? '');
    // A change of type moves the file, so both paths are the same note.
    const old = changes.map((one) => textOf(one.before)).join('');
    const now = changes.map((one) => textOf(one.after)).join('');
    lines.push(...formatUnified(diffLines(old, now)));
  }
  return lines;
};
