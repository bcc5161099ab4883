/** Replaces the remote's history with the purged one: the only push that is forced, and only over the head expected. */
import { acceptedHead, acceptHead } from '../events/git/branch.js';
import { hasRefsBelow } from '../events/git/git-files.js';
import { GitError, runGit } from '../events/git/git-process.js';
import { branch } from '../events/git/journal-ref.js';
import { type NetworkOptions, runNetworkGit } from '../events/git/remote/git-network.js';
import { TransportError } from '../events/transport.js';
import type { Memory } from '../store/memory.js';
import { readUnpublished, setUnpublished } from './purge-state.js';

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

/** The port through which syncing publishes a purge that was made while the remote could not be reached. */
export type PurgeExchange = {
  /**
   * Publishes it before anything else is exchanged. `mask` removes what must not leave, from the counterpart of the
   * remote's head to ours; it returns true if that changed our head. Returns true to ask the remote again. Throws
   * TransportError, also when the remote is no longer at the head that was purged.
   */
  publish(
    main: string | undefined,
    mask: (head: string, incoming: string | undefined) => Promise<boolean>,
  ): Promise<boolean>;
};

export const openPurgeExchange = (memory: Memory, remote: RemoteAddress, options: NetworkOptions): PurgeExchange => ({
  async publish(main, mask) {
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
    if (await mask(head, acceptedHead(portable.folders))) return true;
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
  if (!hasRefsBelow(folders.gitDir, below)) return;
  const names = (await runGit(folders, ['for-each-ref', '--format=delete %(refname)', below])).toString('utf8');
  await runGit(folders, ['update-ref', '--stdin'], [names]);
};
