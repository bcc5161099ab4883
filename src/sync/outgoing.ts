/**
 * The last check of what is pushed: every content, name and message that the remote lacks, whatever commits claim;
 * exactly that is pushed. A find is a person's commit: nothing is pushed then, and nothing rewritten.
 */
import { redactFile } from '../commands/redact-fields.js';
import type { Store } from '../commands/worktree/write-store.js';
import type { UnpublishedCommit } from '../events/git/commit-range.js';
import { isMerge } from '../events/git/git-log.js';
import { runGit } from '../events/git/git-process.js';
import { findUnfit } from '../events/git/remote/incoming.js';
import type { Journal } from '../events/journal.js';
import type { Contents } from '../events/merge/tree-state.js';
import type { BlobId, NoteId } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { idOfPath } from '../events/note/paths.js';
import { redact } from '../events/note/redact.js';
import { readStated } from '../events/note/stated-scope.js';
import { readInBatches } from '../events/read-in-batches.js';
import { parseMessage } from '../events/trailers.js';
import { SyncRefused } from './refused.js';

type AddedFile = {
  readonly blob: BlobId;
  readonly path: string;
  readonly commit: string;
  readonly isOurs: boolean;
  /** Notes that a person's commit brings: they are new, and no event of ours names them. */
  readonly isForeign: boolean;
};

/** Returns how many of the commits are events, not merges. Throws SyncRefused if one must stay here. One git call. */
export const checkOutgoing = async (
  store: Store,
  commits: readonly UnpublishedCommit[],
  known: Contents = new Map(),
): Promise<number> => {
  const journal = store.journals.portable;
  const source: Pick<Journal, 'blobs' | 'sizes'> = {
    blobs: async (ids, inAll) => (ids.every((id) => known.has(id)) ? known : journal.blobs(ids, inAll)),
    sizes: (ids) => journal.sizes(ids),
  };
  for (const commit of commits) checkCommit(commit, journal.folder);
  const added = filesOf(commits);
  const entries = [...added.values()].map(({ blob, path }) => ({ blob, paths: [path] }));
  const stated = new Map<NoteId, AddedFile>();
  for await (const { entry, bytes } of readInBatches(source, entries)) {
    const file = added.get(entry.blob);
    if (file === undefined) continue;
    const content = bytes ?? (await runGit(journal.folders, ['cat-file', 'blob', file.blob]));
    if (holdsSecret(content, file)) throw refuseSecret(file.commit, `memory/${file.path}`, journal.folder);
    const { id, isLocal } = readStated(content, file.path);
    if (isLocal) throw refuseLocal(file, 'which says scope: machine-local', id, journal.folder);
    if (id !== undefined && stated.get(id)?.isForeign !== true) stated.set(id, file);
  }
  const local = await findLocal(store, stated);
  const file = local === undefined ? undefined : stated.get(local);
  if (file !== undefined) throw refuseLocal(file, `and note ${local} is machine-local`, local, journal.folder);
  return commits.filter((commit) => !isMerge(commit)).length;
};

const checkCommit = ({ hash, message, changes }: UnpublishedCommit, folder: string): void => {
  const isOurs = parseMessage(message) !== undefined;
  if (hasSecret(message, isOurs)) throw refuseSecret(hash, 'its message', folder);
  for (const { path } of changes)
    if (redact(path).masked.length > 0) throw refuseSecret(hash, `the name ${redact(path).text}`, folder);
  const unfit = findUnfit(changes);
  if (unfit === undefined) return;
  throw new SyncRefused(
    'unfit-commit',
    `nothing was published: other machines would refuse commit ${hash.slice(0, 12)}: ${unfit}`,
    `redo that commit with git in ${folder}; the next sync checks again`,
  );
};

/** Each content once, with the last commit that adds it. */
const filesOf = (commits: readonly UnpublishedCommit[]): ReadonlyMap<BlobId, AddedFile> =>
  new Map(
    commits.flatMap(({ hash, message, changes }) => {
      const event = parseMessage(message);
      return changes.flatMap(({ path, before, after, afterMode }) => {
        if (after === undefined || afterMode === submodule) return [];
        const isForeign = before === undefined && event?.notes.includes(idOfPath(path)) !== true;
        return [[after, { blob: after, path, commit: hash, isOurs: event !== undefined, isForeign }] as const];
      });
    }),
  );

const submodule = '160000';

const holdsSecret = (bytes: Buffer, { isOurs }: AddedFile): boolean => {
  const parsed = parseNoteFile(bytes, 'portable', '');
  // As git does, a file with a NUL near its beginning counts as no text: in a picture anything looks generated.
  if (!parsed.ok) return !bytes.subarray(0, 8000).includes(0) && hasSecret(bytes.toString('utf8'), isOurs);
  return redactFile(parsed.file).masked.some(({ kind }) => !isOurs || !guessed.has(kind));
};

const hasSecret = (text: string, isOurs: boolean): boolean =>
  redact(text).masked.some(({ kind }) => !isOurs || !guessed.has(kind));

/** By the words around it. An update of these rules must not hold back what our own events hold already. */
const guessed: ReadonlySet<string> = new Set([
  'url-credentials',
  'bearer-token',
  'basic-auth',
  'cookie',
  'command-password',
  'secret-value',
]);

/** A note that once was machine-local here may be portable since, but no person's commit brings it. */
const findLocal = async (store: Store, files: ReadonlyMap<NoteId, AddedFile>): Promise<NoteId | undefined> =>
  files.size === 0
    ? undefined
    : store.lookup.askPlaces((places) =>
        [...files.keys()].find(
          (id) =>
            places.filesOf(id).some(({ journal }) => journal === 'local') ||
            (files.get(id)?.isForeign === true && places.wasLocal(id)),
        ),
      );

const refuseSecret = (commit: string, where: string, folder: string): SyncRefused =>
  new SyncRefused(
    'secret-committed',
    `nothing was published: commit ${commit.slice(0, 12)} holds a secret in ${where}`,
    `redo that commit without it, with git in ${folder}; or erase it everywhere: anamnesis purge --literal`,
  );

const refuseLocal = ({ commit, path }: AddedFile, why: string, id: NoteId | undefined, folder: string): SyncRefused =>
  new SyncRefused(
    'note-private',
    `nothing was published: commit ${commit.slice(0, 12)} contains memory/${path}, ${why}`,
    `redo that commit without the file, with git in ${folder}${id === undefined ? '' : `; or erase it from the history there: anamnesis purge ${id} --journal memory`}`,
  );
