/** Replaces the remote's history with the purged one: the only push that is forced, and only over the head expected. */
import { acceptedHead, acceptHead, countCommits } from '../events/git/branch.js';
import { refsBelow } from '../events/git/git-files.js';
import { branch, GitError, runGit } from '../events/git/git-process.js';
import { type NetworkOptions, runNetworkGit } from '../events/git/remote/git-network.js';
import { openGitTransport } from '../events/git/remote/git-transport.js';
import { TransportError } from '../events/transport.js';
import type { Memory } from '../store/memory.js';
import { readUnfinished, readUnpublished, setUnpublished } from './purge-state.js';
import type { PurgedRemote } from './purging.js';

export type RemoteAddress = { readonly url: string; readonly shown: string };

/** Replaces the remote's head `from` by `to`; returns false if it has moved on meanwhile. Throws TransportError. */
export const replaceHistory = async (
  { journals }: Pick<Memory, 'journals'>,
  { url, shown }: RemoteAddress,
  { from, to }: { readonly from: string; readonly to: string },
  options: NetworkOptions,
): Promise<boolean> => {
  const lease = `--force-with-lease=${branch}:${from}`;
  const args = ['push', '--porcelain', '--no-verify', lease, '--', url, `${to}:${branch}`];
  try {
    await runNetworkGit(journals.portable.folders, args, options);
    return true;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (/stale info|fetch first/.test(error.stderr)) return false;
    if (/denyNonFastForwards|non-fast-forward|protected|declined|not allowed/i.test(error.stderr))
      throw new TransportError(
        'refused',
        `${shown} does not let its history be replaced, so what is to be purged is still there`,
        'allow it for main there (git config receive.denyNonFastForwards false, or lift the branch protection), then repeat this',
        { cause: error },
      );
    throw new TransportError('offline', `the purged history could not be sent to ${shown}`, 'repeat this later', {
      cause: error,
    });
  }
};

/** Returns the remote as it was last seen, whose head a later sync is to replace. */
export const headToReplace = async (memory: Memory): Promise<PurgedRemote | undefined> => {
  // A purge that waits to be published has moved the accepted head already.
  const head = readUnpublished((await memory.store()).state) ?? acceptedHead(memory.journals.portable.folders);
  return head === undefined ? undefined : { head };
};

/** After a sync that failed: the remote, if all that it has is in our history or came from a purge that was killed. */
export const findReplaceable = async (
  memory: Memory,
  remote: RemoteAddress,
  options: NetworkOptions,
): Promise<PurgedRemote | undefined> => {
  const { portable } = memory.journals;
  const ours = portable.head();
  try {
    const { main } = await openGitTransport(portable.folders, remote.url, options).refs();
    if (main === undefined || ours === undefined) return undefined;
    if (await portable.contains(ours, main)) return { head: main };
    if (main !== readUnfinished((await memory.store()).state)?.pushed) return undefined;
    // The killed purge replaced the remote's history, but not ours: all that ours may lack is its event.
    const replace = async (to: string): Promise<boolean> =>
      (await countCommits(portable.folders, main, to)) === 1 &&
      replaceHistory(memory, remote, { from: main, to }, options);
    return { head: main, replace };
  } catch (error) {
    if (error instanceof TransportError) return undefined;
    throw error;
  }
};

/** The port through which syncing publishes a purge that was made while the remote could not be reached. */
export type PurgeExchange = {
  /**
   * Before anything else is exchanged. `look` throws if something must not leave of what our head has beyond the
   * remote's counterpart. True to ask the remote again. Throws TransportError, also when its head has moved.
   */
  publish(
    main: string | undefined,
    look: (head: string, incoming: string | undefined) => Promise<unknown>,
  ): Promise<boolean>;
};

export const openPurgeExchange = (memory: Memory, remote: RemoteAddress, options: NetworkOptions): PurgeExchange => ({
  async publish(main, look) {
    const { portable } = memory.journals;
    const { state } = await memory.store();
    await dropRecords(memory);
    const from = readUnpublished(state);
    const head = portable.head();
    if (from === undefined || main === undefined || head === undefined) return false;
    if (await portable.contains(head, main)) {
      setUnpublished(state, undefined);
      return false;
    }
    const movedOn = new TransportError(
      'refused',
      `${remote.shown} has changed since it was purged here, and still has what was purged`,
      'take in what came, then repeat the purge: anamnesis sync --accept-rewrite',
    );
    if (main !== from) throw movedOn;
    // A purge also moves the accepted head, so it is the counterpart of the remote's head.
    await look(head, acceptedHead(portable.folders));
    if (!(await replaceHistory(memory, remote, { from, to: head }, options))) throw movedOn;
    await acceptHead(portable.folders, head);
    setUnpublished(state, undefined);
    memory.log('purge: published');
    return true;
  },
});

/** Removes what versions that followed purges had fetched. */
const dropRecords = async ({ journals }: Memory): Promise<void> => {
  const { folders } = journals.portable;
  const below = 'refs/anamnesis/purges/';
  if (refsBelow(folders.gitDir, below).size === 0) return;
  const names = (await runGit(folders, ['for-each-ref', '--format=delete %(refname)', below])).toString('utf8');
  await runGit(folders, ['update-ref', '--stdin'], [names]);
};
