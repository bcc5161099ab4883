/** Reads the notes that commands touch, so that deciding itself reads nothing. */
import type { FileChange, KnownVersion } from '../../events/event.js';
import { textEffectOf } from '../../events/mention.js';
import { blobIdOf } from '../../events/note/blob-id.js';
import { type BlobId, type JournalName, journalNames, type NoteId } from '../../events/note/note.js';
import { type NoteFile, parseNoteFile } from '../../events/note/note-file.js';
import { readNoteFile } from '../../events/worktree/working-tree.js';
import type {
  CommitOfJournal,
  DecidedEvent,
  EventEffects,
  KnownNote,
  KnownNotes,
  LostNote,
  PastNote,
} from '../command.js';
import { type Command, touches } from '../handlers.js';
import { changedByImport } from '../import-notes.js';
import type { Store } from '../worktree/write-store.js';
import { readLastImports } from './last-import.js';
import { findLost, readEffects, readNoteAt } from './past-notes.js';

/** The current notes, kept up to date with what the commands of one batch decide. */
export type Workspace = KnownNotes & {
  /** Applies a command's decision, so that the next one of the batch sees it. */
  apply(event: Pick<DecidedEvent, 'kind' | 'notes' | 'reason'>, changes: readonly FileChange[]): void;
};

/** Reads from the working tree if it has the journal's version, else from git. */
export const readWorkspace = async (store: Store, commands: readonly Command[]): Promise<Workspace> => {
  const { lookup } = store;
  const past = await readPast(store, commands);
  const ids = commands.flatMap((command) => touches(command, lookup));
  const changed = [...past.effects.values()].flatMap(({ notes }) => notes.map(({ id }) => id));
  const distinct = [...new Set([...ids, ...changed])];
  const places = new Map(distinct.map((id) => [id, lookup.filesOf(id)]));
  const bytesByBlob = new Map<BlobId, Buffer>();
  const missing: Record<JournalName, BlobId[]> = { portable: [], local: [] };
  for (const { journal, path, blob } of [...places.values()].flat()) {
    const found = readNoteFile(store.journals[journal].folder, path, blob);
    if (found.kind === 'file' && found.row.blob === blob) bytesByBlob.set(blob, found.bytes);
    else missing[journal].push(blob);
  }
  for (const name of journalNames) {
    if (missing[name].length === 0) continue;
    for (const [id, bytes] of await store.journals[name].blobs(missing[name])) bytesByBlob.set(id, bytes);
  }
  const decided = new Map<string, Buffer | undefined>();
  const added = new Map<NoteId, KnownVersion[]>();
  const idAtPath = new Map<string, NoteId>();
  const supersededNow = new Map<NoteId, readonly NoteId[]>();
  const idBySourceKey = new Map<string, NoteId>();
  const titledNow = new Map<string, NoteId[]>();
  const sourceKeyNow = new Map<NoteId, string | undefined>();
  const editedNow = new Map<NoteId, boolean>();
  const lostNow = new Map<NoteId, LostNote>();

  const placesOf = (id: NoteId): readonly KnownVersion[] => {
    const before = (places.get(id) ?? lookup.filesOf(id)).filter(
      ({ journal, path }) => !decided.has(`${journal}/${path}`),
    );
    const all = [...(added.get(id) ?? []), ...before];
    // A machine-local file comes before a portable one, whatever another machine did to that.
    return [...all.filter(({ journal }) => journal === 'local'), ...all.filter(({ journal }) => journal !== 'local')];
  };
  const bytesOf = ({ journal, path, blob }: KnownVersion): Buffer | undefined =>
    decided.get(`${journal}/${path}`) ?? bytesByBlob.get(blob);

  // A file that a person moved away may not have been reconciled yet.
  const stands = ({ journal, path, blob }: KnownVersion): boolean => {
    if (decided.has(`${journal}/${path}`)) return true;
    const found = readNoteFile(store.journals[journal].folder, path, blob);
    return found.kind === 'file' && found.row.blob === blob;
  };

  const fileOf = (version: KnownVersion): NoteFile | undefined => {
    const bytes = bytesOf(version);
    const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, version.journal, version.path);
    return parsed?.ok ? parsed.file : undefined;
  };

  const find = (id: NoteId): KnownNote | undefined => {
    const [place, ...others] = placesOf(id);
    const file = place === undefined ? undefined : fileOf(place);
    if (place === undefined || file === undefined) return undefined;
    const copies = others.filter(({ journal }) => journal === place.journal);
    return { file, place, copies: copies.map((copy) => ({ ...copy, file: fileOf(copy) })) };
  };

  const imports = commands.filter((command) => command.kind === 'import');
  const lastImports = await readLastImports(
    store,
    imports.flatMap((command) => changedByImport(command, { ...lookup, find })),
  );

  return {
    find,
    holderOf: ({ journal, path }, taken = () => false) => {
      const id = idAtPath.get(`${journal}/${path}`) ?? lookup.idAt(journal, path);
      const files = id === undefined ? [] : placesOf(id);
      const here = files.find((one) => one.journal === journal && one.path === path);
      const isCopy = (one: KnownVersion): boolean =>
        one !== here && one.blob === here?.blob && !taken(one) && stands(one);
      return here === undefined || files.some(isCopy) ? undefined : id;
    },
    isFree: ({ journal, path }) =>
      decided.get(`${journal}/${path}`) === undefined &&
      lookup.blobAt(journal, path) === undefined &&
      readNoteFile(store.journals[journal].folder, path).kind === 'absent',
    lost: (id) => lostNow.get(id) ?? past.lost.get(id),
    noteAt: (id, commits) => past.notesAt.get(keyOfPoint(id, commits)),
    effectsOf: (eventId) => past.effects.get(eventId) ?? { notes: [], unreadable: [] },
    wasThere: (id) => added.has(id) || lookup.wasThere(id),
    supersedes: (id) => supersededNow.get(id) ?? lookup.supersedes(id),
    withSourceKey: (key) => idBySourceKey.get(key) ?? lookup.withSourceKey(key),
    newlyTitled: (title, row) => [...lookup.newlyTitled(title, row), ...(titledNow.get(title) ?? [])],
    sourceKeyOf: (id) => (sourceKeyNow.has(id) ? sourceKeyNow.get(id) : lookup.sourceKeyOf(id)),
    editedSinceImport: (id) => editedNow.get(id) ?? lookup.editedSinceImport(id),
    importWasUndone: (id) => lookup.importWasUndone(id),
    lastImported: (id) => (editedNow.has(id) ? undefined : lastImports.get(id)),
    apply(event, changes) {
      const effect = textEffectOf(event);
      if (effect !== 'keeps') for (const id of event.notes) editedNow.set(id, effect === 'edits');
      // The next command of the batch may restore what this event removes.
      const removed = new Set(changes.flatMap(({ journal, path, bytes }) => (bytes ? [] : [`${journal}/${path}`])));
      for (const id of removed.size === 0 ? [] : event.notes) {
        const known = find(id);
        if (known === undefined || !removed.has(`${known.place.journal}/${known.place.path}`)) continue;
        const bytes = bytesOf(known.place);
        if (bytes !== undefined) lostNow.set(id, { file: known.file, place: known.place, bytes });
      }
      for (const { journal, path, bytes } of changes) {
        const key = `${journal}/${path}`;
        decided.set(key, bytes);
        const replaced = idAtPath.get(key);
        if (replaced !== undefined) {
          const others = added.get(replaced)?.filter((place) => place.journal !== journal || place.path !== path);
          added.set(replaced, others ?? []);
        }
        const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, journal, path);
        if (bytes === undefined || !parsed?.ok) continue;
        const { id, title, supersedes, sourceKey } = parsed.file.note;
        titledNow.set(title, [...(titledNow.get(title) ?? []), id]);
        if (sourceKey !== undefined) idBySourceKey.set(sourceKey, id);
        sourceKeyNow.set(id, sourceKey);
        idAtPath.set(key, id);
        added.set(id, [{ journal, path, blob: blobIdOf(bytes) }, ...(added.get(id) ?? [])]);
        supersededNow.set(id, supersedes);
      }
    },
  };
};

type Past = {
  readonly lost: ReadonlyMap<NoteId, LostNote>;
  readonly notesAt: ReadonlyMap<string, PastNote>;
  readonly effects: ReadonlyMap<string, EventEffects>;
};

/** Reads the texts that commands bring back from the history. */
const readPast = async (store: Store, commands: readonly Command[]): Promise<Past> => {
  const lost = new Map<NoteId, LostNote>();
  const notesAt = new Map<string, PastNote>();
  const effects = new Map<string, EventEffects>();
  for (const command of commands) {
    if (command.kind === 'undo') effects.set(command.event.id, await readEffects(store, command));
    if (command.kind === 'restore-at') {
      const note = await readNoteAt(store, command.id, command.commits, store.lookup.filesOf(command.id)[0]?.journal);
      if (note !== undefined) notesAt.set(keyOfPoint(command.id, command.commits), note);
    }
    if (command.kind !== 'restore' && command.kind !== 'restore-at') continue;
    const found = store.lookup.filesOf(command.id).length === 0 ? await findLost(store, command.id) : undefined;
    if (found !== undefined) lost.set(command.id, found);
  }
  return { lost, notesAt, effects };
};

const keyOfPoint = (id: NoteId, { portable = '', local = '' }: CommitOfJournal): string => `${id} ${portable} ${local}`;
