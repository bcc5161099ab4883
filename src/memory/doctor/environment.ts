/** Checks of what Anamnesis stands on: SQLite, git, room on the disk. */
import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { openLock } from '../../events/lock.js';
import { type Check, type Examined, messageOf, ok, problem, warning } from './check.js';

/** Whether the native part of better-sqlite3 was built for this Node. */
export const sqliteCheck: Check = {
  name: 'sqlite',
  look: ({ sqliteProblem }) => [
    sqliteProblem === undefined
      ? ok('sqlite', `better-sqlite3 loads in Node ${process.version}`)
      : problem('sqlite', `better-sqlite3 does not load in Node ${process.version}: ${sqliteProblem}`, {
          next: 'install anamnesis again with this Node: its native part is built for one version',
        }),
  ],
};

/** Why SQLite does not load; undefined where it does. */
export const trySqlite = (): string | undefined => {
  try {
    const database = openLock(':memory:');
    database.tryAcquire();
    database.release();
    database.close();
    return undefined;
  } catch (error) {
    return messageOf(error).trim().split('\n')[0];
  }
};

/** The oldest git that the journal's commands are known to work with. */
const leastGit = [2, 34] as const;

export const gitCheck: Check = {
  name: 'git',
  look: ({ gitVersion }) => {
    const next = `install git ${leastGit.join('.')} or newer so that it is on PATH`;
    if (gitVersion === undefined) return [problem('git', 'git could not be started', { next })];
    const [major = 0, minor = 0] = gitVersion.split('.').map(Number);
    const isOld = major < leastGit[0] || (major === leastGit[0] && minor < leastGit[1]);
    return [isOld ? problem('git', `git ${gitVersion} is too old`, { next }) : ok('git', `git ${gitVersion}`)];
  },
};

const mebibyte = 1024 * 1024;
/** A replay writes a second index beside the first; below the other, a pack can't be written any more. */
const fewMebibytes = 500;
const tooFewMebibytes = 50;

export const diskCheck: Check = {
  name: 'disk',
  look: (examined) => {
    const folder = nearestFolder(examined);
    const { bavail, bsize } = statfsSync(folder);
    const free = Math.floor((bavail * bsize) / mebibyte);
    const message = `${free} MiB free at ${folder}`;
    const more = { next: 'make room: a write that finds none is refused, and nothing is half written' };
    if (free < tooFewMebibytes) return [problem('disk', message, more)];
    return [free < fewMebibytes ? warning('disk', message, more) : ok('disk', message)];
  },
};

const nearestFolder = ({ home }: Examined): string => {
  let folder = home;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
};
