/** A journal in git: `main` is the truth. Appending takes one `git fast-import`; reading touches no file, no index. */
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Fault } from '../faults.js';
import type { Journal } from '../journal.js';
import type { JournalName } from '../note/note.js';
import type { GitFolders } from './git-process.js';
import type { GitCalls } from './journal/git-calls.js';
import { checkHead } from './journal-damage.js';

/** For code that works on the repository itself: working tree, sync, purge and repair. */
export type GitJournal = Journal & {
  readonly folders: GitFolders;
};

export const openGitJournal = (name: JournalName, folder: string, log: (line: string) => void): GitJournal => {
  const gitDir = join(folder, '.git');
  const folders: GitFolders = { gitDir, workTree: folder };
  let opened: Promise<GitCalls> | undefined;
  const calls = (): Promise<GitCalls> => {
    opened ??= import('./journal/git-calls.js').then(({ GitCalls: Calls }) => new Calls(name, folders, log));
    return opened;
  };

  return {
    name,
    folder,
    folders,
    exists: () => statSync(join(gitDir, 'HEAD'), { throwIfNoEntry: false }) !== undefined,
    head: () => checkHead(folder, gitDir),
    append: async (commits, parent) => (await calls()).append(commits, parent),
    diff: async (from, to) => (await calls()).diff(from, to),
    patch: async (from, to) => (await calls()).patch(from, to),
    notes: async (commit) => (await calls()).notes(commit),
    tree: async (commit) => (await calls()).tree(commit),
    blobs: async (ids, inAll) => (await calls()).blobs(ids, inAll),
    sizes: async (ids) => (await calls()).sizes(ids),
    events: async (from, to, isForward) => (await calls()).events(from, to, isForward),
    asForeign: async (commits) => (await calls()).asForeign(commits),
    steps: async (from, to, most) => (await calls()).steps(from, to, most),
    changesOf: async (commits) => (await calls()).changesOf(commits),
    versions: async (commit, path) => (await calls()).versions(commit, path),
    parents: async (commit) => (await calls()).parents(commit),
    resolve: async (text) => (await calls()).resolve(text),
    timeOf: async (commit) => (await calls()).timeOf(commit),
    commitAt: async (timeMs) => (await calls()).commitAt(timeMs),
    contains: async (commit, ancestor) => (await calls()).contains(commit, ancestor),
    incomplete: () =>
      new Fault(
        'journal-damaged',
        `the history of ${basename(folder)} names a commit that is not there (a shallow clone?)`,
        `run: git -C ${folder} fetch --unshallow, or anamnesis verify`,
      ),
  };
};
