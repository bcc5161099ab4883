/** Judges every file of a repository by the rule, in all versions, unreachable ones included. */
import { readObjects } from '../events/git/git-objects.js';
import { pipeThroughGit } from '../events/git/git-pipe.js';
import { GitError, type GitFolders, runGit } from '../events/git/git-process.js';
import type { BlobId } from '../events/note/note.js';
import { judgeFile, type PurgeRule, type Verdict } from './rule/rule.js';

export type Judged = Exclude<Verdict, { readonly kind: 'keep' }>;

/** Visits the versions to change or erase. Holds one file at a time; returns those larger than `maxBytes` unread. */
export const scanFiles = async (
  folders: GitFolders,
  rule: PurgeRule,
  visit: (blob: BlobId, verdict: Judged) => Promise<void>,
): Promise<{ readonly looked: number; readonly tooLarge: readonly BlobId[] }> => {
  const { small, tooLarge } = await listFiles(folders);
  const ask = ['cat-file', '--batch', '--buffer'];
  await pipeThroughGit(folders, ask, linesOf(small), async (output) => {
    for await (const { id, type, bytes } of readObjects(output)) {
      if (type !== 'blob') throw new GitError(ask, null, `there is no file ${id}`);
      const verdict = judgeFile(bytes, rule);
      if (verdict.kind !== 'keep') await visit(id, verdict);
    }
  });
  return { looked: small.length, tooLarge };
};

/** A larger file's text would not fit into one string. */
const maxBytes = 256 * 1024 * 1024;

const listFiles = async (
  folders: GitFolders,
): Promise<{ readonly small: readonly BlobId[]; readonly tooLarge: readonly BlobId[] }> => {
  const format = '--batch-check=%(objecttype) %(objectname) %(objectsize)';
  const listed = await runGit(folders, ['cat-file', '--batch-all-objects', '--unordered', format]);
  const small: BlobId[] = [];
  const tooLarge: BlobId[] = [];
  for (const line of listed.toString('latin1').split('\n')) {
    if (!line.startsWith('blob ')) continue;
    const [, id = '', size = '0'] = line.split(' ');
    (Number(size) > maxBytes ? tooLarge : small).push(id);
  }
  return { small, tooLarge };
};

function* linesOf(texts: readonly string[]): Generator<string> {
  for (const text of texts) yield `${text}\n`;
}
