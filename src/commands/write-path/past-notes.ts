/** Reads versions of notes from the history, for the commands that restore them. */
import type { KnownVersion } from '../../events/event.js';
import { groupBy } from '../../events/group-by.js';
import type { PathChange } from '../../events/journal.js';
import { type BlobId, type JournalName, journalNames, type NoteId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { idOfPath, isNotePath } from '../../events/note/paths.js';
import type { CommitOfJournal, EventEffects, NoteEffect, PastNote } from '../command.js';
import type { UndoEvent } from '../undo.js';
import type { Store } from '../worktree/write-store.js';

/**
 * Finds the last version of a note that is gone: of its newest event that removed a file of the note, or that wrote one
 * which another note has replaced since.
 */
export const findLost = async (store: Store, id: NoteId): Promise<PastNote | undefined> => {
  for (const { journal, commit } of store.lookup.eventsOfNote(id)) {
    const changes = await changesOf(store, journal, commit);
    const removed = changes.flatMap(({ path, before, after }) =>
      before === undefined || after !== undefined ? [] : [{ journal, path, blob: before }],
    );
    const given = changes.flatMap(({ path, after }) => (after === undefined ? [] : [{ journal, path, blob: after }]));
    for (const files of [given, removed]) {
      // A file that a person made may not be named after its note's id.
      for (const some of [files.filter(({ path }) => idOfPath(path) === id), files]) {
        const note = (await readVersions(store, some)).find((version) => version?.file.note.id === id);
        if (note !== undefined) return note;
      }
    }
  }
  return undefined;
};

/**
 * Of several files with the note's id, returns the first that can be parsed, by path; one that is named after the note
 * comes first. A note that exists is looked for in its journal `only`.
 */
export const readNoteAt = async (
  store: Store,
  id: NoteId,
  commits: CommitOfJournal,
  only: JournalName | undefined,
): Promise<PastNote | undefined> => {
  for (const journal of only === undefined ? journalNames.toReversed() : [only]) {
    for (const read of [readNamedAt, readStatedAt]) {
      const commit = commits[journal];
      const files = commit === undefined ? [] : await read(store, journal, commit, new Set([id]));
      if (files[0] !== undefined) return files[0];
    }
  }
  return undefined;
};

type ReadAt = (
  store: Store,
  name: JournalName,
  commit: string,
  ids: ReadonlySet<NoteId>,
) => Promise<readonly PastNote[]>;

const readNamedAt: ReadAt = async (store, name, commit, ids) => {
  const entries = await store.journals[name].notes(commit);
  const named = entries.filter(({ path }) => ids.has(idOfPath(path)));
  return readThose(
    store,
    named.map(({ path, blob }) => ({ journal: name, path, blob })),
    ids,
  );
};

/**
 * Finds files by the ids that they state, whatever they are called. The index knows the ids of unchanged files, so only
 * what changed since is read.
 */
const readStatedAt: ReadAt = async (store, name, commit, ids) => {
  const journal = store.journals[name];
  const head = journal.head();
  const since = head === undefined ? [] : await journal.diff(commit, head);
  const changed = new Set(since.map(({ path }) => path));
  const still = [...ids]
    .flatMap((id) => store.lookup.filesOf(id))
    .filter((file) => file.journal === name && !changed.has(file.path));
  const gone = since.flatMap(({ path, before }) =>
    before === undefined || !isNotePath(path) ? [] : [{ journal: name, path, blob: before }],
  );
  const files = [...still, ...gone].toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return readThose(store, files, ids);
};

const readThose = async (
  store: Store,
  files: readonly KnownVersion[],
  ids: ReadonlySet<NoteId>,
): Promise<readonly PastNote[]> =>
  (await readVersions(store, files)).filter((note) => note !== undefined).filter((note) => ids.has(idOf(note)));

/** Pairs the files by note, so that one whose path changed counts as changed, not as removed and added. */
export const readEffects = async (store: Store, undo: UndoEvent): Promise<EventEffects> => {
  const { journal, commit } = undo;
  const parents = await store.journals[journal].parents(commit);
  const changes = await store.journals[journal].diff(parents[0], commit);
  const versions = (side: 'before' | 'after'): readonly KnownVersion[] =>
    changes.flatMap(({ path, [side]: blob }) => (blob === undefined ? [] : [{ journal, path, blob }]));
  const [old, fresh] = [await readSide(store, versions('before')), await readSide(store, versions('after'))];
  const unchanged = await findUnchanged(store, undo, parents[0], old.notes, fresh.notes);
  const oldById = groupBy([...unchanged, ...old.notes], idOf);
  const freshById = groupBy([...unchanged, ...fresh.notes], idOf);
  const notes: NoteEffect[] = [];
  for (const id of new Set([...old.notes, ...fresh.notes].map(idOf))) {
    const after = freshById.get(id)?.[0];
    const olds = oldById.get(id);
    const isChanged = store.lookup.filesOf(id)[0]?.blob !== after?.place.blob;
    const [newest] = isChanged ? store.lookup.eventsOfNote(id) : [];
    notes.push({
      id,
      before: olds?.find(({ place }) => place.path === after?.place.path) ?? olds?.[0],
      after,
      changedBy: newest?.commit === commit ? undefined : newest,
    });
  }
  return { notes, unreadable: [...new Set([...old.unreadable, ...fresh.unreadable])], joins: parents.length > 1 };
};

/**
 * Finds files that an event left unchanged, of notes that it gave a further file or took one from: adding a copy does
 * not begin a note, and removing one of two files does not end it. They may be gone since. A note with no other event
 * has none.
 */
const findUnchanged = async (
  store: Store,
  { journal, commit }: UndoEvent,
  parent: string | undefined,
  old: readonly PastNote[],
  fresh: readonly PastNote[],
): Promise<readonly PastNote[]> => {
  const changed = new Set([...old, ...fresh].map(({ place }) => place.path));
  const [before, after] = [new Set(old.map(idOf)), new Set(fresh.map(idOf))];
  const wasElsewhere = (id: NoteId): boolean =>
    store.lookup.eventsOfNote(id).some((event) => event.commit !== commit) ||
    store.lookup.filesOf(id).some((file) => file.journal !== journal || !changed.has(file.path));
  const oneSided = [...before, ...after].filter((id) => !(before.has(id) && after.has(id)) && wasElsewhere(id));
  if (oneSided.length === 0 || parent === undefined) return [];
  const found = await readStatedAt(store, journal, parent, new Set(oneSided));
  return found.filter(({ place }) => !changed.has(place.path));
};

const readSide = async (
  store: Store,
  versions: readonly KnownVersion[],
): Promise<{ readonly notes: readonly PastNote[]; readonly unreadable: readonly string[] }> => {
  const read = await readVersions(store, versions);
  return {
    notes: read.filter((note) => note !== undefined),
    unreadable: versions.filter((_, at) => read[at] === undefined).map(({ path }) => path),
  };
};

/** Returns the notes in the order of `versions`; undefined for one that is not a readable note. */
export const readVersions = async (
  store: Store,
  versions: readonly KnownVersion[],
): Promise<readonly (PastNote | undefined)[]> => {
  const bytesByBlob = new Map<BlobId, Buffer>();
  for (const name of journalNames) {
    const wanted = versions.filter(({ journal }) => journal === name).map(({ blob }) => blob);
    if (wanted.length === 0) continue;
    for (const [id, bytes] of await store.journals[name].blobs(wanted)) bytesByBlob.set(id, bytes);
  }
  return versions.map((place) => {
    const bytes = bytesByBlob.get(place.blob);
    const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, place.journal, place.path);
    return bytes !== undefined && parsed?.ok === true ? { file: parsed.file, place, bytes } : undefined;
  });
};

const changesOf = async (store: Store, name: JournalName, commit: string): Promise<readonly PathChange[]> => {
  const journal = store.journals[name];
  const [parent] = await journal.parents(commit);
  return journal.diff(parent, commit);
};

const idOf = ({ file }: PastNote): NoteId => file.note.id;
