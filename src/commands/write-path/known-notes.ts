/** Reads the notes that commands touch, so that deciding itself reads nothing. */
import type { KnownVersion } from '../../events/event.js';
import { type BlobId, journalNames, type NoteId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { readNoteFile } from '../../events/worktree/working-tree.js';
import type { CommitOfJournal, EventEffects, KnownNotes, PastNote } from '../command.js';
import { type Command, touches } from '../handlers.js';
import { changedByImport } from '../import-notes.js';
import type { Store } from '../worktree/write-store.js';
import { findLost, readEffects, readLastImports, readNoteAt } from './past-notes.js';

/** Reads from the working tree if it has the journal's version, else from git. */
export const readKnownNotes = async (store: Store, commands: readonly Command[]): Promise<KnownNotes> => {
  const { lookup } = store;
  const past = await readPast(store, commands);
  const changed = [...past.effects.values()].flatMap(({ notes }) => notes.map(({ id }) => id));
  const ids = new Set([...commands.flatMap((command) => touches(command, lookup)), ...changed]);
  const places = new Map([...ids].map((id) => [id, lookup.filesOf(id)]));
  const bytesOf = await readVersions(store, [...places.values()].flat());
  const find: KnownNotes['find'] = (id) => {
    const [place, ...others] = places.get(id) ?? lookup.filesOf(id);
    const bytes = place === undefined ? undefined : bytesOf.get(place.blob);
    const parsed = bytes === undefined || !place ? undefined : parseNoteFile(bytes, place.journal, place.path);
    if (place === undefined || parsed?.ok !== true) return undefined;
    return { file: parsed.file, place, copies: others.filter(({ journal }) => journal === place.journal) };
  };
  const imports = commands.filter((command) => command.kind === 'import');
  const lastImports = await readLastImports(
    store,
    imports.flatMap((command) => changedByImport(command, { ...lookup, find })),
  );
  return {
    find,
    lost: (id) => past.lost.get(id),
    noteAt: (id, commits) => past.notesAt.get(keyOfPoint(id, commits)),
    effectsOf: (eventId) => past.effects.get(eventId) ?? { notes: [], unreadable: [] },
    wasThere: lookup.wasThere,
    supersedes: lookup.supersedes,
    withSourceKey: lookup.withSourceKey,
    newlyTitled: lookup.newlyTitled,
    sourceKeyOf: lookup.sourceKeyOf,
    editedSinceImport: lookup.editedSinceImport,
    importWasUndone: lookup.importWasUndone,
    lastImported: (id) => lastImports.get(id),
  };
};

const readVersions = async (
  { journals }: Store,
  versions: readonly KnownVersion[],
): Promise<ReadonlyMap<BlobId, Buffer>> => {
  const bytesByBlob = new Map<BlobId, Buffer>();
  for (const name of journalNames) {
    const missing: BlobId[] = [];
    for (const { journal, path, blob } of versions) {
      if (journal !== name) continue;
      const found = readNoteFile(journals[name].folder, path, blob);
      if (found.kind === 'file' && found.row.blob === blob) bytesByBlob.set(blob, found.bytes);
      else missing.push(blob);
    }
    if (missing.length === 0) continue;
    for (const [id, bytes] of await journals[name].blobs(missing)) bytesByBlob.set(id, bytes);
  }
  return bytesByBlob;
};

type Past = {
  readonly lost: ReadonlyMap<NoteId, PastNote>;
  readonly notesAt: ReadonlyMap<string, PastNote>;
  readonly effects: ReadonlyMap<string, EventEffects>;
};

const readPast = async (store: Store, commands: readonly Command[]): Promise<Past> => {
  const lost = new Map<NoteId, PastNote>();
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
