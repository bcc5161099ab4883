/** Finds the event of a command sent again. Any commit may claim a Command-Id, so machine and effect must match. */
import type { Stamp } from '../../events/event.js';
import type { NoteId } from '../../events/note/note.js';
import type { NoteFile } from '../../events/note/note-file.js';
import { derivedUlid } from '../../events/ulid-form.js';
import type { DecidedKind, HeldEvent } from '../command.js';
import { hasFields } from '../edit.js';
import { type Command, noteOf } from '../handlers.js';
import type { Store } from '../worktree/write-store.js';
import { isWrittenAs } from '../write.js';
import { readVersions } from './past-notes.js';

/** `taken`: the id names another command of this machine, or one that can't be told from another. */
export type Earlier =
  | { readonly kind: 'none' }
  | { readonly kind: 'done'; readonly event: HeldEvent; readonly isResumed: boolean }
  | { readonly kind: 'taken'; readonly since: string };

/** Reads the note as the event left it, because anyone can write an event's trailers. */
export const findEarlier = async (store: Store, command: Command, stamp: Stamp): Promise<Earlier> => {
  const claims = store.lookup.claimsOfCommand(stamp.commandId, stamp.machine);
  const [first] = claims;
  if (first === undefined) return { kind: 'none' };
  const ids = ownIds(stamp);
  const own = claims.find(({ id }) => ids.includes(id));
  if (own !== undefined) return { kind: 'done', event: own, isResumed: true };
  for (const event of claims) if (await isDone(store, command, event)) return { kind: 'done', event, isResumed: false };
  return { kind: 'taken', since: first.at };
};

/** An event with one of these ids is this very command, found again after a crash: nothing else could know the id. */
const ownIds = ({ atMs, eventId }: Stamp): readonly string[] => [eventId, derivedUlid(atMs, 'other-journal', eventId)];

const isDone = async (store: Store, command: Command, event: HeldEvent): Promise<boolean> => {
  if (!kindsOf[command.kind].some((kind) => kind === event.kind)) return false;
  const id = noteOf(command, event);
  if (id !== undefined && !event.notes.includes(id)) return false;
  if (command.kind === 'move' && command.scope === undefined) return event.notes.includes(command.id);
  if (command.kind !== 'write' && command.kind !== 'edit' && command.kind !== 'supersede') return true;
  const file = id === undefined ? undefined : await readFileAfter(store, event, id);
  if (file === undefined) return false;
  switch (command.kind) {
    case 'write':
      return isWrittenAs(command, file.note);
    case 'edit':
      return hasFields(file, command.set);
    case 'supersede':
      return command.ids.every((one) => file.note.supersedes.includes(one));
  }
};

const readFileAfter = async (
  store: Store,
  { journal, commit }: HeldEvent,
  id: NoteId,
): Promise<NoteFile | undefined> => {
  const changes = (await store.journals[journal].changesOf([commit])).get(commit) ?? [];
  const put = changes.flatMap(({ path, after }) => (after === undefined ? [] : [{ journal, path, blob: after }]));
  return (await readVersions(store, put)).find((note) => note?.file.note.id === id)?.file;
};

const kindsOf: { readonly [Asked in Command['kind']]: readonly DecidedKind[] } = {
  // 'note.edited': a note that already had the text was given what it lacked.
  write: ['note.written', 'proposal.made', 'note.superseded', 'note.edited'],
  edit: ['note.edited'],
  supersede: ['note.superseded'],
  forget: ['note.forgotten'],
  restore: ['note.restored'],
  'restore-at': ['note.restored'],
  undo: ['event.undone'],
  tag: ['note.tagged'],
  move: ['note.moved'],
  import: ['notes.imported'],
  capture: ['session.captured'],
  confirm: ['note.confirmed'],
  'settle-proposal': ['proposal.settled'],
  'resolve-conflict': ['conflict.resolved'],
};
