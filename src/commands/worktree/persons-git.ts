/**
 * Follows what a person's git did to main since H (docs/architecture.md, A person's git): takes commits on top, lets
 * unpublished ones be rewritten, and undoes anything else for the branch, while the files stay.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../events/faults.js';
import { acceptedHead, keepRescue, moveBranch } from '../../events/git/branch.js';
import { nextForOtherHead, noteHead, readOtherHead, readRef } from '../../events/git/git-files.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { type GitFolders, headRef, runGit } from '../../events/git/git-process.js';
import { noteGitIndex } from './upkeep.js';
import type { Store } from './write-store.js';

export type BranchMove = {
  /** `dropped`: main is the new H, and the old one is kept in rescue. `back`: main has to go back to H. */
  readonly kind: 'same' | 'taken' | 'dropped' | 'back';
  /** The head that the files are compared with. */
  readonly head: string | undefined;
};

/** Changes nothing; no git call while main is where we left it. */
export const judgeBranch = async (journal: GitJournal): Promise<BranchMove> => {
  const main = journal.head();
  const ours = readRef(journal.folders.gitDir, headRef);
  if (main === undefined || main === ours) return { kind: 'same', head: main };
  if (ours === undefined || (await journal.resolve(ours)) === undefined || (await journal.contains(main, ours)))
    return { kind: 'taken', head: main };
  return (await mayBeDropped(journal, ours, main)) ? { kind: 'dropped', head: main } : { kind: 'back', head: ours };
};

/** True if all that `ours` has over main is unpublished, and is a person's or stands in main under its event id. */
const mayBeDropped = async (journal: GitJournal, ours: string, main: string): Promise<boolean> => {
  const dropped = await journal.events(main, ours);
  const accepted = journal.name === 'portable' ? acceptedHead(journal.folders) : undefined;
  if (accepted !== undefined && (await journal.resolve(accepted)) !== undefined) {
    const range = ['rev-list', '--count', ours, `^${main}`, `^${accepted}`, '--'];
    const unpublished = Number((await runGit(journal.folders, range)).toString('latin1'));
    if (unpublished < dropped.length) return false;
  }
  // An amended commit may change notes that its trailers don't name: it still stands for its event.
  const form = '--format=%(trailers:key=Event,valueonly,separator=%x2C)';
  const listed = await runGit(journal.folders, ['log', form, main, `^${ours}`, '--']);
  const standing = new Set(listed.toString('latin1').split(/[\n,]/));
  return dropped.every(({ foreign, event }) => foreign || standing.has(event.id));
};

export type FollowedBranch = {
  readonly head: string | undefined;
  /** Paths that differ between H and where main was, and that commit if H lacks it. */
  readonly undone: { readonly paths: readonly string[]; readonly joins: string | undefined } | undefined;
};

/** Requires the write lock. Throws Fault 'head-elsewhere' while a person's git is in the middle of something. */
export const followBranch = async (store: Store, journal: GitJournal): Promise<FollowedBranch> => {
  const { folders, name } = journal;
  refuseUnfinished(journal);
  const main = journal.head();
  const { kind, head } = await judgeBranch(journal);
  if (kind === 'same' || head === undefined || main === undefined) return { head, undone: undefined };
  const newId = store.newId(store.nowMs());
  noteGitIndex(store, name, '');
  if (kind === 'dropped') await keepRescue(folders, readRef(folders.gitDir, headRef) ?? main, newId);
  if (kind !== 'back') {
    noteHead(folders.gitDir, head);
    return { head, undone: undefined };
  }
  const joins = (await journal.contains(head, main)) ? undefined : main;
  if (joins !== undefined) await keepRescue(folders, joins, newId);
  const paths = (await journal.diff(head, main)).map(({ path }) => path);
  // After a kill, the next command still compares these files.
  for (const path of paths) store.state.touch(name, path);
  store.step('head:back');
  await moveBranch(folders, main, head, store.log);
  store.log(`${folders.workTree}: another program moved main to ${main}; it is at ${head} again`);
  return { head, undone: { paths, joins } };
};

const refuseUnfinished = ({ folder, folders: { gitDir } }: GitJournal): void => {
  const elsewhere = readOtherHead(gitDir);
  const operation = underWay.find(([file]) => existsSync(join(gitDir, file)))?.[1];
  // A repository that isn't there yet has no HEAD.
  if ((elsewhere === undefined || elsewhere === 'no HEAD file') && operation === undefined) return;
  const what = operation === undefined ? `HEAD is not on main but at ${elsewhere?.replace(/^ref: /, '')}` : operation;
  throw new Fault('head-elsewhere', `in ${folder}, ${what}, so nothing was written`, nextForOtherHead(gitDir, folder));
};

const underWay = [
  ['MERGE_HEAD', 'a merge is under way'],
  ['rebase-merge', 'a rebase is under way'],
  ['rebase-apply', 'a rebase or git am is under way'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick is under way'],
  ['REVERT_HEAD', 'a revert is under way'],
  ['BISECT_LOG', 'a bisect is under way'],
] as const;

/** The edited files that git couldn't merge and that hold its marks; marks alone may be a note about git. */
export const findUnmerged = async (
  { folders }: GitJournal,
  edits: readonly { readonly path: string; readonly bytes: Buffer }[],
): Promise<ReadonlySet<string>> => {
  const marked = edits.filter(({ bytes }) => bytes.includes('\n<<<<<<< ') && bytes.includes('\n>>>>>>> '));
  if (marked.length === 0) return new Set();
  const unmerged = await unmergedPaths(folders);
  return new Set(marked.map(({ path }) => path).filter((path) => unmerged.has(path)));
};

export const refuseUnmerged = ({ folder }: GitJournal, path: string): never => {
  throw new Fault(
    'head-elsewhere',
    `${join(folder, path)} holds the marks of a merge that git could not finish, so nothing was written`,
    `edit the file, then run: git -C ${folder} add ${path}`,
  );
};

/** Returns paths that git could not merge and that weren't added since. One git call. */
const unmergedPaths = async (folders: GitFolders): Promise<ReadonlySet<string>> => {
  const entries = (await runGit(folders, ['ls-files', '--unmerged', '-z'])).toString('utf8').split('\0');
  return new Set(entries.map((entry) => entry.slice(entry.indexOf('\t') + 1)).filter((path) => path !== ''));
};
