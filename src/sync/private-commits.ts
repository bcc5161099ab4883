/**
 * Finds machine-local texts in commits that are about to be merged or pushed: a person's `git add -A` or `git commit
 * --amend` may have included a file that adopting had left alone. None leaves this machine unless a command publishes
 * it.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { linesOf, readLocalTexts } from '../commands/worktree/local-texts.js';
import { standingOf } from '../commands/worktree/standing.js';
import type { LocalEvent, NotePlaces, Store } from '../commands/worktree/write-store.js';
import { codeOf } from '../events/error-code.js';
import { readVersions, type UnpublishedCommit } from '../events/git/remote/unpublished.js';
import type { PathChange } from '../events/journal.js';
import { toLoggedEvent } from '../events/logged-event.js';
import { parseMove } from '../events/move-trailer.js';
import type { BlobId, NoteId } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { idOfPath, isNotePath } from '../events/note/paths.js';
import { readStated, type StatedNote, statedByPath } from '../events/note/stated-scope.js';
import {
  after,
  type CommittedFile,
  moveSuffix,
  openEventsFrom,
  readCommittedFiles,
  type StatedOf,
  withOwnVersions,
} from './committed-files.js';
import { refuseCommitted } from './private-refusal.js';
import { notesOfChange } from './reappend/note-of-change.js';
import type { Reappending } from './reappend/plan.js';
import { mergedIn, openWithholding, type Withheld } from './withheld.js';

export type PrivateLook = {
  readonly line: readonly UnpublishedCommit[];
  /** The commits of the line to check, with only the changes to check. */
  readonly looked: readonly UnpublishedCommit[];
  readonly incoming: string | undefined;
  readonly statedOf: StatedOf;
};

/**
 * Throws if a commit adds a file of a note that is machine-local here, or one that newly says `scope: machine-local`,
 * and the file is still in `memory/`; returns those that are gone from there. Ignores the times of commits: a text
 * counts as portable if the note's own move out of the portable journal comes after it. Calls git only if it suspects
 * something.
 */
export const refusePrivate = async (store: Store, look: PrivateLook): Promise<readonly Withheld[]> => {
  const asked = look.looked.flatMap((commit) => readCommittedFiles(commit, look.statedOf));
  if (asked.length === 0) return [];
  const brought = await withOwnVersions(store, look.line, look.statedOf, asked);
  const { privateNotes, ofPrivate, edits } = await store.lookup.askPlaces((places) =>
    findOfPrivate(places, look, brought),
  );
  const saying = await findSaying(store, look, brought);
  const withText = await findWithText(store, edits);
  const found = brought.filter((one) => ofPrivate.has(one) || saying.has(one) || withText.has(one));
  const unknown = withDescendants(brought, await withoutKnown(store, look, found));
  const withhold = openWithholding(look.line, look.statedOf, (path) => isInFolder(store, path));
  const withheld = unknown.map((one) => ({ one, left: withhold(one) }));
  const first = withheld.find(({ left }) => left === undefined);
  if (first !== undefined) {
    const isMerged = mergedIn(look.line).has(first.one.path);
    throw await refuseCommitted(store, first.one, { privateNotes, isMerged });
  }
  return withheld.flatMap(({ left }) => left ?? []);
};

/** Adds the files that were made from these later: without these, each renamed file would count as new. */
const withDescendants = (
  brought: readonly CommittedFile[],
  found: readonly CommittedFile[],
): readonly CommittedFile[] => {
  if (found.length === 0) return found;
  const all = new Set(found);
  const versions = new Set<string>();
  for (const one of brought) {
    const { befores, said, after: now } = one;
    if (befores.length > 0 && befores.every((blob) => versions.has(`${said.id} ${blob}`))) all.add(one);
    if (all.has(one)) versions.add(`${said.id} ${now}`);
  }
  return [...all];
};

/** A person may have removed a file without an event. Links count as files, as they do for git. */
const isInFolder = ({ journals: { portable } }: Store, path: string): boolean => {
  try {
    lstatSync(join(portable.folder, path));
    return true;
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(codeOf(error));
  }
};

/** The same for what upstream changed too: once merged, a text no longer shows where it came from. */
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
  const statedOf = (blob: BlobId, path: string): StatedNote => {
    const content = bytes.get(blob);
    return content === undefined ? statedByPath(path) : readStated(content, path);
  };
  return refusePrivate(store, { line, looked, incoming, statedOf });
};

/** Whether a command after the commit made the note portable, and was not undone since. */
const isPublished = (id: NoteId, later: PrivateLook['line'], statedOf: PrivateLook['statedOf']): boolean => {
  const own = later.flatMap(({ changes, ...commit }) => {
    const { event, foreign } = toLoggedEvent(commit, []);
    return foreign ? [] : [{ event, changes }];
  });
  const undone = new Set(own.map(({ event }) => event.undoes));
  return own.some(({ event, changes }) => {
    const from = event.move === undefined ? undefined : parseMove(event.move)?.journal;
    if (from === undefined || undone.has(event.id) || !event.notes.includes(id)) return false;
    // If the note was portable already, its file may be unchanged.
    if (from === 'portable') return true;
    return changes.some(
      ({ path, after: now }) => now !== undefined && isNotePath(path) && statedOf(now, path).id === id,
    );
  });
};

/** Whether this is the note's own move out of the portable journal, whoever finished it. Earlier text was portable. */
const leavesPortable = (commit: UnpublishedCommit, locals: readonly LocalEvent[]): boolean => {
  const { event } = toLoggedEvent(commit, []);
  return locals.some(
    ({ half, left }) =>
      left !== undefined &&
      (half === moveSuffix(event) ||
        commit.changes.some(
          (change) => change.after === undefined && change.path === left.path && change.before === left.blob,
        )),
  );
};

type OfPrivate = {
  /** Notes of these files that are machine-local here. */
  readonly privateNotes: ReadonlySet<NoteId>;
  /** Files of such a note that must not leave this machine. */
  readonly ofPrivate: ReadonlySet<CommittedFile>;
  /** Edits of its portable file, into which a person may have copied the machine-local text. */
  readonly edits: readonly CommittedFile[];
};

/** A portable note of the same id may be edited and renamed, but not given the text of the machine-local one. */
const findOfPrivate = (
  places: NotePlaces,
  { line, statedOf }: PrivateLook,
  brought: readonly CommittedFile[],
): OfPrivate => {
  const privateNotes = new Set<NoteId>();
  const ofPrivate = new Set<CommittedFile>();
  const edits: CommittedFile[] = [];
  const eventsFrom = openEventsFrom(line);
  // Such a file alone does not make a note portable.
  const made = brought.flatMap(({ path, isOwn, befores }) => (isOwn || befores.length > 0 ? [] : [path]));
  for (const one of brought) {
    const { commit, event, said, befores, isOwn } = one;
    if (said.id === undefined) continue;
    const standing = isOwn ? standingOf(places, said.id, []) : standingOf(places, said.id, made, eventsFrom(commit));
    if (standing === 'portable') continue;
    const later = after(commit, line);
    if ((standing === 'forgotten' || standing === 'returned') && isPublished(said.id, later, statedOf)) continue;
    privateNotes.add(said.id);
    const locals = places.localEvents(said.id);
    const own = places.filesOf(said.id).filter(({ journal }) => journal === 'local');
    const isItsText = own.some(({ blob }) => blob === one.after);
    const isOut = isOwn ? locals.some(({ half }) => half === moveSuffix(event)) : isItsText || befores.length === 0;
    if (later.some((next) => leavesPortable(next, locals))) continue;
    if (isOut) ofPrivate.add(one);
    else if (!isOwn) edits.push(one);
  }
  return { privateNotes, ofPrivate, edits };
};

/** Finds edits that add all lines that only the machine-local text had, as is checked for files in `memory/`. */
const findWithText = async (store: Store, edits: readonly CommittedFile[]): Promise<ReadonlySet<CommittedFile>> => {
  if (edits.length === 0) return new Set();
  const hasTextOf = await readLocalTexts(
    store,
    edits.flatMap(({ said }) => said.id ?? []),
  );
  const contents = await store.journals.portable.blobs([
    ...new Set(edits.flatMap((one) => [one.after, ...one.befores])),
  ]);
  const linesAt = (blobs: readonly BlobId[], path: string): ReadonlySet<string> =>
    new Set(blobs.flatMap((blob) => linesOf(contents.get(blob), 'portable', path)));
  return new Set(
    edits.filter(
      ({ path, after: now, befores, said: { id } }) =>
        id !== undefined && hasTextOf(id, linesAt(befores, path), linesAt([now], path)),
    ),
  );
};

/** Finds files that newly say `scope: machine-local`, except those that a later commit publishes. */
const findSaying = async (
  { journals }: Store,
  { line, statedOf }: PrivateLook,
  brought: readonly CommittedFile[],
): Promise<ReadonlySet<CommittedFile>> => {
  const saying = brought.filter(({ said }) => said.isLocal);
  if (saying.length === 0) return new Set();
  const laterOf = new Map(
    saying.map((one) => {
      const later = after(one.commit, line).flatMap((commit) =>
        commit.changes.flatMap(({ path, after: now }) =>
          now !== undefined && isNotePath(path) && idOfPath(path) === one.said.id && !statedOf(now, path).isLocal
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
      if (one.befores.some((blob) => readStated(contents.get(blob) ?? Buffer.alloc(0), one.path).isLocal)) return false;
      const body = bodyOf(one.after, one.path);
      // A move to the portable journal publishes it, as does the same text without that line. A revert does not.
      return !(laterOf.get(one) ?? []).some(({ commit, path, blob }) => {
        const { event, foreign } = toLoggedEvent(commit, []);
        const isMoved = !foreign && event.kind === 'note.moved' && event.notes.includes(idOfPath(path));
        return isMoved || (body !== undefined && bodyOf(blob, path) === body);
      });
    }),
  );
};

/** Drops versions that the remote already has. Files there can't vouch for themselves: anyone may have planted one. */
const withoutKnown = async (
  { journals: { portable } }: Store,
  { incoming }: PrivateLook,
  found: readonly CommittedFile[],
): Promise<readonly CommittedFile[]> => {
  const ids = [...new Set(found.flatMap(({ said }): readonly NoteId[] => (said.id === undefined ? [] : [said.id])))];
  if (incoming === undefined || ids.length === 0) return found;
  const versions = await readVersions(portable.folders, incoming, ids);
  return found.filter((one) => !versions.has(one.after));
};
