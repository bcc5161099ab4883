/** Temporary folders for results that are built first and moved into place when complete. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { randomHex } from '../events/hash.js';

/**
 * Makes `<start><machine>-<pid>-<random>`, accessible to this user only; the caller removes it. First removes leftovers
 * of killed processes: immediately if the process ran on this machine and is gone, else after a day.
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
  // Any other name with that prefix belongs to someone else.
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
    // EPERM: it runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};
