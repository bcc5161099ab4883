/** Reads versions of notes from the history, for the commands that restore them. */
import type { KnownVersion } from '../../events/event.js';
import { groupBy } from '../../events/group-by.js';
import { type BlobId, type JournalName, journalNames, type Note, type NoteId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { idOfPath } from '../../events/note/paths.js';
import type { CommitOfJournal, EventEffects, NoteEffect, PastNote } from '../command.js';
import type { UndoEvent } from '../undo.js';
import type { Store } from '../worktree/write-store.js';

/** Finds the last version of a note that is gone: what its newest events wrote or removed. */
export const findLost = async (store: Store, id: NoteId): Promise<PastNote | undefined> => {
  for (const { journal, commit } of store.lookup.eventsOfNote(id)) {
    const [parent] = await store.journals[journal].parents(commit);
    const changes = await store.journals[journal].diff(parent, commit);
    const files = changes.filter(({ path }) => idOfPath(path) === id);
    const versions = [
      ...files.map(({ path, after }) => ({ path, blob: after })),
      ...files.map(({ path, before }) => ({ path, blob: before })),
    ].flatMap(({ path, blob }) => (blob === undefined ? [] : [{ journal, path, blob }]));
    const note = (await readVersions(store, versions)).find((version) => version !== undefined);
    if (note !== undefined) return note;
  }
  return undefined;
};

/** Of several files of the note, returns the first that can be parsed. One that exists is read in its journal `only`. */
export const readNoteAt = async (
  store: Store,
  id: NoteId,
  commits: CommitOfJournal,
  only: JournalName | undefined,
): Promise<PastNote | undefined> => {
  for (const journal of only === undefined ? journalNames.toReversed() : [only]) {
    const commit = commits[journal];
    const entries = commit === undefined ? [] : await store.journals[journal].notes(commit);
    const files = entries
      .filter(({ path }) => idOfPath(path) === id)
      .map(({ path, blob }) => ({ journal, path, blob }));
    const note = (await readVersions(store, files)).find((version) => version !== undefined);
    if (note !== undefined) return note;
  }
  return undefined;
};

/** Pairs the files by note, so that one whose path changed counts as changed, not as removed and added. */
export const readEffects = async (store: Store, undo: UndoEvent): Promise<EventEffects> => {
  const { journal, commit } = undo;
  const parents = await store.journals[journal].parents(commit);
  const changes = await store.journals[journal].diff(parents[0], commit);
  const versions = (side: 'before' | 'after'): readonly KnownVersion[] =>
    changes.flatMap(({ path, [side]: blob }) => (blob === undefined ? [] : [{ journal, path, blob }]));
  const [old, fresh] = [await readSide(store, versions('before')), await readSide(store, versions('after'))];
  const oldById = groupBy(old.notes, idOf);
  const freshById = groupBy(fresh.notes, idOf);
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

const idOf = ({ file }: PastNote): NoteId => file.note.id;

/** Nothing for a note that was purged since: the source would bring that back. Two git calls per journal. */
export const readLastImports = async (store: Store, ids: readonly NoteId[]): Promise<ReadonlyMap<NoteId, Note>> => {
  const imports = ids.flatMap((id) => {
    const last = store.lookup.eventsOfNote(id).find(({ kind }) => kind === 'notes.imported' || kind === 'notes.purged');
    return last?.kind === 'notes.imported' ? [{ id, journal: last.journal, commit: last.commit }] : [];
  });
  const versionOf = new Map<string, KnownVersion>();
  for (const name of journalNames) {
    const commits = new Set(imports.flatMap(({ journal, commit }) => (journal === name ? [commit] : [])));
    if (commits.size === 0) continue;
    for (const [commit, changes] of await store.journals[name].changesOf([...commits]))
      for (const { path, after } of changes)
        if (after !== undefined) versionOf.set(`${commit} ${idOfPath(path)}`, { journal: name, path, blob: after });
  }
  const read = await readVersions(store, [...versionOf.values()]);
  const noteOf = new Map([...versionOf.keys()].map((key, at) => [key, read[at]?.file.note]));
  return new Map(
    imports.flatMap(({ id, commit }) => {
      const note = noteOf.get(`${commit} ${id}`);
      return note === undefined ? [] : [[id, note] as const];
    }),
  );
};
