/** Folders for what is made beside its place and moved there when it is whole. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { randomHex } from '../events/random-hex.js';

/**
 * Makes `<start><machine>-<pid>-<random>` for this user alone; the caller removes it. What killed processes left there is
 * removed first: at once where the process was of this machine and is gone, else a day after.
 */
export const makeWorkFolder = (parent: string, start: string, machine: string): string => {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(start))) {
    const path = join(parent, name);
    if (isAbandoned(path, name.slice(start.length), machine)) rmSync(path, { recursive: true, force: true });
  }
  const folder = join(parent, `${start}${machine}-${process.pid}-${randomHex(6)}`);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
};

const abandonedMs = 24 * 3_600_000;

const isAbandoned = (path: string, mark: string, machine: string): boolean => {
  const [, of, pid] = /^(.+)-(\d{1,9})-[0-9a-f]{12}$/.exec(mark) ?? [];
  // Anything else of that beginning is somebody's own.
  if (of === undefined) return false;
  if (of === machine && !isRunning(Number(pid))) return true;
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > abandonedMs;
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user: running all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};
