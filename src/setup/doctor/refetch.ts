/** Fetches objects that a journal lost from its remote, which has everything that was ever published. */
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { initRepository } from '../../events/git/git-admin.js';
import { syncFolder } from '../../events/git/git-files.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { type GitFolders, runGit } from '../../events/git/git-process.js';
import { runNetworkGit } from '../../events/git/remote/git-network.js';
import { isRefusal } from '../../files/settings-file.js';
import type { Memory } from '../../store/memory.js';
import { findRemote } from '../../sync/remote.js';

/**
 * Fetches into a repository beside the journal's own, because git does not ask for what it believes it has, then moves
 * its one pack over. Returns the remote's address without credentials, or undefined if there is no remote. Throws
 * GitError if the remote can't be reached.
 */
export const fetchObjects = async (
  memory: Memory,
  { name, folders }: GitJournal,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> => {
  const remote = name === 'portable' ? findRemote(memory, environment) : undefined;
  if (remote === undefined || isRefusal(remote)) return undefined;
  const workTree = join(folders.gitDir, 'anamnesis-refetch');
  const beside: GitFolders = { gitDir: join(workTree, '.git'), workTree };
  rmSync(workTree, { recursive: true, force: true });
  try {
    mkdirSync(workTree, { mode: 0o700 });
    await initRepository(beside, name);
    await runNetworkGit(beside, ['fetch', '--quiet', '--no-tags', '--', remote.url, '+refs/*:refs/fetched/*'], {});
    await runGit(beside, ['repack', '-a', '-d', '-q']);
    movePacks(beside.gitDir, folders.gitDir);
    return remote.shown;
  } finally {
    rmSync(workTree, { recursive: true, force: true });
  }
};

/** Moves the index of a pack last, because git finds packs by it. */
const movePacks = (from: string, to: string): void => {
  const [source, target] = [from, to].map((gitDir) => join(gitDir, 'objects', 'pack'));
  if (source === undefined || target === undefined) return;
  const names = readdirSync(source).filter((file) => /\.(?:pack|rev|idx)$/.test(file));
  for (const end of ['.pack', '.rev', '.idx'])
    for (const file of names) if (file.endsWith(end)) renameSync(join(source, file), join(target, file));
  syncFolder(target);
};
