/** The errors that a process gets if the writer could not carry out its command. */
import { dirname } from 'node:path';
import { Fault } from '../../events/faults.js';
import { faultOf } from '../../state/environment-probe.js';
import type { Store } from '../worktree/write-store.js';
import type { Outcome } from './perform.js';

/** The answer to another process. Undefined if this machine or the store is at fault: the command stays queued. */
export const refuseFailed =
  ({ journals, log }: Store) =>
  (error: unknown): Outcome | undefined => {
    const fault = faultOf(error, dirname(journals.portable.folder));
    if (fault !== undefined) {
      log(`a command of another process stays queued: ${fault.message}`);
      return undefined;
    }
    const message = error instanceof Error ? error.message : String(error);
    log(`a command of another process failed: ${message}`);
    const next = 'repeat the command; the log of the store says more';
    return { status: 'refused', refusal: { code: 'failed', message, next } };
  };

/** A command that is reported as failed would be repeated, and then recorded twice. */
export const stillQueued = (error: unknown, home: string): unknown => {
  const fault = faultOf(error, home);
  if (fault === undefined) return error;
  const next =
    'fix that, and do not repeat the command: it is queued, and the next process that writes or syncs carries it out';
  return new Fault(fault.code, fault.message, next, { cause: error });
};

export const lockTimeout = (): Fault =>
  new Fault(
    'lock-timeout',
    'another process has held the write lock of this store for two minutes',
    'look for a stuck anamnesis process and end it, then repeat the command',
  );
