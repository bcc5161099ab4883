/** Reads what git prints with `-z` field by field, because the whole may be too long for one string. */
import { type GitFolders, streamGit } from './git-process.js';
import { splitFields } from './path-bytes.js';

/** Throws GitError. */
export const streamFields = (
  folders: GitFolders,
  args: readonly string[],
  take: (field: string) => void,
  input?: Iterable<Buffer | string>,
): Promise<void> => {
  let rest: Buffer = Buffer.alloc(0);
  return streamGit(
    folders,
    args,
    (chunk) => {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const end = bytes.lastIndexOf(0) + 1;
      rest = bytes.subarray(end);
      if (end > 0) splitFields(bytes.subarray(0, end - 1)).forEach(take);
      return true;
    },
    input,
  );
};
