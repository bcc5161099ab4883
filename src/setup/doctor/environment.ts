/** Checks of what Anamnesis depends on: SQLite, HOME, git and disk space. */
import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { faultOfDenial } from '../../events/environment-faults.js';
import { isTooOld, leastGitText, syncingGitText, syncsRefs } from '../../events/git/git-version.js';
import { findDenial, nativePartFault } from '../../state/environment-probe.js';
import { openLock } from '../../state/lock.js';
import { type Check, type CheckInput, messageOf, problem, warning } from './check.js';

export const sqliteCheck: Check = {
  name: 'sqlite',
  look: ({ sqliteProblem }) =>
    sqliteProblem === undefined
      ? `better-sqlite3 loads in Node ${process.version}`
      : [problem(sqliteProblem.message, sqliteProblem.next)],
};

export const trySqlite = (): CheckInput['sqliteProblem'] => {
  try {
    const database = openLock(':memory:');
    database.tryAcquire();
    database.release();
    database.close();
    return undefined;
  } catch (error) {
    const [why = ''] = messageOf(error).trim().split('\n');
    const message = `better-sqlite3 does not load in Node ${process.version}: ${why}`;
    return nativePartFault(error) ?? { message, next: 'install anamnesis again with this Node' };
  }
};

export const gitCheck: Check = {
  name: 'git',
  look: ({ gitVersion }) => {
    const next = `install git ${leastGitText} or newer, and put it on PATH`;
    if (gitVersion === undefined) return [problem('git could not be started', next)];
    if (isTooOld(gitVersion)) return [problem(`git ${gitVersion} is too old`, next)];
    if (syncsRefs(gitVersion)) return `git ${gitVersion}`;
    const message = `git ${gitVersion} does not force every write to disk, so a power cut may lose the last one`;
    return [warning(message, `install git ${syncingGitText} or newer if that matters`)];
  },
};

const mebibyte = 1024 * 1024;
/** Below this, a replay may lack space for a second index; below the next, git may fail to write a pack. */
const fewMebibytes = 500;
const tooFewMebibytes = 50;

export const diskCheck: Check = {
  name: 'disk',
  look: (examined) => {
    const folder = nearestFolder(examined);
    const denial = findDenial(folder);
    // The modes check reports files of other users.
    if (denial?.kind === 'read-only' || denial?.kind === 'inodes-gone') {
      const { message, next } = faultOfDenial(denial, folder);
      return [problem(message, next)];
    }
    const { bavail, bsize } = statfsSync(folder);
    const free = Math.floor((bavail * bsize) / mebibyte);
    const message = `${free} MiB free at ${folder}`;
    const next = 'free some space: without it a write is refused, and nothing is half written';
    if (free < tooFewMebibytes) return [problem(message, next)];
    return free < fewMebibytes ? [warning(message, next)] : message;
  },
};

const nearestFolder = ({ home }: CheckInput): string => {
  let folder = home;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
};
