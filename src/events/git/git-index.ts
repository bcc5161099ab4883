/** Reads git's own index, and what it may have held. */
import type { BlobId } from '../note/note.js';
import { parseRawDiff } from './git-log.js';
import { everyChange, type GitFolders, runGit } from './git-process.js';

/** Returns paths that git could not merge and that weren't added since. One git call. */
export const unmergedPaths = async (folders: GitFolders): Promise<ReadonlySet<string>> => {
  const entries = (await runGit(folders, ['ls-files', '--unmerged', '-z'])).toString('utf8').split('\0');
  return new Set(entries.map((entry) => entry.slice(entry.indexOf('\t') + 1)).filter((path) => path !== ''));
};

/** Returns, by path, every version in the history of `head`; no paths stand for all. One git call. */
export const versionsIn = async (
  folders: GitFolders,
  head: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<BlobId | undefined>>> => {
  const form = ['--format=', '--raw', '-z', '-m', '--no-abbrev', ...everyChange];
  const output = await runGit(folders, ['--literal-pathspecs', 'log', ...form, head, '--', ...paths]);
  const versions = new Map<string, Set<BlobId | undefined>>();
  for (const { path, before, after } of parseRawDiff(output))
    versions.set(path, (versions.get(path) ?? new Set()).add(before).add(after));
  return versions;
};
