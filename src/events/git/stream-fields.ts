/** Reads git's `-z` output field by field, because the whole may be too long for one string. */
import { type GitFolders, streamGit } from './git-process.js';
import { splitFields } from './path-bytes.js';

/** Calls `take` with each field. Throws GitError. */
export const streamFields = (
  folders: GitFolders,
  args: readonly string[],
  take: (field: string) => void,
  input?: Iterable<Buffer | string>,
): Promise<void> => {
  let rest: Buffer[] = [];
  return streamGit(
    folders,
    args,
    (chunk) => {
      const end = chunk.lastIndexOf(0) + 1;
      if (end > 0) splitFields(Buffer.concat([...rest, chunk.subarray(0, end - 1)])).forEach(take);
      // Chunks are joined only when a field ends, so a long message is copied once.
      if (end > 0) rest = [];
      rest.push(chunk.subarray(end));
      return true;
    },
    input,
  );
};
