/**
 * Reads the files that commits add or change, each with the versions of its note that the commit replaces: a published
 * note may be edited and renamed.
 */
import type { LocalEvent, NotePlaces, Store } from '../commands/worktree/write-store.js';
import type { JournalEvent } from '../events/event.js';
import type { UnpublishedCommit } from '../events/git/remote/unpublished.js';
import type { PathChange } from '../events/journal.js';
import { toLoggedEvent } from '../events/logged-event.js';
import type { BlobId, NoteId } from '../events/note/note.js';
import { isNotePath } from '../events/note/paths.js';
import { readStated, type StatedNote } from '../events/note/stated-scope.js';
import { eventIdOf } from './reused-events.js';

export type StatedOf = (blob: BlobId, path: string) => StatedNote;

/** A file that is new or changed in a commit. */
export type CommittedFile = {
  readonly commit: UnpublishedCommit;
  readonly event: JournalEvent;
  readonly path: string;
  readonly after: BlobId;
  readonly said: StatedNote;
  /** The versions that the commit replaced, including those under another name. */
  readonly befores: readonly BlobId[];
  /** The commit is an event of ours about this very note. A person's commit looks like one once appended again. */
  readonly isOwn: boolean;
};

/** Returns the files that may be private, with `befores` left empty. */
export const readCommittedFiles = (commit: UnpublishedCommit, statedOf: StatedOf): readonly CommittedFile[] => {
  const changes = commit.changes.filter(({ before, after: now }) => now !== before);
  if (changes.length === 0) return [];
  const { event, foreign } = toLoggedEvent(commit, []);
  const own = new Set(foreign || event.kind === 'hand.adopted' ? [] : event.notes);
  return changes.flatMap(({ path, after: now }) => {
    if (now === undefined) return [];
    const said = statedOf(now, path);
    // A file outside the notes never counts as the note's own.
    const noteId = isNotePath(path) ? said.id : undefined;
    const isOwn = noteId !== undefined && own.has(noteId);
    // An event that makes a note machine-local only removes its file here, unless a person amended the commit.
    const mayBePrivate = !isOwn || movingKinds.has(event.kind);
    return said.isLocal || mayBePrivate ? [{ commit, event, path, after: now, said, befores: [], isOwn }] : [];
  });
};

/** Events of ours that can move a note from one journal to the other. */
const movingKinds: ReadonlySet<JournalEvent['kind']> = new Set(['note.moved', 'event.undone']);

/** A file that may belong to a machine-local note. */
type Suspect = {
  /** The commit replaces no version of its note: a command had moved the note away before. */
  readonly isTakenAway: boolean;
};

/**
 * Fills in `befores`, the versions of its own note that each file replaces. There are none for a text that replaces
 * another note's, or that is beside the note's own file or outside the notes: it is published for the first time. Reads
 * versions only of notes that may be machine-local.
 */
export const withOwnVersions = async (
  store: Store,
  line: readonly UnpublishedCommit[],
  statedOf: StatedOf,
  brought: readonly CommittedFile[],
): Promise<readonly CommittedFile[]> => {
  const eventsFrom = openEventsFrom(line);
  const suspects = await store.lookup.askPlaces((places) => {
    const found = new Map<CommittedFile, Suspect>();
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
    readStated(contents.get(blob) ?? Buffer.alloc(0), path).id;
  return brought.map((one) => {
    const suspect = suspects.get(one);
    if (suspect === undefined) return one;
    return { ...one, befores: suspect.isTakenAway ? [] : replacedBy(one, idBefore, statedOf) };
  });
};

const mayBeLocal = (places: NotePlaces, id: NoteId, events: ReadonlySet<string>): boolean =>
  places.wasLocalLast(id, events) || places.filesOf(id).some(({ journal }) => journal === 'local');

/**
 * Whether a move took the note out of the portable journal, but nothing there says so before the commit: a person
 * removed the move from the history, or made it part of this very commit. Versions from before the move then don't
 * count.
 */
const isTakenAway = (locals: readonly LocalEvent[], events: ReadonlySet<string>): boolean => {
  const last = locals.find(({ left }) => left !== undefined);
  return last !== undefined && (!last.hasOtherHalf || [...events].some((id) => moveSuffix({ id }) === last.half));
};

/** Returns the version at the file's own path, or those that it may have been renamed from. */
const replacedBy = (
  { commit: { changes }, path, after: now, said: { id } }: CommittedFile,
  idBefore: (blob: BlobId, path: string) => NoteId | undefined,
  statedOf: StatedOf,
): readonly BlobId[] => {
  const hadId = (one: PathChange): boolean => one.before !== undefined && idBefore(one.before, one.path) === id;
  const hasId = (one: PathChange): boolean => one.after !== undefined && statedOf(one.after, one.path).id === id;
  const own = changes.filter((one) => one.path === path && hadId(one));
  if (own.length > 0 || !isNotePath(path)) return own.flatMap(({ before }) => before ?? []);
  const ofNotes = changes.filter((one) => isNotePath(one.path));
  const removed = ofNotes.filter((one) => hadId(one) && !hasId(one));
  const added = ofNotes.filter((one) => hasId(one) && !hadId(one));
  if (removed.some(({ before }) => before === now)) return [now];
  const unpaired = removed.filter(({ before }) => !added.some((one) => one.after === before));
  const edited = added.filter((one) => !removed.some(({ before }) => before === one.after));
  // Each became one file at most: if more were added than removed, any of them may be a copy.
  return edited.length > unpaired.length ? [] : unpaired.flatMap(({ before }) => before ?? []);
};

/** Returns the end of an event id, which both halves of a move share. */
export const moveSuffix = ({ id }: { readonly id: string }): string => id.slice(-16);

/** Returns the commits of the line after this one. */
export const after = ({ hash }: UnpublishedCommit, line: readonly UnpublishedCommit[]): readonly UnpublishedCommit[] =>
  line.slice(line.findIndex((one) => one.hash === hash) + 1);

/** Returns the ids of the events of a commit and those after it: only a move among them makes a text of it portable. */
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
