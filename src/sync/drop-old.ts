/** Removes the history from before a rewritten remote was accepted, as a purge does, and what may quote it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { rescuePrefix } from '../events/git/branch.js';
import { runGit } from '../events/git/git-process.js';
import { clearSetAside } from '../events/worktree/replace-file.js';
import { forgetUnreachable } from '../purge/cleaning.js';
import type { Memory } from '../store/memory.js';
import { removeTrace } from '../store/trace-file.js';

/** What waits in the spool and the queue goes too: it may quote the texts. Git's own index keeps what is staged. */
export const dropOld = async (memory: Memory): Promise<void> => {
  const { state } = await memory.store();
  const { folders, folder } = memory.journals.portable;
  const { home } = memory.settings;
  await memory.exclusively(async () => {
    const listed = await runGit(folders, ['for-each-ref', '--format=%(refname)', rescuePrefix]);
    const refs = listed.toString('utf8').split('\n').filter(Boolean);
    if (refs.length > 0)
      await runGit(folders, ['update-ref', '--stdin', '-z'], [refs.map((ref) => `delete ${ref}\0\0`).join('')]);
    state.dequeue(state.waiting(maxQueued).map(({ id }) => id));
    rmSync(join(home, 'spool'), { recursive: true, force: true });
    removeTrace(home);
    clearSetAside(folder, 0);
    await memory.liveIndex.rebuild('the old history was dropped');
    await forgetUnreachable(folders);
  });
};

const maxQueued = 10_000;
