/** Writes the new history through one `git fast-import`, which moves no ref in use. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkCommit,
  checkEncoding,
  checkIdentity,
  checkObject,
  quotePath,
  usualMode,
} from '../events/git/fast-import.js';
import { syncFolder } from '../events/git/git-files.js';
import type { RawCommit } from '../events/git/git-objects.js';
import { type GitPipe, openGitPipe } from '../events/git/git-pipe.js';
import type { GitFolders } from '../events/git/git-process.js';

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

/** Under the write lock, so a lock file on the ref can only be left from a killed purge. */
export const openNewHistory = (folders: GitFolders): NewHistory => {
  rmSync(join(folders.gitDir, `${purgingRef}.lock`), { force: true });
  const settings = ['-c', 'core.fsync=committed,loose-object,reference'];
  const options = ['--quiet', '--done', '--force', '--date-format=raw-permissive'];
  return new NewHistory(folders, openGitPipe(folders, [...settings, 'fast-import', ...options]));
};

export class NewHistory {
  readonly #answers: Promise<string>;
  #last = 0;
  #tip = '';

  constructor(
    private readonly folders: GitFolders,
    private readonly pipe: GitPipe,
  ) {
    this.#answers = readAll(pipe.output);
  }

  #nextMark(): string {
    this.#last += 1;
    return `:${this.#last}`;
  }

  /** Returns a mark, which a change may name as its object. */
  async blob(bytes: Buffer): Promise<string> {
    const mark = this.#nextMark();
    await this.pipe.write(`blob\nmark ${mark}\ndata ${bytes.length}\n`);
    await this.pipe.write(bytes);
    await this.pipe.write('\n');
    return mark;
  }

  /** Returns a mark. */
  async commit({ author, committer, encoding, message, parents, changes }: NewRawCommit): Promise<string> {
    const mark = this.#nextMark();
    const [first, ...others] = parents;
    // A commit on the branch's tip needs no `from`, which saves git from reading the tree again.
    const isOnTip = first !== undefined && first === this.#tip;
    const head = [
      ...(first === undefined ? [`reset ${purgingRef}\n\n`] : []),
      `commit ${purgingRef}\nmark ${mark}\nauthor ${checkIdentity(author)}\ncommitter ${checkIdentity(committer)}\n`,
      ...(encoding === undefined ? [] : [`encoding ${checkEncoding(encoding)}\n`]),
      `data ${message.length}\n`,
    ];
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
    await this.pipe.write(Buffer.from(head.join(''), 'latin1'));
    await this.pipe.write(message);
    await this.pipe.write(Buffer.from(lines.join(''), 'latin1'));
    this.#tip = mark;
    return mark;
  }

  /** Returns the ids of commits by mark, once they are durable. Nothing can be added afterwards. Throws GitError. */
  async finish(marks: readonly string[]): Promise<ReadonlyMap<string, string>> {
    for (const mark of marks) await this.pipe.write(`get-mark ${mark}\n`);
    await this.pipe.write('done\n');
    await this.pipe.close();
    const ids = (await this.#answers).split('\n');
    await this.pipe.ended;
    syncFolder(join(this.folders.gitDir, 'objects', 'pack'));
    return new Map(marks.map((mark, at) => [mark, ids[at] ?? '']));
  }

  /** Kills git. No ref reaches what it has written. */
  async giveUp(): Promise<void> {
    this.pipe.kill();
    await this.#answers.catch(() => undefined);
    await this.pipe.ended.catch(() => undefined);
  }
}

const readAll = async (output: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of output) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
};
