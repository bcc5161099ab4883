/** Finds a branch that is gone or corrupt though git's log knows it: its commits exist, but nothing points to them. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../events/faults.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { runGit } from '../../events/git/git-process.js';
import { lastKnownHead } from '../../events/git/journal-damage.js';
import { branch } from '../../events/git/journal-ref.js';
import { type Examined, type Finding, type Fix, problem } from './check.js';

export const findLostHead = (journal: GitJournal, examined: Examined): readonly Finding[] => {
  try {
    journal.head();
    return [];
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'journal-damaged') throw error;
    const known = lastKnownHead(journal.folders.gitDir);
    const fix = known === undefined ? undefined : putBack(journal, known, examined);
    return [problem('journals', error.message, { next: error.next, damage: true, fix })];
  }
};

const putBack = ({ folder, folders }: GitJournal, known: string, { withMemory }: Examined): Fix => ({
  plan: `set the branch main of ${folder} back to ${known.slice(0, 12)}, where git's log says it was last`,
  carryOut: () =>
    withMemory((memory) =>
      memory.exclusively(async () => {
        const packed = join(folders.gitDir, 'packed-refs');
        rmSync(join(folders.gitDir, branch), { force: true });
        // git reads no ref at all if packed-refs has a line that it can't parse.
        const isReadable = await runGit(folders, ['for-each-ref', '--count=1']).then(
          () => true,
          () => false,
        );
        if (!isReadable && existsSync(packed)) renameSync(packed, `${packed}.damaged`);
        // Fails if the commit does not exist.
        await runGit(folders, ['update-ref', branch, known]);
        return `${folder} is at ${known.slice(0, 12)} again`;
      }),
    ),
});
