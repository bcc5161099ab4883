/** A journal's git calls, each a child process. Loaded with the first call: most reads need none. */
import { join } from 'node:path';
import { Fault } from '../../faults.js';
import type { Journal, NewCommit } from '../../journal.js';
import type { JournalName } from '../../note/note.js';
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
  syncFolder,
  withoutLeftovers,
} from '../git-files.js';
import { isFileMode, logFormat, parseLogSteps, parseRawDiff, parseTree } from '../git-log.js';
import { everyChange, GitError, type GitFolders, runGit } from '../git-process.js';
import { retryWhileLocked } from '../git-retry.js';
import { branch } from '../journal-ref.js';
import { compareNotes, diffTrees, emptyTreeOf, noteFoldersIn, notesAmong } from '../note-tree.js';
import { readAsForeign } from './foreign-commits.js';
import { readSteps } from './journal-steps.js';
import { readEvents } from './logged-events.js';

export type GitCalls = Omit<Journal, 'name' | 'folder' | 'exists' | 'head' | 'incomplete'>;

export const openGitCalls = (name: JournalName, folders: GitFolders, log: (line: string) => void): GitCalls => {
  const { gitDir, workTree: folder } = folders;
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
    async append(commits, parent) {
      const elsewhere = readOtherHead(gitDir);
      if (elsewhere !== undefined) {
        throw new Fault(
          'head-elsewhere',
          `HEAD of ${folder} is not on main but at ${elsewhere.replace(/^ref: /, '')}, so nothing was written`,
          nextForOtherHead(gitDir, folder),
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
        noteHead(gitDir, ids.at(-1) ?? parent);
      }
      return ids;
    },

    async diff(from, to) {
      if (from === to) return [];
      if (from === undefined) {
        const entries = await this.notes(to);
        return entries.map(({ path, blob, mode }) => ({ path, before: undefined, after: blob, afterMode: mode }));
      }
      const [all, places] = await Promise.all([diffTrees(folders, from, to), noteFoldersIn(folders, to)]);
      const changes = all.filter(({ path }) => isNotePath(path));
      const paths = changes.map(({ path }) => path);
      if (!standApart(paths, places)) return compareNotes(await this.notes(from), await this.notes(to));
      return changes.map((change) => (isFileMode(change.afterMode) ? change : { ...change, after: undefined }));
    },

    async patch(from, to) {
      // Loads simple-git, which nothing else that opens a journal needs.
      const { diffText } = await import('../git-admin.js');
      return diffText(folders, from ?? (await emptyTreeOf(folders)), to ?? (await emptyTreeOf(folders)));
    },

    async notes(commit) {
      return notesAmong(await this.tree(commit));
    },

    async tree(commit) {
      return parseTree(await run(['ls-tree', '-r', '-z', '--full-tree', commit]));
    },

    blobs: (ids, inAll) => readBlobs(folders, ids, { inAll }),
    sizes: (ids) => readSizes(folders, ids),

    events: (from, to, isForward = false) => readEvents(folders, from, to, isForward),

    asForeign: (commits) => readAsForeign(folders, commits),

    steps: (from, to, most) => readSteps(folders, from, to, most),

    async changesOf(commits) {
      if (commits.length === 0) return new Map();
      const shape = ['--raw', '--no-abbrev', '--diff-merges=first-parent', ...everyChange, logFormat];
      const input = commits.map((commit) => `${commit}\n`).join('');
      const steps = parseLogSteps(await run(['log', '-z', '--no-walk=unsorted', ...shape, '--stdin'], [input]));
      return new Map(
        steps.map(({ commit, changes }) => [commit.hash, changes.filter(({ path }) => isNotePath(path))] as const),
      );
    },

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
        // When both are the same commit, checks that git has it.
        if (commit === ancestor) await run(['merge-base', '--is-ancestor', ancestor, commit]);
        return (await mergeBases(folders, ancestor, commit)).includes(ancestor);
      } catch (error) {
        // One of the two is missing.
        if (error instanceof GitError && error.exitCode === 128) return false;
        throw error;
      }
    },
  };
};

const movedMessage = /Not updating|but expected|is at [0-9a-f]+ but/;
