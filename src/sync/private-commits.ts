/**
 * Machine-local texts in commits that are about to be merged or pushed: a `git add -A`, a `git commit --amend` of a person
 * may have taken in a file that adopting had left. None leaves this machine without a command that publishes it.
 */
import { standingOf } from '../commands/worktree/private-files.js';
import type { LocalEvent, NotePlaces, Store } from '../commands/worktree/write-store.js';
import type { JournalEvent } from '../events/event.js';
import { readVersions, type UnpublishedCommit } from '../events/git/remote/unpublished.js';
import { groupBy } from '../events/group-by.js';
import type { PathChange } from '../events/journal.js';
import { toLoggedEvent } from '../events/logged-event.js';
import { parseMove } from '../events/move-trailer.js';
import { type BlobId, type NoteId, shownTitle } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { idOfPath, isNotePath } from '../events/note/paths.js';
import { readSaid, type Said, saidByPath } from '../events/note/said-scope.js';
import { notesOfChange } from './reappend/by-id.js';
import type { Reappending } from './reappend/plan.js';
import { SyncRefused } from './refused.js';
import { eventIdOf } from './reused-events.js';
import { openIsGone, type Withheld } from './withheld.js';

export type PrivateLook = {
  readonly line: readonly UnpublishedCommit[];
  /** The commits of it that are looked at, with the changes that are. */
  readonly looked: readonly UnpublishedCommit[];
  readonly incoming: string | undefined;
  readonly saidOf: (blob: BlobId, path: string) => Said;
};

/** A file that is new or changed in a commit. */
type Brought = {
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

/**
 * Throws where a commit brings a file of a note that is machine-local here, or one that says `scope: machine-local` and did
 * not before, and the file is in `memory/` still; answers those that are gone from there. Whatever clock a commit's time is
 * from: a text counts as portable if the note's own move away from there comes after it. Calls git only if it suspects
 * something.
 */
export const refusePrivate = async (store: Store, look: PrivateLook): Promise<readonly Withheld[]> => {
  const asked = look.looked.flatMap((commit) => readBrought(commit, look.saidOf));
  if (asked.length === 0) return [];
  const brought = await withOwnVersions(store, look, asked);
  const { privateNotes, ofPrivate } = await store.lookup.askPlaces((places) => findOfPrivate(places, look, brought));
  const saying = await findSaying(store, look, brought);
  const found = brought.filter((one) => ofPrivate.has(one) || saying.has(one));
  const unknown = await withoutKnown(store, look, found);
  const isGone = openIsGone(look.line, look.saidOf);
  const first = unknown.find((one) => !isGone(one));
  if (first !== undefined) throw await refusalOf(store, first, privateNotes);
  return unknown.map(({ commit: { hash }, path }) => ({ hash, path }));
};

/** The same for what upstream changed too: a merge makes a text of it that doesn't say any more where it comes from. */
export const refuseMerging = (
  store: Store,
  { commits, filesUpstream, stated, upstream, bytes }: Reappending,
  line: readonly UnpublishedCommit[],
  incoming: string | undefined,
): Promise<readonly Withheld[]> => {
  const isMerged = (change: PathChange): boolean =>
    isNotePath(change.path)
      ? notesOfChange(change, stated).some((id) => filesUpstream.has(id))
      : upstream.has(change.path);
  const looked = commits.map((commit) => ({
    ...commit,
    changes: commit.changes.filter(isMerged),
  }));
  const saidOf = (blob: BlobId, path: string): Said => {
    const content = bytes.get(blob);
    return content === undefined ? saidByPath(path) : readSaid(content, path);
  };
  return refusePrivate(store, { line, looked, incoming, saidOf });
};

const readBrought = (commit: UnpublishedCommit, saidOf: PrivateLook['saidOf']): readonly Brought[] => {
  const changes = commit.changes.filter(({ before, after: now }) => now !== before);
  if (changes.length === 0) return [];
  const { event, foreign } = toLoggedEvent(commit, () => []);
  const own = new Set(foreign || event.kind === 'hand.adopted' ? [] : event.notes);
  const removed = groupBy(
    changes.filter((one) => one.after === undefined),
    ({ path }) => (isNotePath(path) ? idOfPath(path) : undefined),
  );
  return changes.flatMap(({ path, before, after: now }) => {
    if (now === undefined) return [];
    const said = saidOf(now, path);
    // No other file takes the place of a note's.
    const noteId = isNotePath(path) ? said.id : undefined;
    const gone = noteId === undefined ? [] : (removed.get(noteId) ?? []);
    const befores = [before, ...gone.map((one) => one.before)].filter((blob) => blob !== undefined);
    const isOwn = noteId !== undefined && own.has(noteId);
    // An event that makes a note machine-local only removes its file here, unless somebody amended the commit.
    const mayBePrivate = !isOwn || mayTakeAway.has(event.kind);
    return said.isLocal || mayBePrivate ? [{ commit, event, path, after: now, said, befores, isOwn }] : [];
  });
};

/**
 * With the note's own versions that the commit took from elsewhere, and without those of another note that had this path: a
 * text that takes their place is published for the first time. Versions are read only of notes that may be machine-local.
 */
const withOwnVersions = async (
  store: Store,
  { line }: PrivateLook,
  brought: readonly Brought[],
): Promise<readonly Brought[]> => {
  const eventsFrom = openEventsFrom(line);
  const suspects = await store.lookup.askPlaces((places) => {
    const mayBeLocal = ({ commit, said: { id, isLocal } }: Brought): boolean =>
      isLocal ||
      (id !== undefined &&
        (places.wasLocalLast(id, eventsFrom(commit)) || places.filesOf(id).some(({ journal }) => journal === 'local')));
    return new Map(
      brought.filter(mayBeLocal).map((one) => [one, one.commit.changes.flatMap(({ before }) => before ?? [])]),
    );
  });
  if (suspects.size === 0) return brought;
  const contents = await store.journals.portable.blobs([...new Set([...suspects.values()].flat())]);
  const isOf = ({ said, path }: Brought, blob: BlobId): boolean =>
    readSaid(contents.get(blob) ?? Buffer.alloc(0), path).id === said.id;
  return brought.map((one) => {
    const befores = suspects.get(one)?.filter((blob) => isOf(one, blob));
    return befores === undefined ? one : { ...one, befores };
  });
};

/** Events of ours that can take a note from one journal to the other. */
const mayTakeAway: ReadonlySet<JournalEvent['kind']> = new Set(['note.moved', 'event.undone']);

/** Both halves of a move have it. */
const halfOf = ({ id }: JournalEvent): string => id.slice(-16);

const after = ({ hash }: UnpublishedCommit, line: PrivateLook['line']): PrivateLook['line'] =>
  line.slice(line.findIndex((one) => one.hash === hash) + 1);

/** Ids of what came with a commit or after it: that makes no text of it portable by itself, but for a move. */
const openEventsFrom = (line: PrivateLook['line']): ((commit: UnpublishedCommit) => ReadonlySet<string>) => {
  const idsByHash = new Map<string, ReadonlySet<string>>();
  return (commit) => {
    const ids = idsByHash.get(commit.hash) ?? new Set([commit, ...after(commit, line)].map(eventIdOf));
    idsByHash.set(commit.hash, ids);
    return ids;
  };
};

/** A command after the commit moved the note to the portable ones, and was not undone since. */
const isPublished = (id: NoteId, later: PrivateLook['line'], saidOf: PrivateLook['saidOf']): boolean => {
  const own = later.flatMap(({ changes, ...commit }) => {
    const { event, foreign } = toLoggedEvent(commit, () => []);
    return foreign ? [] : [{ event, changes }];
  });
  const undone = new Set(own.map(({ event }) => event.undoes));
  return own.some(({ event, changes }) => {
    const from = event.move === undefined ? undefined : parseMove(event.move)?.journal;
    if (from === undefined || undone.has(event.id) || !event.notes.includes(id)) return false;
    // Where it lay there already, the file may say what it said before.
    if (from === 'portable') return true;
    return changes.some(({ path, after: now }) => now !== undefined && isNotePath(path) && saidOf(now, path).id === id);
  });
};

/** The note's own move from the portable journal, whoever finished it. What was there before was portable by right. */
const leavesPortable = (commit: UnpublishedCommit, locals: readonly LocalEvent[]): boolean => {
  const { event } = toLoggedEvent(commit, () => []);
  return locals.some(
    ({ half, left }) =>
      left !== undefined &&
      (half === halfOf(event) ||
        commit.changes.some(
          (change) => change.after === undefined && change.path === left.path && change.before === left.blob,
        )),
  );
};

type OfPrivate = {
  /** Notes at hand that are machine-local here. */
  readonly privateNotes: ReadonlySet<NoteId>;
  /** Files of such a note that must not leave this machine. */
  readonly ofPrivate: ReadonlySet<Brought>;
};

/** A portable note of the same id may be edited and renamed, but not given the text of the machine-local one. */
const findOfPrivate = (places: NotePlaces, { line, saidOf }: PrivateLook, brought: readonly Brought[]): OfPrivate => {
  const privateNotes = new Set<NoteId>();
  const ofPrivate = new Set<Brought>();
  const eventsFrom = openEventsFrom(line);
  // By itself such a file makes no note portable.
  const made = brought.flatMap(({ path, isOwn, befores }) => (isOwn || befores.length > 0 ? [] : [path]));
  for (const one of brought) {
    const { commit, event, said, befores, isOwn } = one;
    if (said.id === undefined) continue;
    const standing = isOwn ? standingOf(places, said.id, []) : standingOf(places, said.id, made, eventsFrom(commit));
    if (standing === 'portable') continue;
    const later = after(commit, line);
    if ((standing === 'forgotten' || standing === 'returned') && isPublished(said.id, later, saidOf)) continue;
    privateNotes.add(said.id);
    const locals = places.localEvents(said.id);
    const isItsText = places.filesOf(said.id).some((file) => file.journal === 'local' && file.blob === one.after);
    const isOut = isOwn ? locals.some(({ half }) => half === halfOf(event)) : isItsText || befores.length === 0;
    if (isOut && !later.some((next) => leavesPortable(next, locals))) ofPrivate.add(one);
  }
  return { privateNotes, ofPrivate };
};

/** Files that say so since this commit, but for those that a later commit publishes. */
const findSaying = async (
  { journals }: Store,
  { line, saidOf }: PrivateLook,
  brought: readonly Brought[],
): Promise<ReadonlySet<Brought>> => {
  const saying = brought.filter(({ said }) => said.isLocal);
  if (saying.length === 0) return new Set();
  const laterOf = new Map(
    saying.map((one) => {
      const later = after(one.commit, line).flatMap((commit) =>
        commit.changes.flatMap(({ path, after: now }) =>
          now !== undefined && isNotePath(path) && idOfPath(path) === one.said.id && !saidOf(now, path).isLocal
            ? [{ commit, path, blob: now }]
            : [],
        ),
      );
      return [one, later];
    }),
  );
  const wanted = saying.flatMap((one) => [
    one.after,
    ...one.befores,
    ...(laterOf.get(one) ?? []).map(({ blob }) => blob),
  ]);
  const contents = await journals.portable.blobs([...new Set(wanted)]);
  const bodyOf = (blob: BlobId, path: string): string | undefined => {
    const parsed = parseNoteFile(contents.get(blob) ?? Buffer.alloc(0), 'portable', path);
    return parsed.ok ? parsed.file.note.body : undefined;
  };
  return new Set(
    saying.filter((one) => {
      if (one.befores.some((blob) => readSaid(contents.get(blob) ?? Buffer.alloc(0), one.path).isLocal)) return false;
      const body = bodyOf(one.after, one.path);
      // A move of the note to there publishes it, and so does the same text without that line. A revert does not.
      return !(laterOf.get(one) ?? []).some(({ commit, path, blob }) => {
        const { event, foreign } = toLoggedEvent(commit, () => []);
        const isMoved = !foreign && event.kind === 'note.moved' && event.notes.includes(idOfPath(path));
        return isMoved || (body !== undefined && bodyOf(blob, path) === body);
      });
    }),
  );
};

/** Without what the remote has already. What files there say of themselves doesn't count: anybody may have planted one. */
const withoutKnown = async (
  { journals: { portable } }: Store,
  { incoming }: PrivateLook,
  found: readonly Brought[],
): Promise<readonly Brought[]> => {
  const ids = [...new Set(found.flatMap(({ said }): readonly NoteId[] => (said.id === undefined ? [] : [said.id])))];
  if (incoming === undefined || ids.length === 0) return found;
  const versions = await readVersions(portable.folders, incoming, ids);
  return found.filter((one) => !versions.has(one.after));
};

const refusalOf = async (
  { journals: { portable } }: Store,
  { commit, path, after: blob, said: { id } }: Brought,
  privateNotes: ReadonlySet<NoteId>,
): Promise<SyncRefused> => {
  const bytes = (await portable.blobs([blob])).get(blob) ?? Buffer.alloc(0);
  const parsed = parseNoteFile(bytes, 'portable', path);
  const note = parsed.ok ? `${shownTitle(parsed.file.note)} (${id})` : id;
  const brings = `nothing was published: commit ${commit.hash.slice(0, 12)} brings memory/${path}`;
  if (id !== undefined && privateNotes.has(id))
    return new SyncRefused(
      'note-private',
      `${brings}, and the note ${note} is machine-local`,
      `to publish the note: anamnesis move ${id} --scope portable; to keep it here: ${stay(id)}`,
    );
  return new SyncRefused(
    'note-private',
    `${brings}, which says scope: machine-local`,
    `to publish it, take that line out of the file, and commit it; to keep it here${
      id !== undefined && isNotePath(path)
        ? `: ${stay(id)}`
        : `, move the file out of ${portable.folder} and take the commit out of its history with git (git reset HEAD^ if it is the last one)`
    }`,
  );
};

/** Wherever the commit is in the history. */
const stay = (id: NoteId): string =>
  `anamnesis move ${id} --scope machine-local; the next sync publishes your commits without that file`;
