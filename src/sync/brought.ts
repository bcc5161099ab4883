/**
 * The files that a person's commits bring, each with the versions of its note that the commit replaces: what is published
 * already may be edited and renamed.
 */
import type { LocalEvent, NotePlaces, Store } from '../commands/worktree/write-store.js';
import type { JournalEvent } from '../events/event.js';
import type { UnpublishedCommit } from '../events/git/remote/unpublished.js';
import type { PathChange } from '../events/journal.js';
import { toLoggedEvent } from '../events/logged-event.js';
import type { BlobId, NoteId } from '../events/note/note.js';
import { isNotePath } from '../events/note/paths.js';
import { readSaid, type Said } from '../events/note/said-scope.js';
import { eventIdOf } from './reused-events.js';

export type SaidOf = (blob: BlobId, path: string) => Said;

/** A file that is new or changed in a commit. */
export type Brought = {
  readonly commit: UnpublishedCommit;
  readonly event: JournalEvent;
  readonly path: string;
  readonly after: BlobId;
  readonly said: Said;
  /** The versions that the commit replaced, also under another name. */
  readonly befores: readonly BlobId[];
  /** An event of ours about this very note. A person's commit has the form of one once it was appended again. */
  readonly isOwn: boolean;
};

/** The files that may be private, without the versions of their notes that they replace. */
export const readBrought = (commit: UnpublishedCommit, saidOf: SaidOf): readonly Brought[] => {
  const changes = commit.changes.filter(({ before, after: now }) => now !== before);
  if (changes.length === 0) return [];
  const { event, foreign } = toLoggedEvent(commit, []);
  const own = new Set(foreign || event.kind === 'hand.adopted' ? [] : event.notes);
  return changes.flatMap(({ path, after: now }) => {
    if (now === undefined) return [];
    const said = saidOf(now, path);
    // No other file takes the place of a note's.
    const noteId = isNotePath(path) ? said.id : undefined;
    const isOwn = noteId !== undefined && own.has(noteId);
    // An event that makes a note machine-local only removes its file here, unless somebody amended the commit.
    const mayBePrivate = !isOwn || mayTakeAway.has(event.kind);
    return said.isLocal || mayBePrivate ? [{ commit, event, path, after: now, said, befores: [], isOwn }] : [];
  });
};

/** Events of ours that can take a note from one journal to the other. */
const mayTakeAway: ReadonlySet<JournalEvent['kind']> = new Set(['note.moved', 'event.undone']);

/** A file that may be of a machine-local note. */
type Suspect = {
  /** The commit replaces no version of its note: a command had taken the note away before. */
  readonly isTakenAway: boolean;
};

/**
 * With the versions of the note that the files do replace: a text that takes the place of another note's is published for
 * the first time, and so is one beside the note's own file, or anywhere but among the notes. Versions are read only of notes
 * that may be machine-local.
 */
export const withOwnVersions = async (
  store: Store,
  line: readonly UnpublishedCommit[],
  saidOf: SaidOf,
  brought: readonly Brought[],
): Promise<readonly Brought[]> => {
  const eventsFrom = openEventsFrom(line);
  const suspects = await store.lookup.askPlaces((places) => {
    const found = new Map<Brought, Suspect>();
    for (const one of brought) {
      const { id, isLocal } = one.said;
      const events = eventsFrom(one.commit);
      if (!isLocal && (id === undefined || !mayBeLocal(places, id, events))) continue;
      found.set(one, { isTakenAway: id !== undefined && isTakenAway(places.localEvents(id), events) });
    }
    return found;
  });
  if (suspects.size === 0) return brought;
  const commits = new Set([...suspects.keys()].map(({ commit }) => commit));
  const wanted = [...commits].flatMap(({ changes }) => changes.flatMap(({ before }) => before ?? []));
  const contents = await store.journals.portable.blobs([...new Set(wanted)]);
  const idBefore = (blob: BlobId, path: string): NoteId | undefined =>
    readSaid(contents.get(blob) ?? Buffer.alloc(0), path).id;
  return brought.map((one) => {
    const suspect = suspects.get(one);
    if (suspect === undefined) return one;
    return { ...one, befores: suspect.isTakenAway ? [] : replacedBy(one, idBefore, saidOf) };
  });
};

const mayBeLocal = (places: NotePlaces, id: NoteId, events: ReadonlySet<string>): boolean =>
  places.wasLocalLast(id, events) || places.filesOf(id).some(({ journal }) => journal === 'local');

/**
 * A move took the note from the portable journal, and nothing says so there up to the commit: a person took that out of the
 * history, or made it part of this very commit. What the note was before the move is no version to go on from.
 */
const isTakenAway = (locals: readonly LocalEvent[], events: ReadonlySet<string>): boolean => {
  const last = locals.find(({ left }) => left !== undefined);
  return last !== undefined && (!last.hasOtherHalf || [...events].some((id) => halfOf({ id }) === last.half));
};

/** The version at the file's own path, or the one that it was renamed from. */
const replacedBy = (
  { commit: { changes }, path, after: now, said: { id } }: Brought,
  idBefore: (blob: BlobId, path: string) => NoteId | undefined,
  saidOf: SaidOf,
): readonly BlobId[] => {
  const hadId = (one: PathChange): boolean => one.before !== undefined && idBefore(one.before, one.path) === id;
  const hasId = (one: PathChange): boolean => one.after !== undefined && saidOf(one.after, one.path).id === id;
  const own = changes.filter((one) => one.path === path && hadId(one));
  if (own.length > 0 || !isNotePath(path)) return own.flatMap(({ before }) => before ?? []);
  const ofNotes = changes.filter((one) => isNotePath(one.path));
  const left = ofNotes.filter((one) => hadId(one) && !hasId(one));
  const came = ofNotes.filter((one) => hasId(one) && !hadId(one));
  if (left.some(({ before }) => before === now)) return [now];
  const open = left.filter(({ before }) => !came.some((one) => one.after === before));
  const edited = came.filter((one) => !left.some(({ before }) => before === one.after));
  // Each became one file at most: where more came than went, any of them may be a copy.
  return edited.length > open.length ? [] : open.flatMap(({ before }) => before ?? []);
};

/** Both halves of a move have it. */
export const halfOf = ({ id }: { readonly id: string }): string => id.slice(-16);

/** What the line has after a commit. */
export const after = ({ hash }: UnpublishedCommit, line: readonly UnpublishedCommit[]): readonly UnpublishedCommit[] =>
  line.slice(line.findIndex((one) => one.hash === hash) + 1);

/** Ids of what came with a commit or after it: that makes no text of it portable by itself, but for a move. */
export const openEventsFrom = (
  line: readonly UnpublishedCommit[],
): ((commit: UnpublishedCommit) => ReadonlySet<string>) => {
  const idsByHash = new Map<string, ReadonlySet<string>>();
  return (commit) => {
    const ids = idsByHash.get(commit.hash) ?? new Set([commit, ...after(commit, line)].map(eventIdOf));
    idsByHash.set(commit.hash, ids);
    return ids;
  };
};
