/** One setup at a time on a store: eight inits at once leave one registration. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../events/faults.js';
import { openLock } from '../state/lock.js';
import { setupFolder } from './record.js';

/** Setting up may wait for another program that it runs. */
const timeoutMs = 120_000;

/** Not to be nested. Throws Fault 'not-writable' and 'lock-timeout'. */
export const withSetupLock = async <Result>(storeHome: string, run: () => Promise<Result>): Promise<Result> => {
  makeFolder(setupFolder(storeHome));
  const lock = openLock(join(setupFolder(storeHome), 'lock.db'));
  try {
    await lock.acquire(timeoutMs);
    try {
      return await run();
    } finally {
      lock.release();
    }
  } finally {
    lock.close();
  }
};

const makeFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Fault('not-writable', `${folder} can't be made: ${why}`, 'choose another folder for the store: --home', {
      cause,
    });
  }
};
