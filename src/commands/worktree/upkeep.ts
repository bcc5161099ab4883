/** Maintains a journal's repository for git and for people: git's own index, leftovers, packs. */
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { countPacks, movedAtMs, removeStaleLocks, removeStaleObjects } from '../../events/git/git-files.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { isFileMode, parseRawDiff, splitFields } from '../../events/git/git-log.js';
import { everyChange, GitError, type GitFolders, runGit } from '../../events/git/git-process.js';
import { diffTrees, versionsIn } from '../../events/git/note-tree.js';
import type { PathChange } from '../../events/journal.js';
import { type JournalName, journalFolder } from '../../events/note/note.js';
import { isNotePath, whyNoNote } from '../../events/note/paths.js';
import { readInBatches } from '../../events/read-in-batches.js';
import { excludeTemporaries, putNoteFile, readNoteFile, removeNoteFile } from '../../events/worktree/working-tree.js';
import { classifyFile } from './classify-file.js';
import type { Store } from './write-store.js';

/**
 * Brings git's own index to the head, so that a person's commit reverts nothing; what a person staged stays. It is
 * never read for a decision about a note. Requires the write lock.
 */
export const refreshGitIndex = async (store: Store, name: JournalName): Promise<void> => {
  const journal = store.journals[name];
  const head = journal.exists() ? journal.head() : undefined;
  const known = store.state.fact(indexFact(name));
  if (head === undefined) return;
  const { folders } = journal;
  const isMade = existsSync(join(folders.gitDir, 'index'));
  if (isMade && known === head) return;
  const changes = await diffTrees(folders, known, head).catch((error: unknown) => {
    // A purge or another rewrite of the history removed that commit.
    if (known === undefined || !(error instanceof GitError)) throw error;
    return diffTrees(folders, undefined, head);
  });
  if (!isMade) await runGit(folders, ['read-tree', head]);
  else {
    const lines = (await findStale(folders, changes, head)).map(({ path, after, afterMode }) =>
      after === undefined ? `0 ${'0'.repeat(head.length)}\t${path}\0` : `${afterMode} ${after} 0\t${path}\0`,
    );
    if (lines.length > 0) await runGit(folders, ['update-index', '-z', '--index-info'], [lines.join('')]);
  }
  if (known === undefined && isMade) await clearSkipBits(folders);
  await checkOutOthers(journal, changes);
  noteGitIndex(store, name, head);
};

/** Notes where git's own index is; called with '' when a person's git moved the branch and may have left it anywhere. */
export const noteGitIndex = ({ state }: Pick<Store, 'state'>, name: JournalName, head: string): void =>
  state.setFact(indexFact(name), head);

const indexFact = (name: JournalName): string => `index-at:${journalFolder[name]}`;

/** Returns the head's versions at paths where the index has an earlier one, or none of a file that is new. */
const findStale = async (
  folders: GitFolders,
  changes: readonly PathChange[],
  head: string,
): Promise<readonly PathChange[]> => {
  const raw = ['diff-index', '--cached', '-R', '--raw', '-z', '--no-abbrev', ...everyChange, head, '--'];
  const output = await runGit(folders, raw);
  // What git could not merge stays so.
  const fields = splitFields(output);
  const unmerged = new Set(fields.filter((_, at) => fields[at - 1]?.endsWith(' U') === true));
  const unlike = parseRawDiff(output).filter(({ path }) => !unmerged.has(path));
  const known = new Map(changes.map(({ path, before }) => [path, before]));
  const isOurs = ({ path, before, after }: PathChange): boolean =>
    (known.has(path) && known.get(path) === before) ||
    (before === undefined && after !== undefined && existsSync(join(folders.workTree, path)));
  const others = unlike.filter((one) => !isOurs(one) && one.before !== undefined);
  const paths = others.length <= maxPaths ? others.map(({ path }) => path) : [];
  const versions = others.length === 0 ? new Map() : await versionsIn(folders, head, paths);
  return unlike.filter((one) => isOurs(one) || versions.get(one.path)?.has(one.before) === true);
};

/** More paths than this may not fit in a command line: then git is asked about all. */
const maxPaths = 500;

/** Versions before this one marked files that aren't notes, because they were not checked out. */
const clearSkipBits = async (folders: GitFolders): Promise<void> => {
  const listed = (await runGit(folders, ['ls-files', '-t', '-z'])).toString('utf8').split('\0');
  const skipped = listed.flatMap((line) => (line.startsWith('S ') ? [`${line.slice(2)}\0`] : []));
  if (skipped.length > 0)
    await runGit(folders, ['update-index', '--no-skip-worktree', '-z', '--stdin'], [skipped.join('')]);
};

/** Only where that overwrites nothing: they are the person's. What is no plain file, or too large, is carried. */
export const checkOutOthers = async (journal: GitJournal, changes: readonly PathChange[]): Promise<void> => {
  const others = changes.filter(({ path }) => !isNotePath(path) && whyNoNote(path) === undefined);
  const wanted = others.filter(({ path, before, after, afterMode }) => {
    if (after !== undefined && !isFileMode(afterMode)) return false;
    const found = readNoteFile(journal.folder, path, after ?? before);
    const blob = found.kind === 'file' ? found.row.blob : undefined;
    return found.kind !== 'obstacle' && classifyFile(before, after, blob) === 'put' && blob === before;
  });
  for await (const { entry, bytes } of readInBatches(
    journal,
    wanted.flatMap((change) => (change.after === undefined ? [] : [{ ...change, blob: change.after }])),
  )) {
    if (bytes === undefined) continue;
    const row = putNoteFile(journal.folder, entry.path, bytes, entry.before);
    if (row !== 'changed' && entry.afterMode === '100755') chmodSync(join(journal.folder, entry.path), 0o700);
  }
  for (const { path, before, after } of wanted) if (after === undefined) removeNoteFile(journal.folder, path, before);
};

/**
 * Removes a killed git's locks after ten seconds (they block a person's git) and half-written objects after an hour. A
 * killed writer's leftovers are excluded from a person's commits.
 */
export const removeLeftovers = (store: Store, name: JournalName): void => {
  const journal = store.journals[name];
  if (!journal.exists()) return;
  const { gitDir } = journal.folders;
  excludeTemporaries(gitDir);
  for (const lock of removeStaleLocks(gitDir, Date.now()))
    store.log(`removed ${join(gitDir, lock)}, which a killed git left behind`);
  for (const path of removeStaleObjects(journal.folders.gitDir, Date.now())) store.log(`removed ${path}`);
};

/** Every write adds a pack, and git gets slower with their number. */
const maxPacks = 64;
/** Above this number, repacking costs less time than the packs do. */
const tooManyPacks = 1000;

/** True if this or another process has written within that time and upkeep can wait for a pause. */
export const isBusy = ({ journals }: Store, withinMs: number): boolean =>
  Object.values(journals).some(
    (journal) =>
      journal.exists() &&
      Date.now() - movedAtMs(journal.folders.gitDir) < withinMs &&
      countPacks(journal.folders.gitDir) < tooManyPacks,
  );

export const needsRepack = (store: Store, name: JournalName): boolean => {
  const journal = store.journals[name];
  return journal.exists() && countPacks(journal.folders.gitDir) > maxPacks;
};

/** Requires the write lock, because a pack that is being written must not be removed. */
export const repackJournal = async (store: Store, name: JournalName): Promise<void> => {
  const { repack } = await import('../../events/git/git-admin.js');
  await repack(store.journals[name].folders);
};
