/**
 * The last look at what is about to be pushed, for notes that are machine-local here: a `git add -A` of a person may have
 * taken in a file of one that adopting had left.
 */
import { saysLocal, standingOf } from '../commands/worktree/private-files.js';
import type { Store } from '../commands/worktree/write-store.js';
import type { UnpublishedCommit } from '../events/git/remote/unpublished.js';
import { toLoggedEvent } from '../events/logged-event.js';
import { type BlobId, type NoteId, shownTitle } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { idOfPath, isNotePath } from '../events/note/paths.js';
import { SyncRefused } from './refused.js';

type Brought = {
  readonly commit: UnpublishedCommit;
  readonly path: string;
  readonly id: NoteId;
  readonly bytes: Buffer;
  /** The version before, undefined where the file is new there. */
  readonly before: Buffer | undefined;
  readonly isRenamed: boolean;
};

/**
 * Throws where a person's commit brings a file of such a note, made since the note is machine-local: one that is new there,
 * or that says `scope: machine-local` as the files in local/ do. A portable note of the same id may be edited and renamed.
 */
export const refusePrivate = async (store: Store, commits: readonly UnpublishedCommit[]): Promise<void> => {
  const all = await readBrought(store, commits);
  if (all.length === 0) return;
  const found = await store.lookup.askPlaces((places) =>
    all.find(({ commit, path, id, bytes, before, isRenamed }) => {
      const since = places.localSince(id);
      // Git's times are whole seconds.
      if (since === undefined || commit.epochMs + 999 < since) return false;
      if (standingOf(places, id, []) === 'portable') return false;
      const isNew = before === undefined && !isRenamed;
      return isNew || (saysLocal(bytes, path) && (before === undefined || !saysLocal(before, path)));
    }),
  );
  if (found !== undefined) throw refusalOf(store, found);
};

/** Notes that persons' commits bring. Syncing gives such a commit the form of an event when it appends it again. */
const readBrought = async (store: Store, commits: readonly UnpublishedCommit[]): Promise<readonly Brought[]> => {
  const persons = commits.filter((commit) => toLoggedEvent(commit, () => []).event.kind === 'hand.adopted');
  const changes = persons.flatMap((commit) =>
    commit.changes.flatMap(({ path, before, after }) =>
      after === undefined || after === before || !isNotePath(path) ? [] : [{ commit, path, before, after }],
    ),
  );
  if (changes.length === 0) return [];
  const wanted = changes.flatMap(({ before, after }): readonly BlobId[] =>
    before === undefined ? [after] : [before, after],
  );
  const blobs = await store.journals.portable.blobs([...new Set(wanted)]);
  return changes.flatMap(({ commit, path, before, after }) => {
    const bytes = blobs.get(after);
    if (bytes === undefined) return [];
    const parsed = parseNoteFile(bytes, 'portable', path);
    const id = parsed.ok ? parsed.file.note.id : idOfPath(path);
    const isRenamed = commit.changes.some((one) => one.after === undefined && idOfPath(one.path) === id);
    return [{ commit, path, id, bytes, before: blobs.get(before ?? ''), isRenamed }];
  });
};

const refusalOf = (store: Store, { commit, path, id, bytes }: Brought): SyncRefused => {
  const parsed = parseNoteFile(bytes, 'portable', path);
  const title = parsed.ok ? `${shownTitle(parsed.file.note)} (${id})` : id;
  return new SyncRefused(
    'note-private',
    `nothing was published: commit ${commit.hash.slice(0, 12)} brings memory/${path}, and the note ${title} is machine-local`,
    `to publish the note: anamnesis move ${id} --scope portable; to keep it here, take the commit back with git in ${store.journals.portable.folder} (git reset HEAD^ if it is the last one; a revert leaves the text in the history)`,
  );
};
