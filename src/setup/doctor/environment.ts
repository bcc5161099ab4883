/** Checks of what Anamnesis stands on: SQLite, git, room on the disk. */
import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { faultOfDenial } from '../../events/environment-faults.js';
import { isTooOld, leastGitText, syncingGitText, syncsRefs } from '../../events/git/git-version.js';
import { findDenial } from '../../state/environment-probe.js';
import { openLock } from '../../state/lock.js';
import { nativePartFault } from '../../state/native-part.js';
import { startFolder } from '../program.js';
import { type Check, type Examined, messageOf, ok, problem, warning } from './check.js';

/** Whether the native part of better-sqlite3 was built for this Node. */
export const sqliteCheck: Check = {
  name: 'sqlite',
  look: ({ sqliteProblem }) => [
    sqliteProblem === undefined
      ? ok('sqlite', `better-sqlite3 loads in Node ${process.version}`)
      : problem('sqlite', sqliteProblem.message, { next: sqliteProblem.next }),
  ],
};

/** Why SQLite does not load; undefined where it does. */
export const trySqlite = (): Examined['sqliteProblem'] => {
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

/** Where HOME is not set the system's own list of users is asked, and an agent with another HOME uses another store. */
export const homeCheck: Check = {
  name: 'home',
  look: ({ environment, platform, home, userHome }) => {
    if (platform === 'win32') return [];
    const isSet = (environment['HOME'] ?? '') !== '';
    if (isSet && startFolder(userHome) === userHome) return [];
    const named = (environment['ANAMNESIS_HOME'] ?? '') !== '';
    const what = isSet ? `HOME is ${userHome}, which is not a folder that can be opened` : 'HOME is not set';
    const message = `${what}${named ? '' : `, so the store is taken to be ${home}`}`;
    const next = `set HOME, as your agents have it; ${isSet ? 'there' : 'without it'} their settings may be looked for in the wrong place`;
    return [warning('home', message, { next })];
  },
};

export const gitCheck: Check = {
  name: 'git',
  look: ({ gitVersion }) => {
    const next = `install git ${leastGitText} or newer so that it is on PATH`;
    if (gitVersion === undefined) return [problem('git', 'git could not be started', { next })];
    if (isTooOld(gitVersion)) return [problem('git', `git ${gitVersion} is too old`, { next })];
    if (syncsRefs(gitVersion)) return [ok('git', `git ${gitVersion}`)];
    const message = `git ${gitVersion} leaves it to the disk when a write is safe from a power cut`;
    return [warning('git', message, { next: `install git ${syncingGitText} or newer where that matters` })];
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
    const denial = findDenial(folder);
    // Files of other users are a finding of the modes.
    if (denial?.kind === 'read-only' || denial?.kind === 'inodes-gone') {
      const { message, next } = faultOfDenial(denial, folder);
      return [problem('disk', message, { next })];
    }
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
