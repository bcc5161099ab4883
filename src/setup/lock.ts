/** Allows one setup at a time per store: eight simultaneous inits leave one registration. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../events/faults.js';
import { withLock } from '../state/lock.js';
import { setupFolder } from './record.js';

/** Long, because setup may run another program and wait for it. */
const timeoutMs = 120_000;

/** Must not be nested. Throws Fault 'not-writable' and 'lock-timeout'. */
export const withSetupLock = async <Result>(storeHome: string, run: () => Promise<Result>): Promise<Result> => {
  makeFolder(setupFolder(storeHome));
  return withLock(join(setupFolder(storeHome), 'lock.db'), timeoutMs, run);
};

const makeFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const next = 'choose another folder for the store: --home';
    throw new Fault('not-writable', `${folder} can't be created: ${why}`, next, { cause });
  }
};
