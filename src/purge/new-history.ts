/** Writes the new history through one `git fast-import`, which moves no ref in use. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../events/git/git-files.js';
import type { RawCommit } from '../events/git/git-objects.js';
import { openGitPipe } from '../events/git/git-pipe.js';
import type { GitFolders } from '../events/git/git-process.js';
import {
  checkCommit,
  checkEncoding,
  checkIdentity,
  checkObject,
  quotePath,
  usualMode,
} from '../events/git/stream-form.js';

/** Never read. A killed purge may leave it behind; the next one resets it. */
export const purgingRef = 'refs/anamnesis/purging';

/** `path` is git's raw bytes as latin1. A change without `object` removes the path. */
export type NewChange = { readonly path: string; readonly mode: string; readonly object: string | undefined };

export type NewRawCommit = Pick<RawCommit, 'author' | 'committer' | 'encoding' | 'message'> & {
  /** Ids of commits, or marks returned by `commit`. */
  readonly parents: readonly string[];
  /** Changes against the first parent. */
  readonly changes: readonly NewChange[];
};

export type NewHistory = {
  /** Returns a mark, which a change may name as its object. */
  blob(bytes: Buffer): Promise<string>;
  /** Returns a mark. */
  commit(commit: NewRawCommit): Promise<string>;
  /** Returns the ids of commits by mark, once they are durable. Nothing can be added afterwards. Throws GitError. */
  finish(marks: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Kills git. No ref reaches what it has written. */
  giveUp(): Promise<void>;
};

/** Under the write lock, so a lock file on the ref can only be left from a killed purge. */
export const openNewHistory = (folders: GitFolders): NewHistory => {
  rmSync(join(folders.gitDir, `${purgingRef}.lock`), { force: true });
  const settings = ['-c', 'core.fsync=committed,loose-object,reference'];
  const pipe = openGitPipe(folders, [
    ...settings,
    'fast-import',
    '--quiet',
    '--done',
    '--force',
    '--date-format=raw-permissive',
  ]);
  const answers = readAll(pipe.output);
  let last = 0;
  let tip = '';
  const nextMark = (): string => {
    last += 1;
    return `:${last}`;
  };
  return {
    async blob(bytes) {
      const mark = nextMark();
      await pipe.write(`blob\nmark ${mark}\ndata ${bytes.length}\n`);
      await pipe.write(bytes);
      await pipe.write('\n');
      return mark;
    },
    async commit({ author, committer, encoding, message, parents, changes }) {
      const mark = nextMark();
      const [first, ...others] = parents;
      // A commit on the branch's tip needs no `from`, which saves git from reading the tree again.
      const isOnTip = first !== undefined && first === tip;
      const head = [
        ...(first === undefined ? [`reset ${purgingRef}\n\n`] : []),
        `commit ${purgingRef}\nmark ${mark}\nauthor ${checkIdentity(author)}\ncommitter ${checkIdentity(committer)}\n`,
        ...(encoding === undefined ? [] : [`encoding ${checkEncoding(encoding)}\n`]),
        `data ${message.length}\n`,
      ];
      await pipe.write(Buffer.from(head.join(''), 'latin1'));
      await pipe.write(message);
      const lines = [
        '\n',
        ...(first === undefined || isOnTip ? [] : [`from ${checkCommit(first)}\n`]),
        ...others.map((parent) => `merge ${checkCommit(parent)}\n`),
        // Removals come first: a removed file may make room for a folder of the same name.
        ...changes.flatMap(({ path, object }) => (object === undefined ? [`D ${quotePath(path)}\n`] : [])),
        ...changes.flatMap(({ path, mode, object }) =>
          object === undefined ? [] : [`M ${usualMode(mode)} ${checkObject(object)} ${quotePath(path)}\n`],
        ),
        '\n',
      ];
      await pipe.write(Buffer.from(lines.join(''), 'latin1'));
      tip = mark;
      return mark;
    },
    async finish(marks) {
      for (const mark of marks) await pipe.write(`get-mark ${mark}\n`);
      await pipe.write('done\n');
      await pipe.close();
      const ids = (await answers).split('\n');
      await pipe.ended;
      syncFolder(join(folders.gitDir, 'objects', 'pack'));
      return new Map(marks.map((mark, at) => [mark, ids[at] ?? '']));
    },
    async giveUp() {
      pipe.kill();
      await answers.catch(() => undefined);
      await pipe.ended.catch(() => undefined);
    },
  };
};

const readAll = async (output: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of output) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
};
