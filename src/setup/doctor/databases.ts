/** Checks of the databases that a replay does not rebuild: state.db, agents.db and the write lock. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../events/faults.js';
import { journalNames } from '../../events/note/note.js';
import { openLock, type WriteLock } from '../../state/lock.js';
import { askAgentState, askState, isDamage } from '../../state/state-file.js';
import {
  type Check,
  countOf,
  existingJournals,
  type Finding,
  type Fix,
  messageOf,
  ok,
  problem,
  warning,
} from './check.js';

/** Checks that all of state.db can be read. */
export const stateCheck: Check = {
  name: 'state.db',
  look: async (examined) => {
    if (examined.sqliteProblem !== undefined || existingJournals(examined).length === 0) return [];
    const file = join(examined.home, 'state.db');
    try {
      const rows = await askState(examined, (state) => {
        state.waiting(maxWaiting);
        for (const name of journalNames) state.touched(name);
        return journalNames.reduce((sum, name) => sum + state.allCheckedOut(name).size, 0);
      });
      if (rows !== undefined) return [ok('state.db', `knows ${countOf(rows, 'file')}`)];
      return [
        warning('state.db', `${file} is missing: it is not known which files were checked out`, {
          next: 'the next command that writes compares every file with its history and rebuilds it',
        }),
      ];
    } catch (error) {
      return [nameDamage('state.db', error)];
    }
  },
};

const maxWaiting = 1_000;

/** Rethrows errors that are not damage, such as a file that we may not open. */
const nameDamage = (check: string, error: unknown): Finding => {
  if (!isDamage(error)) throw error;
  const said = error instanceof Fault ? error : undefined;
  return problem(check, said?.message ?? `it is damaged: ${messageOf(error)}; it holds no notes`, {
    next: said?.next ?? 'end other anamnesis processes and remove that file: its contents are worked out again',
    damage: true,
  });
};

/** Checks that agents.db can be read; hooks fail if it can't. */
export const agentStateCheck: Check = {
  name: 'agents.db',
  look: async (examined) => {
    if (examined.sqliteProblem !== undefined) return [];
    const file = join(examined.home, 'agents.db');
    try {
      const known = await askAgentState(examined, (state) => {
        state.ledger(1);
        return new Set([...state.sessions(), ...state.transcripts().map(({ session }) => session)]).size;
      });
      return known === undefined ? [] : [ok('agents.db', `knows ${countOf(known, 'session')}`)];
    } catch (error) {
      if (!isDamage(error)) throw error;
      const fix: Fix = {
        plan: `remove ${file}, which is damaged and holds no notes`,
        carryOut: async () => {
          for (const end of ['', '-journal']) rmSync(`${file}${end}`, { force: true });
          return 'removed; open sessions will be given some notes again';
        },
      };
      return [problem('agents.db', `${file} is damaged: ${messageOf(error)}`, { next: `remove ${file}`, fix })];
    }
  },
};

/** A batch of writes holds the lock for hundredths of a second, a large import for seconds. */
const patienceMs = 1_500;
const pauseMs = 50;

/** Checks whether a command could write at this moment. */
export const writeLockCheck: Check = {
  name: 'write lock',
  look: async ({ home, sqliteProblem }) => {
    const file = join(home, 'lock.db');
    if (sqliteProblem !== undefined || !existsSync(file)) return [];
    try {
      if (await isFree(file, patienceMs)) return [ok('write lock', 'free')];
      return [
        warning('write lock', `another process has held the write lock for ${patienceMs / 1000} seconds`, {
          next: 'wait for an import or a replay to end, or look for a stuck anamnesis process and end it',
        }),
      ];
    } catch (error) {
      return [nameDamage('write lock', error)];
    }
  },
};

/** Whether the file's lock becomes free within `waitMs`. The file must exist. */
export const isFree = async (file: string, waitMs: number): Promise<boolean> => {
  let lock: WriteLock | undefined;
  try {
    lock = openLock(file);
    const deadline = performance.now() + waitMs;
    while (!lock.tryAcquire()) {
      if (performance.now() >= deadline) return false;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    lock.release();
    return true;
  } finally {
    lock?.close();
  }
};
