/** Signs of a damaged repository: a branch that is gone though git knew it, and error messages of git. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../faults.js';
import { isObjectId } from '../note/blob-id.js';
import { readHead } from './git-files.js';
import { branch } from './git-process.js';

/** Throws Fault 'journal-damaged' for a broken or lost branch: taken for a new journal, it would lose its history. */
export const checkHead = (folder: string, gitDir: string): string | undefined => {
  for (let look = 1; ; look += 1) {
    const head = readHead(gitDir);
    if (head !== undefined && isObjectId(head)) return head;
    const known = lastKnownHead(gitDir);
    if (head === undefined && known === undefined) return undefined;
    if (look === looks) throw headDamage(folder, gitDir, head, known);
    // git logs a branch's first commit before it creates the branch, so look again.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookAgainMs);
  }
};

const looks = 50;
const lookAgainMs = 2;

const headDamage = (folder: string, gitDir: string, head: string | undefined, known: string | undefined): Fault => {
  const what =
    head === undefined ? `the branch main of ${folder} is gone` : `${branch} of ${folder} holds no commit id`;
  if (known === undefined) return new Fault('journal-damaged', what, damageNext);
  // git itself refuses to set a branch that is broken.
  return new Fault(
    'journal-damaged',
    `${what}, though it was at ${known.slice(0, 12)}`,
    `bring it back: echo ${known} > '${join(gitDir, branch)}'; if that commit is gone too, ${damageNext}`,
  );
};

/** Returns the branch's last commit from git's reflog; undefined for a branch that never existed or has no log. */
export const lastKnownHead = (gitDir: string): string | undefined => {
  const lines = readLog(join(gitDir, 'logs', branch))
    .trimEnd()
    .split('\n');
  const known = lines.map((line) => line.split(' ')[1] ?? '').findLast((id) => isObjectId(id));
  return known === undefined || /^0+$/.test(known) ? undefined : known;
};

const readLog = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** The fault for a git error that says that objects, refs or the configuration can't be read. */
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

/** In English, because our git children run with LC_ALL=C. */
const damagedWords =
  /bad object|bad tree object|not a tree object|not a valid (?:object|commit)|unable to read (?:tree|sha1|[0-9a-f]{40})|corrupt|inflate|does not match index|cannot be accessed|unable to unpack|not a git repository|bad config line|unexpected line in|reference broken|bad ref |invalid sha1 pointer|missing (?:blob|tree|commit)|could not (?:read|parse) [0-9a-f]{40}/i;

const damageNext = 'restore it: anamnesis restore-backup, or from another clone';
