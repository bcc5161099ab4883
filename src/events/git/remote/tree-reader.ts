/** Tree objects, asked of one git child again and again: what to ask for next is known when a level of folders was read. */
import { parseBlobStream, type StreamedObject } from '../blob-stream.js';
import { openGitPipe } from '../git-pipe.js';
import type { GitFolders } from '../git-process.js';

export type TreeReader = {
  /**
   * In the order asked for, each with the id of its tree. Without bytes it is no tree, not there, or larger than any listing
   * of folders can be; when so much was read, the rest is left out. Throws GitError.
   */
  read(names: readonly string[]): Promise<readonly StreamedObject[]>;
  close(): void;
};

/** Two million entries have about so many bytes. */
const maxTreeBytes = 256 * 1024 * 1024;

export const openTreeReader = (folders: GitFolders): TreeReader => {
  const pipe = openGitPipe(folders, ['cat-file', '--batch']);
  const output = pipe.output[Symbol.asyncIterator]();
  // A git that could not be started gives no output that would end.
  const failed = new Promise<never>((_, reject) => pipe.ended.catch(reject));
  failed.catch(() => undefined);
  let found: StreamedObject[] = [];
  let held = 0;
  // One for all: an object that is passed over is told of before its last byte has come.
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
          // Where git failed, that says more than what was missing of its output.
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
