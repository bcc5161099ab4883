/**
 * A journal: a git repository of notes whose newest commit on `main` is the truth. Appending goes through one
 * `git fast-import` per call; reading never touches the working tree or git's own index.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEvent } from './event.js';
import { Fault } from './faults.js';
import { readBlobs, readSizes } from './git/blob-stream.js';
import { rangeOf } from './git/commit-range.js';
import { formatFastImport, type NewCommit } from './git/fast-import.js';
import { readAsForeign, readNotesOf } from './git/foreign-commits.js';
import { hasRemote, readHead, readOtherHead, syncFolder, withoutLeftovers } from './git/git-files.js';
import {
  isFileMode,
  logFormat,
  type PathChange,
  parseLog,
  parseRawDiff,
  parseTree,
  type TreeEntry,
} from './git/git-log.js';
import { everyChange, GitError, type GitFolders, runGit } from './git/git-process.js';
import { retryWhileLocked } from './git/git-retry.js';
import { checkHead } from './git/journal-damage.js';
import { branch } from './git/journal-ref.js';
import { readSteps, type Steps } from './git/journal-steps.js';
import { compareNotes, noteFoldersIn, notesAmong } from './git/note-tree.js';
import { type LoggedEvent, toLoggedEvent } from './logged-event.js';
import type { BlobId, JournalName } from './note/note.js';
import { isNotePath, standApart } from './note/paths.js';

/** The difference of two commits of one journal, with the bytes of what was added. */
export type Difference = {
  readonly journal: JournalName;
  readonly from: string | undefined;
  readonly to: string;
  readonly changes: readonly PathChange[];
  readonly bytes: ReadonlyMap<BlobId, Buffer>;
  /** Sizes of contents that are too large for a note and so not in `bytes`. */
  readonly tooLarge?: ReadonlyMap<BlobId, number> | undefined;
  readonly events: readonly LoggedEvent[];
  /** Events of `from` that are not of `to`: their commits were appended again elsewhere, or a person took them back. */
  readonly dropped?: readonly LoggedEvent[] | undefined;
};

export type Journal = {
  readonly name: JournalName;
  readonly folder: string;
  readonly folders: GitFolders;
  /** False before the journal was created, and where a folder of notes is not a repository yet. */
  exists(): boolean;
  /** Commit id, undefined for a journal without events. Never spawns. Throws Fault 'journal-damaged' where it is lost. */
  head(): string | undefined;
  /**
   * Appends commits on `parent`; they are durable when this returns. Answers their ids, or 'moved' when the head is
   * not `parent` any more: decide again and retry. Throws Fault 'head-elsewhere' when HEAD is not on main.
   */
  append(commits: readonly NewCommit[], parent: string | undefined): Promise<readonly string[] | 'moved'>;
  /** Files of the note folders that differ between two commits; `from` undefined is the empty tree. */
  diff(from: string | undefined, to: string): Promise<readonly PathChange[]>;
  /** Note files of a commit in path order (by UTF-16 code units). */
  notes(commit: string): Promise<readonly TreeEntry[]>;
  /** All entries of a commit, notes or not. */
  tree(commit: string): Promise<readonly TreeEntry[]>;
  /**
   * Contents by id; an id that git does not have, or whose file is too large for a note, is left out, and so is what comes
   * after the first `inAll` bytes.
   */
  blobs(ids: readonly BlobId[], inAll?: number): Promise<ReadonlyMap<BlobId, Buffer>>;
  /** Sizes in bytes of the files that git has among these ids, however large. */
  sizes(ids: readonly BlobId[]): Promise<ReadonlyMap<BlobId, number>>;
  /**
   * Events oldest first, parents before children, of `to` and not of `from`. Where `from` is known to be an ancestor,
   * `isForward` saves a git call.
   */
  events(from: string | undefined, to: string, isForward?: boolean): Promise<readonly LoggedEvent[]>;
  /** These commits as events when their trailers are not believed. */
  asForeign(commits: readonly string[]): Promise<ReadonlyMap<string, JournalEvent>>;
  /** The few commits that `to` is ahead of `from` in one call; undefined when there are more, or they are no line. */
  steps(from: string, to: string, most: number): Promise<Steps | undefined>;
  /** Every version that the path ever had in the history of `commit`. */
  versions(commit: string, path: string): Promise<ReadonlySet<BlobId>>;
  parents(commit: string): Promise<readonly string[]>;
  /** Whole commit id of what git understands as a commit of the branch, undefined for anything else. */
  resolve(text: string): Promise<string | undefined>;
  /** Commit time in epoch milliseconds. */
  timeOf(commit: string): Promise<number>;
  /** Newest commit at or before a time, in head order along first parents. */
  commitAt(timeMs: number): Promise<string | undefined>;
  /** True when `ancestor` is `commit` or one of its ancestors. */
  contains(commit: string, ancestor: string): Promise<boolean>;
};

export const openJournal = (name: JournalName, folder: string, log: (line: string) => void): Journal => {
  const gitDir = join(folder, '.git');
  const folders: GitFolders = { gitDir, workTree: folder };
  const run = (args: readonly string[], input?: Iterable<Buffer | string>): Promise<Buffer> =>
    runGit(folders, args, input);

  const importCommits = async (
    commits: readonly NewCommit[],
    parent: string | undefined,
  ): Promise<readonly string[] | 'moved'> => {
    try {
      const args = ['fast-import', '--quiet', '--done', '--date-format=raw'];
      const output = await withoutLeftovers(gitDir, () => run(args, formatFastImport(commits, branch, parent)));
      return output.toString('latin1').trim().split('\n');
    } catch (error) {
      if (error instanceof GitError && movedMessage.test(error.stderr)) return 'moved';
      throw error;
    }
  };

  return {
    name,
    folder,
    folders,
    exists: () => statSync(join(gitDir, 'HEAD'), { throwIfNoEntry: false }) !== undefined,
    head: () => checkHead(folder, gitDir),

    async append(commits, parent) {
      const elsewhere = readOtherHead(gitDir);
      if (elsewhere !== undefined) {
        throw new Fault(
          'head-elsewhere',
          `HEAD of ${folder} is not on main but at ${elsewhere.replace(/^ref: /, '')}, so nothing was written`,
          `run: git -C ${folder} switch main`,
        );
      }
      if (name === 'local' && hasRemote(gitDir)) {
        throw new Fault(
          'local-has-remote',
          `${folder} holds notes that must stay on this machine, but it has a remote`,
          `remove it: git -C ${folder} remote remove <name>`,
        );
      }
      if (readHead(gitDir) !== parent) return 'moved';
      if (commits.length === 0) return [];
      const ids = await retryWhileLocked(() => importCommits(commits, parent), gitDir, log);
      if (ids !== 'moved') {
        syncFolder(join(gitDir, 'objects', 'pack'));
        syncFolder(join(gitDir, 'refs', 'heads'));
      }
      return ids;
    },

    async diff(from, to) {
      if (from === to) return [];
      if (from === undefined) {
        const entries = await this.notes(to);
        return entries.map(({ path, blob, mode }) => ({ path, before: undefined, after: blob, afterMode: mode }));
      }
      const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', ...everyChange, from, to];
      const [output, places] = await Promise.all([run(args), noteFoldersIn(folders, to)]);
      const changes = parseRawDiff(output).filter(({ path }) => isNotePath(path));
      const paths = changes.map(({ path }) => path);
      if (!standApart(paths, places)) return compareNotes(await this.notes(from), await this.notes(to));
      return changes.map((change) => (isFileMode(change.afterMode) ? change : { ...change, after: undefined }));
    },

    async notes(commit) {
      return notesAmong(await this.tree(commit));
    },

    async tree(commit) {
      return parseTree(await run(['ls-tree', '-r', '-z', '--full-tree', commit]));
    },

    blobs: (ids, inAll) => readBlobs(folders, ids, { inAll }),
    sizes: (ids) => readSizes(folders, ids),

    async events(from, to, isForward = false) {
      if (from === to) return [];
      const range = isForward && from !== undefined ? [to, `^${from}`] : await rangeOf(folders, from, to);
      const commits = parseLog(await run(['log', '-z', '--topo-order', '--reverse', logFormat, ...range, '--']));
      const logged = commits.map((commit) => toLoggedEvent(commit, () => []));
      const notes = await readNotesOf(
        folders,
        commits.filter((_, at) => logged[at]?.foreign === true).map(({ hash }) => hash),
      );
      return notes.size === 0
        ? logged
        : commits.map((commit) => toLoggedEvent(commit, () => notes.get(commit.hash) ?? []));
    },

    asForeign: (commits) => readAsForeign(folders, commits),

    steps: (from, to, most) => readSteps(folders, from, to, most),

    async versions(commit, path) {
      const args = [
        '--literal-pathspecs',
        'log',
        '--format=',
        '--raw',
        '-z',
        '-m',
        '--no-abbrev',
        ...everyChange,
        commit,
        '--',
        path,
      ];
      const changes = parseRawDiff(await run(args));
      return new Set(changes.flatMap(({ before, after }) => [before ?? '', after ?? '']).filter((id) => id !== ''));
    },

    async parents(commit) {
      const output = await run(['rev-list', '--parents', '--max-count=1', commit]);
      return output.toString('latin1').trim().split(' ').slice(1);
    },

    async resolve(text) {
      try {
        const output = await run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${text}^{commit}`]);
        return output.toString('latin1').trim();
      } catch (error) {
        if (error instanceof GitError) return undefined;
        throw error;
      }
    },

    async timeOf(commit) {
      const output = await run(['show', '--no-patch', '--format=%ct', commit]);
      return Number(output.toString('latin1').trim()) * 1000;
    },

    async commitAt(timeMs) {
      const head = readHead(gitDir);
      if (head === undefined) return undefined;
      const output = await run(['log', '--first-parent', '--format=%ct %H', head]);
      for (const line of output.toString('latin1').split('\n')) {
        const [seconds = '', commit = ''] = line.split(' ');
        if (commit !== '' && Number(seconds) * 1000 <= timeMs) return commit;
      }
      return undefined;
    },

    async contains(commit, ancestor) {
      try {
        await run(['merge-base', '--is-ancestor', ancestor, commit]);
        return true;
      } catch (error) {
        // Exit 1 says no; 128 that one of the two is not here at all.
        if (error instanceof GitError && (error.exitCode === 1 || error.exitCode === 128)) return false;
        throw error;
      }
    },
  };
};

const movedMessage = /Not updating|but expected|is at [0-9a-f]+ but/;
