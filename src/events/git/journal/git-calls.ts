/** A journal's git calls, each a child process. Loaded with the first call: most reads need none. */
import { join } from 'node:path';
import type { JournalEvent } from '../../event.js';
import { Fault } from '../../faults.js';
import type { Journal, NewCommit, PathChange, Steps, TreeEntry } from '../../journal.js';
import type { LoggedEvent } from '../../logged-event.js';
import type { BlobId, JournalName } from '../../note/note.js';
import { isNotePath, standApart } from '../../note/paths.js';
import { readBlobs, readSizes } from '../blob-stream.js';
import { mergeBases } from '../commit-range.js';
import { formatFastImport } from '../fast-import.js';
import {
  hasRemote,
  nextForOtherHead,
  noteHead,
  readHead,
  readOtherHead,
  retryWhileLocked,
  syncFolder,
} from '../git-files.js';
import { isFileMode, logFormat, parseLogSteps, parseTree } from '../git-log.js';
import { branch, everyChange, GitError, type GitFolders, runGit } from '../git-process.js';
import { compareNotes, diffTrees, emptyTreeOf, notesAmong, readTree, versionsIn } from '../note-tree.js';
import { readAsForeign, readEvents, readSteps } from './logged-events.js';

export class GitCalls implements Omit<Journal, 'name' | 'folder' | 'exists' | 'head' | 'incomplete'> {
  constructor(
    private readonly name: JournalName,
    private readonly folders: GitFolders,
    private readonly log: (line: string) => void,
  ) {}

  async append(commits: readonly NewCommit[], parent: string | undefined): Promise<readonly string[] | 'moved'> {
    const { gitDir } = this.folders;
    this.#refuseAppend();
    if (readHead(gitDir) !== parent) return 'moved';
    if (commits.length === 0) return [];
    const ids = await retryWhileLocked(() => this.#import(commits, parent), gitDir, this.log);
    if (ids !== 'moved') {
      syncFolder(join(gitDir, 'objects', 'pack'));
      syncFolder(join(gitDir, 'refs', 'heads'));
      noteHead(gitDir, ids.at(-1) ?? parent);
    }
    return ids;
  }

  #refuseAppend(): void {
    const { gitDir, workTree: folder } = this.folders;
    const elsewhere = readOtherHead(gitDir);
    if (elsewhere !== undefined) {
      throw new Fault(
        'head-elsewhere',
        `HEAD of ${folder} is not on main but at ${elsewhere.replace(/^ref: /, '')}, so nothing was written`,
        nextForOtherHead(gitDir, folder),
      );
    }
    if (this.name === 'local' && hasRemote(gitDir)) {
      throw new Fault(
        'local-has-remote',
        `${folder} holds notes that must stay on this machine, but it has a remote`,
        `remove it: git -C ${folder} remote remove <name>`,
      );
    }
  }

  async #import(commits: readonly NewCommit[], parent: string | undefined): Promise<readonly string[] | 'moved'> {
    try {
      const args = ['fast-import', '--quiet', '--done', '--date-format=raw'];
      const stream = formatFastImport(commits, branch, parent);
      const output = await runGit(this.folders, args, stream);
      return output.toString('latin1').trim().split('\n');
    } catch (error) {
      if (error instanceof GitError && movedMessage.test(error.stderr)) return 'moved';
      throw error;
    }
  }

  async diff(from: string | undefined, to: string): Promise<readonly PathChange[]> {
    if (from === to) return [];
    if (from === undefined) {
      const entries = await this.notes(to);
      return entries.map(({ path, blob, mode }) => ({ path, before: undefined, after: blob, afterMode: mode }));
    }
    const all = await diffTrees(this.folders, from, to);
    const changes = all.filter(({ path }) => isNotePath(path));
    if (!standApart(changes)) return compareNotes(await this.notes(from), await this.notes(to));
    return changes.map((change) => (isFileMode(change.afterMode) ? change : { ...change, after: undefined }));
  }

  async patch(from: string | undefined, to: string | undefined): Promise<string> {
    // Loads simple-git, which nothing else that opens a journal needs.
    const { diffText } = await import('../git-admin.js');
    const { folders } = this;
    return diffText(folders, from ?? (await emptyTreeOf(folders)), to ?? (await emptyTreeOf(folders)));
  }

  async notes(commit: string): Promise<readonly TreeEntry[]> {
    return notesAmong(await this.tree(commit));
  }

  async tree(commit: string): Promise<readonly TreeEntry[]> {
    return parseTree(await readTree(this.folders, commit));
  }

  blobs(ids: readonly BlobId[], inAll?: number): Promise<ReadonlyMap<BlobId, Buffer>> {
    return readBlobs(this.folders, ids, { inAll });
  }

  sizes(ids: readonly BlobId[]): Promise<ReadonlyMap<BlobId, number>> {
    return readSizes(this.folders, ids);
  }

  events(from: string | undefined, to: string, isForward = false): Promise<readonly LoggedEvent[]> {
    return readEvents(this.folders, from, to, isForward);
  }

  asForeign(commits: readonly string[]): Promise<ReadonlyMap<string, JournalEvent>> {
    return readAsForeign(this.folders, commits);
  }

  steps(from: string, to: string, most: number): Promise<Steps | undefined> {
    return readSteps(this.folders, from, to, most);
  }

  async changesOf(commits: readonly string[]): Promise<ReadonlyMap<string, readonly PathChange[]>> {
    if (commits.length === 0) return new Map();
    const shape = ['--raw', '--no-abbrev', '--diff-merges=first-parent', ...everyChange, logFormat];
    const args = ['log', '-z', '--no-walk=unsorted', ...shape, '--stdin'];
    const input = commits.map((commit) => `${commit}\n`).join('');
    const steps = parseLogSteps(await runGit(this.folders, args, [input]));
    return new Map(
      steps.map(({ commit, changes }) => [commit.hash, changes.filter(({ path }) => isNotePath(path))] as const),
    );
  }

  async versions(commit: string, path: string): Promise<ReadonlySet<BlobId>> {
    const versions = await versionsIn(this.folders, commit, [path]);
    return new Set([...(versions.get(path) ?? [])].filter((blob) => blob !== undefined));
  }

  async parents(commit: string): Promise<readonly string[]> {
    const output = await runGit(this.folders, ['rev-list', '--parents', '--max-count=1', commit]);
    return output.toString('latin1').trim().split(' ').slice(1);
  }

  async resolve(text: string): Promise<string | undefined> {
    try {
      const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${text}^{commit}`];
      return (await runGit(this.folders, args)).toString('latin1').trim();
    } catch (error) {
      if (error instanceof GitError) return undefined;
      throw error;
    }
  }

  async timeOf(commit: string): Promise<number> {
    const output = await runGit(this.folders, ['show', '--no-patch', '--format=%ct', commit]);
    return Number(output.toString('latin1').trim()) * 1000;
  }

  async commitAt(timeMs: number): Promise<string | undefined> {
    const head = readHead(this.folders.gitDir);
    if (head === undefined) return undefined;
    const output = await runGit(this.folders, ['log', '--first-parent', '--format=%ct %H', head]);
    for (const line of output.toString('latin1').split('\n')) {
      const [seconds = '', commit = ''] = line.split(' ');
      if (commit !== '' && Number(seconds) * 1000 <= timeMs) return commit;
    }
    return undefined;
  }

  async contains(commit: string, ancestor: string): Promise<boolean> {
    try {
      // When both are the same commit, checks that git has it.
      if (commit === ancestor) await runGit(this.folders, ['merge-base', '--is-ancestor', ancestor, commit]);
      return (await mergeBases(this.folders, ancestor, commit)).includes(ancestor);
    } catch (error) {
      // One of the two is missing.
      if (error instanceof GitError && error.exitCode === 128) return false;
      throw error;
    }
  }
}

const movedMessage = /Not updating|but expected|is at [0-9a-f]+ but/;
