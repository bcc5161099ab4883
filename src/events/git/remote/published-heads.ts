/** The heads that a remote is known to have had. */
import { acceptedHead, formerRef, listCommits } from '../branch.js';
import { readRef } from '../git-files.js';
import type { GitJournal } from '../git-journal.js';
import { type GitFolders, runGit } from '../git-process.js';
import { incomingRef } from './git-transport.js';

/**
 * The accepted head, and others that our branch has taken over and that one does not contain: what an address had that was
 * changed or removed since, what was fetched by a sync that was killed, and what a person's git fetched or pushed. None
 * contains another. Of what was only fetched nothing is read: it may not have been inspected. At most two git calls, and none
 * where all is published.
 */
export const publishedHeads = async ({
  folders,
  head,
}: Pick<GitJournal, 'folders' | 'head'>): Promise<readonly string[]> => {
  const now = head();
  const accepted = acceptedHead(folders);
  const known = otherRefs.flatMap((ref) => readRef(folders.gitDir, ref) ?? []);
  const others = [...new Set(known)].filter((one) => one !== accepted);
  const own = accepted === undefined ? [] : [accepted];
  if (now === undefined || now === accepted || others.length === 0) return own;
  const ahead = new Set(await listCommits(folders, now, accepted));
  return newestOf(folders, [...own, ...others.filter((one) => ahead.has(one))]);
};

/** The other machines have what is on main; `origin` is git's name for the remote. */
const otherRefs = [formerRef, incomingRef, 'refs/remotes/origin/main'];

const newestOf = async (folders: GitFolders, heads: readonly string[]): Promise<readonly string[]> => {
  if (heads.length < 2) return heads;
  const output = await runGit(folders, ['merge-base', '--independent', ...heads]);
  return output.toString('latin1').trim().split('\n');
};
