/** Upkeep of a journal for git and for people: git's own index, and few packs instead of many. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { countPacks, movedAtMs, removeStaleLocks, removeStaleObjects } from '../../events/git/git-files.js';
import { changeIndex, versionsOnTheWay } from '../../events/git/git-index.js';
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
 * Brings git's own index from where we last left it to the head, with a person's copies of files that are no notes, so that
 * `git status` is clean and a person's commit takes nothing back. A courtesy: an entry that holds what no head of ours held is
 * the person's and stays, and the index is never read for a decision about a note. Under the write lock.
 */
export const refreshGitIndex = async (store: Store, name: JournalName): Promise<void> => {
  const journal = store.journals[name];
  const head = journal.exists() ? journal.head() : undefined;
  const key = indexFact(name);
  // Where it was last left, and behind that the heads that a refresh was killed on its way to: it may be there too.
  const known = store.state.fact(key)?.split(' ') ?? [];
  if (head === undefined) return;
  const { folders } = journal;
  const isMade = existsSync(join(folders.gitDir, 'index'));
  if (isMade && known.length === 1 && known[0] === head) return;
  // It brings what masks secrets. A person's git waits for no file of ours while the index is locked.
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

/** To be told before git's own index is changed to a head's: a refresh that finds it done then knows whose it is. */
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
  const onTheWay = others.length === 0 ? undefined : await versionsOnTheWay(folders, known, head, ifFew(others));
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

/** None stands for all: more of them don't fit in a command line. */
const ifFew = (paths: readonly string[]): readonly string[] => (paths.length <= 500 ? paths : []);

type CarriedFiles = { readonly bringCopy: typeof BringCopy; readonly isCheckedOut: typeof IsCheckedOut };

/** Answers the paths whose copies go on differing from what came by more than the person's edit. */
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

/** Not a note, which is laid out as a file. */
const isCarried = ({ path, mode }: { readonly path: string; readonly mode: string }): boolean =>
  !(isNotePath(path) && isFileMode(mode));

/**
 * Files that aren't notes are not checked out: without this mark a person's `git add -A` would remove them for everybody, and
 * where a copy can't be brought to what came, take that back.
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

/** By path: what an entry of ours may hold, and what it is to hold. */
const readChanges = async (
  folders: GitFolders,
  known: readonly string[],
  head: string,
): Promise<ReadonlyMap<string, IndexChange>> => {
  const changes = new Map<string, IndexChange>();
  for (const from of known.length === 0 ? [undefined] : known) {
    // Purged files have no versions to recognise.
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
 * git's own index may stand at these commits, which is where a person's `git add`, `git commit` and `git pull` left it. One
 * that they amended has the trailers of ours.
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
 * Removes what a killed git left: locks, which hold up a person's git too, and what was half written, an hour after. What
 * a killed writer left is kept out of a person's commits, also in a repository that was there before us.
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

/** One pack per write adds up; git gets slower with their number. */
const maxPacks = 64;
/** Beyond that many, packing them holds up less than they do. */
const tooManyPacks = 1000;

/** Somebody, here or in another process, has written within that time, and upkeep can wait for a pause. */
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

/** Under the write lock, because a pack that is being written must not be taken away. */
export const repackJournal = async (store: Store, name: JournalName): Promise<void> => {
  const { repack } = await import('../../events/git/git-admin.js');
  await repack(store.journals[name].folders);
};

/** What `git ls-files --stage -t -z` prints. */
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
