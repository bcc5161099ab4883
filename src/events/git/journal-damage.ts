/** Signs that a repository is damaged: a branch that is gone though git knew it, and the words of a git that failed. */
import { join } from 'node:path';
import { Fault } from '../faults.js';
import { readAtOnce, refusePipes } from '../worktree/plain-files.js';
import { readHead } from './git-files.js';
import { branch } from './journal-ref.js';

/**
 * The head, if it can be one. Throws Fault 'journal-damaged' where the branch holds no commit id, and where it is gone or
 * empty though it had commits: taken for a new journal, its whole history would be left behind.
 */
export const checkHead = (folder: string, gitDir: string): string | undefined => {
  for (let look = 1; ; look += 1) {
    const head = readHead(gitDir);
    if (head !== undefined && commitId.test(head)) return head;
    refusePipes(gitDir);
    const known = lastKnownHead(gitDir);
    if (head === undefined && known === undefined) return undefined;
    if (look === looks) throw gone(folder, head, known);
    // git logs the first commit of a branch before it makes the branch.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookAgainMs);
  }
};

const looks = 50;
const lookAgainMs = 2;

const gone = (folder: string, head: string | undefined, known: string | undefined): Fault => {
  const what =
    head === undefined ? `the branch main of ${folder} is gone` : `${branch} of ${folder} holds no commit id`;
  const was = known === undefined ? '' : `, though it was at ${known.slice(0, 12)}`;
  return new Fault('journal-damaged', `${what}${was}`, damageNext);
};

const commitId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Where the branch was last moved to, as git's log of it tells; undefined for one that never was or has no log. */
export const lastKnownHead = (gitDir: string): string | undefined => {
  const lines = readLog(join(gitDir, 'logs', branch))
    .trimEnd()
    .split('\n');
  const known = lines.map((line) => line.split(' ')[1] ?? '').findLast((id) => commitId.test(id));
  return known === undefined || /^0+$/.test(known) ? undefined : known;
};

const readLog = (path: string): string => {
  try {
    return readAtOnce(path, 'utf8');
  } catch {
    return '';
  }
};

/** The fault that a failure of git is when objects, refs or the configuration of the journal can't be read. */
export const damageFault = (error: unknown): Fault | undefined => {
  if (!(error instanceof Error)) return undefined;
  if (!('stderr' in error)) return damageFault(error.cause);
  const line = String(error.stderr)
    .split('\n')
    .find((text) => damagedWords.test(text) || /^.{0,40}\bpackfile .* invalid/i.test(text));
  if (line === undefined) return undefined;
  const said = line.trim().replace(/^(?:error|fatal): /, '');
  return new Fault('journal-damaged', `git can't read the journal: ${said}`, damageNext, { cause: error });
};

/** In English, as our git children speak. */
const damagedWords =
  /bad object|bad tree object|not a tree object|not a valid (?:object|commit)|unable to read (?:tree|sha1|[0-9a-f]{40})|corrupt|inflate|does not match index|cannot be accessed|unable to unpack|not a git repository|bad config line|unexpected line in|reference broken|bad ref |invalid sha1 pointer|missing (?:blob|tree|commit)|could not (?:read|parse) [0-9a-f]{40}/i;

const damageNext = 'run: anamnesis doctor --fix; if that does not repair it, restore it from a backup or another clone';
