/** The git version that Anamnesis needs. Pure. */
import { Fault } from '../faults.js';

/** The oldest supported git: `repack --geometric` needs 2.33, and 2.34 is the oldest still in wide use. */
const leastGit = [2, 34] as const;
/** From here on git syncs refs to disk; before, a power cut may undo the last write on some file systems. */
const syncingGit = [2, 36] as const;

export const leastGitText = leastGit.join('.');
export const syncingGitText = syncingGit.join('.');

/** Parses `2.39.5` from the output of `git version`; undefined when it isn't git's. */
export const parseGitVersion = (text: string): string | undefined =>
  /^git version (\d+(?:\.\d+)+)/.exec(text.trim())?.[1];

export const isTooOld = (version: string): boolean => isBefore(version, leastGit);

/** False when a power cut (never a killed process) may lose the last acknowledged write. */
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
