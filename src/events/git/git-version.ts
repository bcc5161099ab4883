/** Which git is needed. Pure. */
import { Fault } from '../faults.js';

/** The oldest git that all calls work with: `repack --geometric` is of 2.33, and 2.34 the oldest one still in wide use. */
const leastGit = [2, 34] as const;
/** From here on git syncs a ref to disk itself; before, a power cut may take back the last write on some file systems. */
const syncingGit = [2, 36] as const;

export const leastGitText = leastGit.join('.');
export const syncingGitText = syncingGit.join('.');

/** `2.39.5` of what `git version` prints; undefined when that is not git. */
export const parseGitVersion = (text: string): string | undefined =>
  /^git version (\d+(?:\.\d+)+)/.exec(text.trim())?.[1];

export const isTooOld = (version: string): boolean => isBefore(version, leastGit);

/** False where the last acknowledged write may be lost by a power cut (never by a killed process). */
export const syncsRefs = (version: string): boolean => !isBefore(version, syncingGit);

export const gitTooOld = (version: string, cause?: unknown): Fault =>
  new Fault(
    'git-too-old',
    `git ${version} is too old: ${leastGitText} or newer is needed`,
    `install git ${leastGitText} or newer so that it comes first on PATH, then repeat the command`,
    { cause },
  );

const isBefore = (version: string, [leastMajor, leastMinor]: readonly [number, number]): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
};
