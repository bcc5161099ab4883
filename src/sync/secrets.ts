/**
 * The last check of what is about to be pushed: every content and message that the remote does not have yet, whatever
 * the commits claim. What was checked is exactly what is pushed, since both use the same head.
 */
import type { GitJournal } from '../events/git/git-journal.js';
import { runGit } from '../events/git/git-process.js';
import { readUnpublished, type UnpublishedCommit } from '../events/git/remote/unpublished.js';
import { groupBy } from '../events/group-by.js';
import type { BlobId, NoteId } from '../events/note/note.js';
import { idOfPath, isNotePath } from '../events/note/paths.js';
import { redact } from '../events/note/redact.js';
import { collectStated, type StatedByBlob } from '../events/note/stated-scope.js';
import { readInBatches } from '../events/read-in-batches.js';
import type { SecretPlace } from '../state/sync-state.js';
import { redactBytes } from './redact-bytes.js';
import { redactMessage } from './redact-message.js';
import { SyncRefused } from './refused.js';

/** Secrets found, masked; undefined if there are none. */
export type Secrets = {
  readonly blobs: ReadonlyMap<BlobId, Buffer>;
  /** Where they were found, at least one. */
  readonly places: readonly SecretPlace[];
};

export type SecretScan = {
  readonly secrets: Secrets | undefined;
  /** How many commits the remote doesn't have. */
  readonly commits: number;
};

/** Ids of commits and contents that were found clean; one exchange may check several times. */
export type Cleared = Set<string>;

/**
 * Calls `look` once `said` is filled from all files read; it may throw to stop the push for another reason. Makes two
 * git calls; redacting takes about 7 ms per megabyte. With `isForward`, `head` is known to descend from `incoming`.
 */
export const findSecrets = async (
  journal: GitJournal,
  head: string,
  incoming: string | undefined,
  cleared: Cleared,
  isForward: boolean,
  said: StatedByBlob,
  look: (commits: readonly UnpublishedCommit[]) => Promise<void>,
): Promise<SecretScan> => {
  const commits = await readUnpublished(journal.folders, head, incoming, isForward);
  const unseen = commits.filter(({ hash }) => !cleared.has(hash));
  for (const { changes } of unseen) for (const { path } of changes) checkName(path);
  const wanted = unseen.flatMap(({ changes }) =>
    changes.flatMap(({ path, after, afterMode }) =>
      after === undefined || afterMode === submodule || cleared.has(after) ? [] : [{ blob: after, path }],
    ),
  );
  const entries = [...groupBy(wanted, ({ blob }) => blob)].map(([blob, names]) => ({
    blob,
    paths: [...new Set(names.map(({ path }) => path))],
  }));
  const blobs = new Map<BlobId, Buffer>();
  const places = new Map<string, SecretPlace>();
  const found = (where: string, note: NoteId | null): unknown => places.set(where, { note, where });
  for await (const { entry, bytes } of readInBatches(journal, entries)) {
    const content = bytes ?? (await readLarge(journal, entry.blob));
    collectStated(said, entry.blob, entry.paths, content);
    const [path = ''] = entry.paths;
    const masked = redactBytes(content, path);
    if (masked.equals(content)) cleared.add(entry.blob);
    else {
      blobs.set(entry.blob, masked);
      found(path, isNotePath(path) ? idOfPath(path) : null);
    }
  }
  await look(commits);
  for (const { hash, message } of unseen) {
    if (redactMessage(message) === message) cleared.add(hash);
    else found(`the message of commit ${hash.slice(0, 12)}`, null);
  }
  for (const { hash, changes } of unseen)
    if (changes.some(({ after }) => after !== undefined && blobs.has(after))) cleared.delete(hash);
  const secrets = places.size === 0 ? undefined : { blobs, places: [...places.values()] };
  return { secrets, commits: commits.length };
};

const submodule = '160000';

/** Throws if a name contains a secret: masking it would make another file. */
const checkName = (path: string): void => {
  const { text, masked } = redact(path);
  if (masked.length === 0) return;
  throw new SyncRefused(
    'secret-unmasked',
    `nothing was published: the name ${text} holds a secret`,
    'rename the file and erase the old name from the history: anamnesis purge --literal; the next sync checks again',
  );
};

/** No note is this large, but a file that a person put beside the notes may be. */
const readLarge = (journal: GitJournal, blob: BlobId): Promise<Buffer> =>
  runGit(journal.folders, ['cat-file', 'blob', blob]);
