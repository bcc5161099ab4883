/** Reads versions of notes from the history, for the commands that restore them. */

import { groupBy } from '../../events/group-by.js';
import type { PathChange } from '../../events/journal.js';
import { parseMove } from '../../events/move-trailer.js';
import { type BlobId, type JournalName, journalNames, type NoteId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { idOfPath, isNotePath } from '../../events/note/paths.js';
import type { CommitOfJournal, EventEffects, LostNote, NoteEffect, PastNote } from '../command.js';
import type { UndoEvent } from '../undo.js';
import type { EventOfNote, Store } from '../worktree/write-store.js';

/**
 * Finds the last version of a note that is gone. In each journal it comes from the newest event, in that journal's
 * order, that removed a file of the note, or that wrote one which another note has replaced since; clocks say nothing
 * about the order between the two journals. The local journal counts first, unless the note left it for the portable
 * one: a note made local must not return to the synced journal.
 */
export const findLost = async (store: Store, id: NoteId): Promise<LostNote | undefined> => {
  const events = store.lookup.eventsOfNote(id);
  const [local, portable] = await Promise.all([
    findLast(
      store,
      id,
      events.filter(({ journal }) => journal === 'local'),
    ),
    findLast(
      store,
      id,
      events.filter(({ journal }) => journal === 'portable'),
    ),
  ]);
  if (portable !== undefined && (local === undefined || (await isPortableLater(store, local, events, id))))
    return { ...portable.note, keptElsewhere: store.lookup.keptElsewhere(id) };
  return local?.note;
};

const isPortableLater = async (
  store: Store,
  { event, isGiven }: Last,
  events: readonly EventOfNote[],
  id: NoteId,
): Promise<boolean> => !isGiven && (await wasMadePortable(store, event, events, id));

/** `isGiven`: the event wrote the note's file, and another note has taken its place since. */
type Last = { readonly event: EventOfNote; readonly note: LostNote; readonly isGiven: boolean };

/** Expects the events newest first. If one of them moved the note, the file that it wrote is the later one. */
const findLast = async (store: Store, id: NoteId, events: readonly EventOfNote[]): Promise<Last | undefined> => {
  for (const event of events) {
    const { journal, commit } = event;
    const changes = await changesOf(store, journal, commit);
    const removed = changes.flatMap(({ path, before, after }) =>
      before === undefined || after !== undefined ? [] : [{ journal, path, blob: before }],
    );
    const given = changes.flatMap(({ path, after }) => (after === undefined ? [] : [{ journal, path, blob: after }]));
    const named = (files: readonly Version[]): readonly Version[] => files.filter(({ path }) => idOfPath(path) === id);
    for (const [files, isGiven] of [
      [given, true],
      [removed, false],
    ] as const) {
      // A file that a person made may not be named after its note's id.
      for (const some of [named(files), files]) {
        const note = (await readVersions(store, some)).find((version) => version?.file.note.id === id);
        if (note !== undefined) return { event, note, isGiven };
      }
    }
  }
  return undefined;
};

/** True if the same command put the note into the portable journal, or the event finished such a move. */
const wasMadePortable = async (
  store: Store,
  { kind, commandId }: EventOfNote,
  events: readonly EventOfNote[],
  id: NoteId,
): Promise<boolean> => {
  const twin = events.find(
    (event) => event.journal === 'portable' && commandId !== undefined && event.commandId === commandId,
  );
  if (twin === undefined) return kind === 'note.moved';
  const changes = await changesOf(store, 'portable', twin.commit);
  const put = changes.flatMap(({ path, after }) =>
    after === undefined ? [] : [{ journal: twin.journal, path, blob: after }],
  );
  return (await readVersions(store, put)).some((version) => version?.file.note.id === id);
};

/**
 * Of several files with the note's id, returns the first that can be parsed, by path; a machine-local one, and one that
 * is named after the note, comes first.
 */
export const readNoteAt = async (store: Store, id: NoteId, commits: CommitOfJournal): Promise<PastNote | undefined> => {
  for (const journal of ['local', 'portable'] as const) {
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
  files: readonly Version[],
  ids: ReadonlySet<NoteId>,
): Promise<readonly PastNote[]> =>
  (await readVersions(store, files)).filter((note) => note !== undefined).filter((note) => ids.has(idOf(note)));

/** Pairs the files by note, so that one whose path or journal changed counts as changed, not as removed and added. */
export const readEffects = async (store: Store, { event, commits }: UndoEvent): Promise<EventEffects> => {
  const before = new Sides();
  const after = new Sides();
  for (const { journal, commit } of commits) {
    for (const change of await changesOf(store, journal, commit)) {
      if (change.before !== undefined) before.add({ journal, path: change.path, blob: change.before });
      if (change.after !== undefined) after.add({ journal, path: change.path, blob: change.after });
    }
  }
  // A killed move has no second commit; its trailer says what that would have removed.
  const source = event.move === undefined ? undefined : parseMove(event.move);
  if (source !== undefined) before.add(source);
  const [old, fresh] = [await before.read(store), await after.read(store)];
  const unchanged = await findUnchanged(store, commits, old.notes, fresh.notes);
  const ids = new Set([...old.notes, ...fresh.notes].map(({ file }) => file.note.id));
  const ours = new Set(commits.map(({ commit }) => commit));
  const notes: NoteEffect[] = [];
  const oldById = groupBy([...unchanged, ...old.notes], idOf);
  const freshById = groupBy([...unchanged, ...fresh.notes], idOf);
  let lookedUp = 0;
  for (const id of ids) {
    const [now, nowBeside] = splitByJournal(freshById.get(id));
    const [then, thenBeside] = splitByJournal(oldById.get(id), now);
    const here = store.lookup.filesOf(id)[0];
    const isChanged = here?.blob !== now?.place.blob;
    const looksUp = isChanged && lookedUp < maxLookedUp;
    if (looksUp) lookedUp += 1;
    notes.push({
      id,
      before: then,
      after: now,
      beside: (thenBeside ?? nowBeside) ? { before: thenBeside, after: nowBeside } : undefined,
      keptElsewhere:
        here === undefined && then?.place.journal === 'portable' ? store.lookup.keptElsewhere(id) : undefined,
      changedBy: looksUp ? await laterEvent(store, id, ours) : undefined,
    });
  }
  return { notes, unreadable: [...new Set([...old.unreadable, ...fresh.unreadable])] };
};

/**
 * Finds files that an event left unchanged, of notes that it gave a further file or took one from: adding a copy does
 * not begin a note, and removing one of two files does not end it. They may be gone since. A note with no other event
 * has none.
 */
const findUnchanged = async (
  store: Store,
  commits: UndoEvent['commits'],
  old: readonly PastNote[],
  fresh: readonly PastNote[],
): Promise<readonly PastNote[]> => {
  const keyOf = ({ journal, path }: Pick<Version, 'journal' | 'path'>): string => `${journal}/${path}`;
  const changed = new Set([...old, ...fresh].map(({ place }) => keyOf(place)));
  const [before, after] = [new Set(old.map(idOf)), new Set(fresh.map(idOf))];
  const ours = new Set(commits.map(({ commit }) => commit));
  const wasElsewhere = (id: NoteId): boolean =>
    store.lookup.eventsOfNote(id).some(({ commit }) => !ours.has(commit)) ||
    store.lookup.filesOf(id).some((file) => !changed.has(keyOf(file)));
  const oneSided = [...before, ...after].filter((id) => !(before.has(id) && after.has(id)) && wasElsewhere(id));
  if (oneSided.length === 0) return [];
  const found: PastNote[] = [];
  for (const { journal, commit } of commits) {
    const [parent] = await store.journals[journal].parents(commit);
    if (parent !== undefined) found.push(...(await readStatedAt(store, journal, parent, new Set(oneSided))));
  }
  return found.filter(({ place }) => !changed.has(keyOf(place)));
};

/** Each look-up takes two git calls, and a refusal names one event. */
const maxLookedUp = 20;

type Version = { readonly journal: JournalName; readonly path: string; readonly blob: BlobId };

/** The files on one side of an event, each path once. */
class Sides {
  readonly #byPlace = new Map<string, Version>();

  add(version: Version): void {
    this.#byPlace.set(`${version.journal}/${version.path}`, version);
  }

  async read(store: Store): Promise<{ readonly notes: readonly PastNote[]; readonly unreadable: readonly string[] }> {
    const versions = [...this.#byPlace.values()];
    const read = await readVersions(store, versions);
    return {
      notes: read.filter((note) => note !== undefined),
      unreadable: versions.filter((_, at) => read[at] === undefined).map(({ path }) => path),
    };
  }
}

/** Returns the notes in the order of `versions`; undefined for one that is not a readable note. */
const readVersions = async (store: Store, versions: readonly Version[]): Promise<readonly (PastNote | undefined)[]> => {
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

const laterEvent = async (
  store: Store,
  id: NoteId,
  ours: ReadonlySet<string>,
): Promise<{ readonly id: string; readonly kind: string } | undefined> => {
  const [newest] = store.lookup.eventsOfNote(id);
  if (newest === undefined || ours.has(newest.commit)) return undefined;
  const journal = store.journals[newest.journal];
  const [parent] = await journal.parents(newest.commit);
  const logged = await journal.events(parent, newest.commit);
  return logged.find(({ commit }) => commit === newest.commit)?.event;
};

const idOf = ({ file }: PastNote): NoteId => file.note.id;

/**
 * Returns the file that counts, which is the machine-local one if there is one, and the file in the other journal.
 * Further files of one id in a journal are copies that the event folded in: they need not be restored.
 */
const splitByJournal = (
  files: readonly PastNote[] = [],
  other?: PastNote | undefined,
): readonly [PastNote | undefined, PastNote | undefined] => {
  const [local, portable] = (['local', 'portable'] as const).map((journal) => {
    const here = files.filter(({ place }) => place.journal === journal);
    return here.find((one) => isSamePlace(one, other)) ?? here[0];
  });
  return local === undefined ? [portable, undefined] : [local, portable];
};

const isSamePlace = ({ place }: PastNote, other: PastNote | undefined): boolean =>
  place.journal === other?.place.journal && place.path === other.place.path;
