/** Checks of the databases: state.db, agents.db, the write lock and the index. */
import { accessSync, constants, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../events/faults.js';
import { journalNames } from '../../events/note/note.js';
import { checkpointOf } from '../../projections/checkpoint.js';
import { asUnusable, currentGeneration, IndexUnusable, openGeneration } from '../../projections/generation.js';
import { countNotes } from '../../projections/index/rows.js';
import { readUnfinished, readUnpublished } from '../../purge/purge-state.js';
import { askAgentState, askState, isDamage, passOverDamage } from '../../state/state-file.js';
import {
  type Check,
  type CheckInput,
  countOf,
  existingJournals,
  type Fix,
  messageOf,
  problem,
  type Remark,
  verdictOf,
  warning,
} from './check.js';

export const stateCheck: Check = {
  name: 'state.db',
  needs: ['sqlite', 'journals'],
  look: async (examined) => {
    try {
      const rows = await askState(examined, (state) => {
        state.waiting(maxWaiting);
        for (const name of journalNames) state.touched(name);
        return journalNames.reduce((sum, name) => sum + state.allCheckedOut(name).size, 0);
      });
      if (rows !== undefined) return `knows ${countOf(rows, 'file')}`;
      const file = join(examined.home, 'state.db');
      return [
        warning(
          `${file} is missing: it is not known which files were checked out`,
          'the next command that writes compares every file with its history and rebuilds it',
        ),
      ];
    } catch (error) {
      return [nameDamage(error)];
    }
  },
};

const maxWaiting = 1_000;

/** Rethrows errors that are not damage, such as a file that we may not open. */
const nameDamage = (error: unknown): Remark => {
  if (!isDamage(error)) throw error;
  const said = error instanceof Fault ? error : undefined;
  return problem(
    said?.message ?? `it is damaged: ${messageOf(error)}; it holds no notes`,
    said?.next ?? 'end other anamnesis processes and remove that file: its contents are worked out again',
    { damage: true },
  );
};

/** Whether agents.db can be read; hooks fail if it can't. */
export const agentStateCheck: Check = {
  name: 'agents.db',
  needs: ['sqlite'],
  look: async (examined) => {
    const file = join(examined.home, 'agents.db');
    try {
      const known = await askAgentState(examined, (state) => {
        state.ledger(1);
        return new Set([...state.sessions(), ...state.transcripts().map(({ session }) => session)]).size;
      });
      return known === undefined ? undefined : `knows ${countOf(known, 'session')}`;
    } catch (error) {
      if (!isDamage(error)) throw error;
      const fix: Fix = {
        plan: `remove ${file}, which is damaged and holds no notes`,
        carryOut: async () => {
          for (const end of ['', '-journal']) rmSync(`${file}${end}`, { force: true });
          return 'removed; open sessions will be given some notes again';
        },
      };
      return [problem(`${file} is damaged: ${messageOf(error)}`, `remove ${file}`, { fix })];
    }
  },
};

/** A purge that was begun and not finished, or not published. */
export const purgeCheck: Check = {
  name: 'purge',
  needs: ['sqlite'],
  look: async (examined) => {
    const pending = await askState(examined, (state) => ({
      unfinished: readUnfinished(state),
      unpublished: readUnpublished(state),
    })).catch(passOverDamage);
    const { unfinished, unpublished } = pending ?? {};
    return verdictOf(
      [
        unfinished &&
          problem(
            `a purge of ${unfinished.what} was begun on ${unfinished.at}, and its text was not confirmed to be gone everywhere`,
            'repeat it: steps already done are skipped, and the rest is finished',
          ),
        unpublished !== undefined &&
          problem('the remote still has what was purged on this machine', 'run: anamnesis sync'),
      ],
      undefined,
    );
  },
};

type Index = ReturnType<typeof openGeneration>;

/** Whether the index exists and is intact. */
export const indexCheck: Check = {
  name: 'index',
  needs: ['sqlite', 'journals'],
  look: (examined) => {
    const folder = join(examined.home, 'index');
    const fix = rebuild(examined);
    const file = currentGeneration(folder);
    if (file === undefined) {
      const isEmpty = existingJournals(examined).every((journal) => journal.head() === undefined);
      if (isEmpty) return 'nothing to index yet';
      return [warning(`there is no index in ${folder}`, 'the next command builds it', { fix })];
    }
    // An index that we may not open is not damaged, so that error is thrown.
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
    let index: Index | undefined;
    try {
      index = openGeneration(file);
      return describeIndex(index, examined);
    } catch (error) {
      const unusable = asUnusable(error);
      if (!(unusable instanceof IndexUnusable)) throw error;
      const next = 'the next command rebuilds it; no note is lost';
      const message = `${file} can't be used: ${unusable.message}`;
      // An index of another version is intact, only not usable by this one.
      const isDamaged = unusable.cause !== undefined;
      return [isDamaged ? problem(message, next, { fix, damage: true }) : warning(message, next, { fix })];
    } finally {
      index?.close();
    }
  },
};

/** Whether it agrees with the journals, `replay --verify` tells: that builds a second one. */
const describeIndex = (index: Index, examined: CheckInput): string => {
  const found = index.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') throw new IndexUnusable('SQLite finds it damaged', { cause: found });
  const isBehind = existingJournals(examined).some((journal) => checkpointOf(index, journal.name) !== journal.head());
  const holds = `holds ${countOf(countNotes(index).total, 'note')}`;
  return isBehind ? `${holds}; the next command catches up` : holds;
};

const rebuild = ({ withMemory }: CheckInput): Fix => ({
  plan: 'rebuild the index from the journals, as anamnesis replay does',
  carryOut: () =>
    withMemory(async (memory) => {
      const { replayStore } = await import('../../maintenance/replaying.js');
      const { notes, ms } = await replayStore(memory, {});
      return `replayed ${countOf(notes, 'note')} in ${ms} ms`;
    }),
});
