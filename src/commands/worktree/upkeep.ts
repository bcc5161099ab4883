/** Maintains a journal's repository for git and for people: git's own index, leftovers, packs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { countPacks, movedAtMs, removeStaleLocks, removeStaleObjects } from '../../events/git/git-files.js';
import { changeIndex, versionsSince } from '../../events/git/git-index.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { isFileMode } from '../../events/git/git-log.js';
import { GitError, type GitFolders, runGit } from '../../events/git/git-process.js';
import { diffTrees } from '../../events/git/note-tree.js';
import { type BlobId, type JournalName, journalFolder } from '../../events/note/note.js';
import { isNotePath } from '../../events/note/paths.js';
import type {
  bringCopy as BringCopy,
  CarriedVersions,
  isCheckedOut as IsCheckedOut,
} from '../../events/worktree/carried-file.js';
import { excludeTemporaries } from '../../events/worktree/working-tree.js';
import type { Store } from './write-store.js';

/**
 * Updates git's own index from where we last left it to the head, along with a person's copies of files that aren't
 * notes, so that `git status` is clean and a person's commit reverts nothing. A courtesy: an entry that none of our
 * heads had is the person's and stays, and the index is never read for a decision about a note. Requires the write
 * lock.
 */
export const refreshGitIndex = async (store: Store, name: JournalName): Promise<void> => {
  const journal = store.journals[name];
  const head = journal.exists() ? journal.head() : undefined;
  const key = indexFact(name);
  // Where it was last left, followed by heads that a refresh was killed on its way to: it may be there too.
  const known = store.state.fact(key)?.split(' ') ?? [];
  if (head === undefined) return;
  const { folders } = journal;
  const isMade = existsSync(join(folders.gitDir, 'index'));
  if (isMade && known.length === 1 && known[0] === head) return;
  // Loads the masking of secrets, before the index is locked, so that a person's git doesn't wait for it.
  const carried = await import('../../events/worktree/carried-file.js');
  announceIndex(store, name, head);
  if (isMade) {
    const changes = await readChanges(folders, known, head);
    if (changes.size > 0)
      await changeIndex(folders, (copied) => updateEntries(journal, copied, { changes, known, head }, carried));
  } else {
    const entries = await journal.tree(head);
    await changeIndex(folders, async (copied) => {
      await runGit(copied, ['read-tree', head]);
      await skipCarried(copied, entries, carried);
    });
  }
  store.state.setFact(key, head);
};

/** Called before git's own index is set to a head, so that a refresh that finds it done knows whose change it is. */
export const announceIndex = (store: Store, name: JournalName, head: string): void => {
  const key = indexFact(name);
  const known = store.state.fact(key)?.split(' ') ?? [];
  store.state.setFact(key, [...new Set([...known, head])].join(' '));
};

const updateEntries = async (
  journal: GitJournal,
  folders: GitFolders,
  { changes, known, head }: IndexMove,
  files: CarriedFiles,
): Promise<void> => {
  const listed = ['--literal-pathspecs', 'ls-files', '--stage', '-t', '-z', '--', ...ifFew([...changes.keys()])];
  const { blobOf, skipped } = parseStage(await runGit(folders, listed));
  const others = [...changes].flatMap(([path, { before, after }]) =>
    before.has(blobOf.get(path)) || blobOf.get(path) === after ? [] : [path],
  );
  const onTheWay = others.length === 0 ? undefined : await versionsSince(folders, known, head, ifFew(others));
  const isOurs = (path: string, { before }: IndexChange): boolean =>
    before.has(blobOf.get(path)) || onTheWay?.get(path)?.has(blobOf.get(path)) === true;
  const ours = [...changes].filter(([path, change]) => isOurs(path, change));
  if (ours.length === 0) return;
  const lines = ours.map(([path, { after, afterMode }]) =>
    after === undefined ? `0 ${'0'.repeat(head.length)}\t${path}\0` : `${afterMode} ${after} 0\t${path}\0`,
  );
  await runGit(folders, ['update-index', '-z', '--index-info'], [lines.join('')]);
  const carried = ours.flatMap(([path, { before, after, afterMode: mode }]) =>
    after === undefined ? [] : [{ path, before, base: skipped.has(path) ? undefined : blobOf.get(path), after, mode }],
  );
  await skipCarried(folders, carried, files, await bringCopies(journal, carried, files));
};

type IndexMove = {
  readonly changes: ReadonlyMap<string, IndexChange>;
  readonly known: readonly string[];
  readonly head: string;
};

/** Returns no paths, which stands for all, if they don't fit in a command line. */
const ifFew = (paths: readonly string[]): readonly string[] => (paths.length <= 500 ? paths : []);

type CarriedFiles = { readonly bringCopy: typeof BringCopy; readonly isCheckedOut: typeof IsCheckedOut };

/** Returns the paths whose copies still differ from the new version by more than the person's edit. */
const bringCopies = async (
  journal: GitJournal,
  entries: readonly (Omit<CarriedVersions, 'isExecutable'> & { readonly mode: string })[],
  { bringCopy, isCheckedOut }: CarriedFiles,
): Promise<ReadonlySet<string>> => {
  const copies = entries.filter(
    (entry) => !isNotePath(entry.path) && isFileMode(entry.mode) && isCheckedOut(journal.folder, entry.path),
  );
  const apart = new Set<string>();
  for (const copy of copies) {
    const versions = { ...copy, isExecutable: copy.mode === '100755' };
    if (!(await bringCopy(journal.folder, versions, (blobs) => journal.blobs(blobs)))) apart.add(copy.path);
  }
  return apart;
};

/** True for anything but a note, which is checked out as a file. */
const isCarried = ({ path, mode }: { readonly path: string; readonly mode: string }): boolean =>
  !(isNotePath(path) && isFileMode(mode));

/**
 * Marks files that aren't notes: they are not checked out, and without the mark a person's `git add -A` would remove
 * them for everyone, or revert a change that could not be applied to their copy.
 */
const skipCarried = async (
  folders: GitFolders,
  entries: readonly { readonly path: string; readonly mode: string }[],
  { isCheckedOut }: Pick<CarriedFiles, 'isCheckedOut'>,
  apart: ReadonlySet<string> = new Set(),
): Promise<void> => {
  const skipped = entries.filter(
    (entry) => isCarried(entry) && (apart.has(entry.path) || !isCheckedOut(folders.workTree, entry.path)),
  );
  if (skipped.length === 0) return;
  const paths = skipped.map(({ path }) => `${path}\0`);
  await runGit(folders, ['update-index', '--skip-worktree', '-z', '--stdin'], [paths.join('')]);
};

type IndexChange = {
  readonly before: Set<BlobId | undefined>;
  readonly after: BlobId | undefined;
  readonly afterMode: string;
};

/** By path: the versions that an entry of ours may have, and the one it should have. */
const readChanges = async (
  folders: GitFolders,
  known: readonly string[],
  head: string,
): Promise<ReadonlyMap<string, IndexChange>> => {
  const changes = new Map<string, IndexChange>();
  for (const from of known.length === 0 ? [undefined] : known) {
    // A purged commit has no versions to recognise.
    const differing = await diffTrees(folders, from, head).catch((error: unknown) => {
      if (error instanceof GitError) return [];
      throw error;
    });
    for (const { path, before, after, afterMode } of differing) {
      const change = changes.get(path) ?? { before: new Set(), after, afterMode };
      change.before.add(before);
      changes.set(path, change);
    }
  }
  return changes;
};

/**
 * Notes commits at which git's own index may be, where a person's `git add`, `git commit` or `git pull` left it. A
 * commit that they amended has our trailers.
 */
export const noteForeignCommits = ({ state }: Store, name: JournalName, commits: readonly string[]): void => {
  const known = state.fact(indexFact(name))?.split(' ') ?? [];
  if (commits.length === 0) return;
  const [first = '', ...others] = [...new Set([...known, ...commits])];
  state.setFact(indexFact(name), [first, ...others.slice(-maxKnown)].join(' '));
};

/** Each costs a git call in the next refresh, which forgets them. */
const maxKnown = 16;

const indexFact = (name: JournalName): string => `git-index:${journalFolder[name]}`;

/**
 * Removes what a killed git left: locks, which block a person's git too, after ten seconds, and half-written objects
 * after an hour. A killed writer's leftovers are excluded from a person's commits, even in a repository that existed
 * before us.
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

/** Parses the output of `git ls-files --stage -t -z`. */
const parseStage = (
  output: Buffer,
): { readonly blobOf: ReadonlyMap<string, BlobId>; readonly skipped: ReadonlySet<string> } => {
  const blobOf = new Map<string, BlobId>();
  const skipped = new Set<string>();
  for (const line of output.toString('utf8').split('\0')) {
    const tab = line.indexOf('\t');
    if (tab === -1) continue;
    const [tag, , blob = ''] = line.split(' ');
    blobOf.set(line.slice(tab + 1), blob);
    if (tag === 'S') skipped.add(line.slice(tab + 1));
  }
  return { blobOf, skipped };
};
