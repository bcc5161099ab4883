/** Retries while another git holds a lock file; removes a stale lock that a killed git left. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { denialInText } from '../environment-faults.js';
import { removeStaleLocks, removeStaleRefLocks } from './git-files.js';
import { GitError } from './git-process.js';

/** Retries for up to 15 s. Needs the write lock. */
export const retryWhileLocked = <Answer>(
  attempt: () => Promise<Answer>,
  gitDir: string,
  log: (line: string) => void,
): Promise<Answer> =>
  retry(attempt, () => {
    for (const name of removeStaleLocks(gitDir, Date.now()))
      log(`removed ${join(gitDir, name)}, which a killed git left behind`);
  });

/** Like `retryWhileLocked`, for changes of refs below `refs/anamnesis` only: needs no write lock. */
export const retryWhileRefLocked = <Answer>(attempt: () => Promise<Answer>, gitDir: string): Promise<Answer> =>
  retry(attempt, () => removeStaleRefLocks(gitDir, Date.now()));

const retry = async <Answer>(attempt: () => Promise<Answer>, removeStale: () => void): Promise<Answer> => {
  const deadline = Date.now() + 15_000;
  for (;;) {
    removeStale();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof GitError) || !isLocked(error.stderr) || Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
};

/** False when the lock can't be created because of a full disk or missing permission: waiting won't help. */
const isLocked = (stderr: string): boolean => lockedMessage.test(stderr) && denialInText(stderr) === undefined;

const lockedMessage = /\.lock': File exists|unable to (?:create|lock)|cannot lock ref/i;
