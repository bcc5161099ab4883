/**
 * A folder in memory for the files of tests. They start git thousands of times and would wait for the disk each time; a
 * killed process loses nothing that it handed to the system, so a disk makes such a test slower and proves no more.
 */
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'anamnesis-tests-';
/** Several times what all tests use at once; with less free, as in most containers, the disk is used. */
const neededBytes = 4 * 2 ** 30;

/** Runs `work` with the environment for its children, and removes the folder afterwards, even after process.exit. */
export const withFastFolder = (work) => {
  const folder = makeFolder();
  if (folder === undefined) return work(process.env);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return work({ ...process.env, TMPDIR: folder });
};

const makeFolder = () => {
  if (process.platform !== 'linux' || process.env.TMPDIR !== undefined || !existsSync(memory)) return undefined;
  try {
    for (const name of readdirSync(memory))
      if (isLeft(name)) rmSync(join(memory, name), { recursive: true, force: true });
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < neededBytes || runsNothing()) return undefined;
    const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`));
    // Some tests continue as the user nobody, who must be able to pass through it as through /tmp.
    chmodSync(folder, 0o755);
    return folder;
  } catch {
    return undefined;
  }
};

/** Whether it is mounted noexec, as in containers: tests put programs into their folders. */
const runsNothing = () => / \/dev\/shm \S+ \S*\bnoexec\b/.test(readFileSync('/proc/mounts', 'utf8'));

/** Whether a killed run left it, which would fill the memory. */
const isLeft = (name) => {
  const pid = new RegExp(`^${prefix}([0-9]+)-`).exec(name)?.[1];
  return pid !== undefined && !existsSync(`/proc/${pid}`);
};
