/** Reads tree objects through one long-running git child: each level of folders tells what to read next. */
import { parseBlobStream, type StreamedObject } from '../blob-stream.js';
import { openGitPipe } from '../git-pipe.js';
import type { GitFolders } from '../git-process.js';

export type TreeReader = {
  /**
   * Returns trees in the order of `names`, each with its tree's id. Without bytes it is not a tree, missing, or larger
   * than any listing of folders can be; once that much was read in all, the rest is left out. Throws GitError.
   */
  read(names: readonly string[]): Promise<readonly StreamedObject[]>;
  close(): void;
};

/** About the size of two million entries. */
const maxTreeBytes = 256 * 1024 * 1024;

export const openTreeReader = (folders: GitFolders): TreeReader => {
  const pipe = openGitPipe(folders, ['cat-file', '--batch']);
  const output = pipe.output[Symbol.asyncIterator]();
  // If git could not be started, its output never ends.
  const failed = new Promise<never>((_, reject) => pipe.ended.catch(reject));
  failed.catch(() => undefined);
  let found: StreamedObject[] = [];
  let held = 0;
  // One parser for all reads: a skipped object is reported before its last byte arrives.
  const take = parseBlobStream(
    maxTreeBytes,
    (tree) => {
      held += tree.bytes?.length ?? 0;
      found.push(tree);
    },
    'tree',
  );
  return {
    async read(names) {
      found = [];
      held = 0;
      const feeding = (async () => {
        for (const name of names) await pipe.write(`${name}\n`);
        await pipe.flush();
      })();
      while (found.length < names.length && held < maxTreeBytes) {
        const { value, done } = await Promise.race([output.next(), failed]);
        if (done === true) {
          // If git failed, its error says more than the truncated output.
          await pipe.ended;
          break;
        }
        take(value);
      }
      if (found.length === names.length) await feeding;
      return found;
    },
    close: pipe.kill,
  };
};
