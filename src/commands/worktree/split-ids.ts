/**
 * Gives a machine-local note an id of its own if memory/ has that id too. Files of memory/ that were left alone for
 * their ids become machine-local before: nothing would tell them from portable ones afterwards.
 */
import type { FileChange } from '../../events/event.js';
import { Fault } from '../../events/faults.js';
import { blobIdOf } from '../../events/note/blob-id.js';
import { type BlobId, journalNames, type NoteId, shownTitle } from '../../events/note/note.js';
import { formatNoteFile, type NoteFile, parseNoteFile, setNoteFields } from '../../events/note/note-file.js';
import { linksOf, setLinks } from '../../events/note/note-links.js';
import { pathOfNote } from '../../events/note/paths.js';
import { formatTime } from '../../events/time.js';
import { compareFiles } from '../../events/worktree/checked-out-files.js';
import { putNoteFile, readNoteFile, removeNoteFile } from '../../events/worktree/working-tree.js';
import { movedId, writtenAnew } from '../move.js';
import { redactFile } from '../redact-fields.js';
import { appendEvents, type DecidedCommit } from './append.js';
import { idsSplitFact } from './reconciled.js';
import type { Store } from './write-store.js';

/** Written by older versions: the rest of a command in both journals, and files that a move took along. */
const oldFacts = ['second-commit', 'taken-along'] as const;

/** Changes nothing in memory/ but such files. Requires the write lock and both journals in the index. */
export const splitIds = async (store: Store, reconcileLocal: () => Promise<unknown>): Promise<void> => {
  const { state, lookup } = store;
  const isFirst = state.fact(idsSplitFact) === undefined;
  const ids = lookup.sharedIds(isFirst);
  const old = isFirst ? oldFacts.map((fact) => state.fact(fact) ?? '') : [];
  const isPending = old.some((text) => text !== '');
  if (ids.length > 0 || isPending) {
    await reconcileLocal();
    const [second = '', taken = ''] = old;
    const held = await findHeld(store, new Set(ids), takenAlong(taken));
    const texts = new Map([...textsOfSecond(second), ...held].map((text) => [text.bytes.toString('latin1'), text]));
    const kept = [...texts.values()].flatMap((text) => keepText(store, text));
    await append(store, kept, reconcileLocal);
    store.step('split:kept');
    await putBack(store, held);
    store.step('split:back');
    await append(store, await giveOwnIds(store, ids), reconcileLocal);
  }
  if (isPending) {
    for (const fact of oldFacts) state.setFact(fact, '');
    for (const name of journalNames) state.forgetCheckout(name);
  }
  if (isFirst) state.setFact(idsSplitFact, 'yes');
};

type Text = { readonly path: string; readonly bytes: Buffer };
type HeldFile = Text & { readonly blob: BlobId };

const textsOfSecond = (fact: string): readonly Text[] => {
  const { changes }: { readonly changes: readonly { readonly path: string; readonly content: string | null }[] } =
    fact === '' ? { changes: [] } : JSON.parse(fact);
  return changes.flatMap(({ path, content }) =>
    content === null ? [] : [{ path, bytes: Buffer.from(content, 'base64') }],
  );
};

/** Before it noted the event, the fact was a line of another form, of which nothing can be told. */
const takenAlong = (fact: string): readonly string[] => {
  if (!fact.startsWith('[')) return [];
  const [, ...files]: readonly [string, ...(readonly [string, BlobId])[]] = JSON.parse(fact);
  return files.map(([path]) => path);
};

/** Files of these notes and at these paths that aren't the head's. */
const findHeld = async (
  { journals: { portable }, state, lookup }: Store,
  ids: ReadonlySet<NoteId>,
  paths: readonly string[],
): Promise<readonly HeldFile[]> => {
  const { changed } = await compareFiles(portable.folder, state.allStamps('portable'), false);
  return [...new Set([...changed, ...paths])].flatMap((path) => {
    const head = lookup.blobAt('portable', path);
    const file = readNoteFile(portable.folder, path, head);
    if (file.kind !== 'file' || file.row.blob === head) return [];
    const parsed = parseNoteFile(file.bytes, 'portable', '');
    if (!parsed.ok || !(ids.has(parsed.file.note.id) || paths.includes(path))) return [];
    return [{ path, bytes: file.bytes, blob: file.row.blob }];
  });
};

/** The commit that makes a machine-local note of the text, unless it was made before a kill. */
const keepText = (store: Store, { bytes }: Text): readonly DecidedCommit[] => {
  const parsed = parseNoteFile(bytes, 'portable', '');
  if (!parsed.ok) return [];
  const blob = blobIdOf(bytes, store.journals.local.head());
  const file = writtenAnew(redactFile(parsed.file).file, movedId(parsed.file.note.id, blob), toLocal);
  if (store.lookup.filesOf(file.note.id).length > 0) return [];
  return [toCommit(store, shownTitle(file.note), [file.note.id], [writeOf(file)])];
};

const toLocal = { scope: 'machine-local' } as const;

/** The head's version comes back where there is one; kept texts are in local/ by then. */
const putBack = async ({ journals: { portable }, lookup }: Store, held: readonly HeldFile[]): Promise<void> => {
  for (const { path, blob } of held) {
    const head = lookup.blobAt('portable', path);
    const bytes = head === undefined ? undefined : (await portable.blobs([head])).get(head);
    if (bytes !== undefined) putNoteFile(portable.folder, path, bytes, blob);
    else if (head === undefined) removeNoteFile(portable.folder, path, blob);
  }
};

/** One commit for each note, and one for the machine-local notes that name them. */
const giveOwnIds = async (store: Store, ids: readonly NoteId[]): Promise<readonly DecidedCommit[]> => {
  const { local } = store.journals;
  const head = local.head();
  if (ids.length === 0 || head === undefined) return [];
  const entries = await local.notes(head);
  const texts = await local.blobs(entries.map(({ blob }) => blob));
  const files = entries.flatMap(({ path, blob }) => {
    const parsed = parseNoteFile(texts.get(blob) ?? Buffer.alloc(0), 'local', path);
    return parsed.ok ? [{ path, file: parsed.file, blob }] : [];
  });
  const shared = new Set(ids);
  const own = files.filter(({ file }) => shared.has(file.note.id));
  const newIds = new Map(own.map(({ file, blob }) => [file.note.id, movedId(file.note.id, blob)]));
  const split = own.map(({ path, file, blob }) => {
    const id = movedId(file.note.id, blob);
    const fresh = renameIn(writtenAnew(file, id, toLocal), newIds);
    const written = store.lookup.filesOf(id).length > 0 ? [] : [writeOf(fresh)];
    const removal: FileChange = { journal: 'local', path, bytes: undefined };
    return toCommit(store, shownTitle(file.note), [id, file.note.id], [removal, ...written]);
  });
  const naming = files.flatMap(({ path, file }) => {
    const after = shared.has(file.note.id) ? file : renameIn(file, newIds);
    return after === file ? [] : [{ id: file.note.id, change: writeOf(after, path) }];
  });
  if (naming.length === 0) return split;
  const subject = 'notes that name them';
  const changes = naming.map(({ change }) => change);
  return [...split, toCommit(store, subject, [...new Set(naming.map(({ id }) => id))], changes)];
};

/** What superseded the note before does so under both ids; a link means the machine-local one. */
const renameIn = (file: NoteFile, newIds: ReadonlyMap<NoteId, NoteId>): NoteFile => {
  const { supersedes } = file.note;
  const more = supersedes.flatMap((id) => newIds.get(id) ?? []);
  const links = linksOf(file).map((link) => link.replace(/\S+$/, (id) => newIds.get(id) ?? id));
  const linked = links.join() === linksOf(file).join() ? file : setLinks(file, links);
  return more.length === 0 ? linked : setNoteFields(linked, { supersedes: [...supersedes, ...more] });
};

const writeOf = (file: NoteFile, path = pathOfNote(file.note.type, file.note.id)): FileChange => ({
  journal: 'local',
  path,
  bytes: formatNoteFile(file),
});

const toCommit = (
  { machine, newId, nowMs }: Store,
  subject: string,
  notes: readonly NoteId[],
  changes: readonly FileChange[],
): DecidedCommit => {
  const atMs = nowMs();
  const event = { kind: 'notes.migrated', id: newId(atMs), at: formatTime(atMs), machine, subject, notes } as const;
  return { event, epochMs: atMs, changes };
};

const append = async (
  store: Store,
  commits: readonly DecidedCommit[],
  reconcileLocal: () => Promise<unknown>,
): Promise<void> => {
  if (commits.length === 0) return;
  const appended = await appendEvents(store, 'local', commits);
  if (appended === 'moved') throw movedMeanwhile(store.journals.local.folder);
  if (appended.unfinished !== undefined) throw appended.unfinished;
  // A person saved one of the files at this moment.
  if (appended.contested.length > 0) await reconcileLocal();
};

const movedMeanwhile = (folder: string): Fault =>
  new Fault(
    'lock-timeout',
    `another git program wrote to ${folder} while notes got ids of their own`,
    'wait until it is done, then repeat the command',
  );
