/** Checks that the index exists and is intact. */
import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkpointOf } from '../../projections/checkpoint.js';
import { asUnusable, currentGeneration, IndexUnusable, openGeneration } from '../../projections/generation.js';
import { countNotes } from '../../projections/index/counts.js';
import {
  type Check,
  type CheckInput,
  countOf,
  existingJournals,
  type Finding,
  type Fix,
  ok,
  problem,
  warning,
} from './check.js';

type Index = ReturnType<typeof openGeneration>;

export const indexCheck: Check = {
  name: 'index',
  look: (examined) => {
    if (examined.sqliteProblem !== undefined || existingJournals(examined).length === 0) return [];
    const folder = join(examined.home, 'index');
    const fix = rebuild(examined);
    const file = currentGeneration(folder);
    if (file === undefined) {
      const isEmpty = existingJournals(examined).every((journal) => journal.head() === undefined);
      if (isEmpty) return [ok('index', 'nothing to index yet')];
      const next = 'the next command builds it';
      return [warning('index', `there is no index in ${folder}`, { next, fix })];
    }
    // An index that we may not open is not damaged, so that error is thrown.
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
    let index: Index | undefined;
    try {
      index = openGeneration(file);
      return [describe(index, examined)];
    } catch (error) {
      const unusable = asUnusable(error);
      if (!(unusable instanceof IndexUnusable)) throw error;
      const next = 'the next command rebuilds it; no note is lost';
      const message = `${file} can't be used: ${unusable.message}`;
      // An index of another version is intact, only not usable by this one.
      const isDamaged = unusable.cause !== undefined;
      return [
        isDamaged ? problem('index', message, { next, fix, damage: true }) : warning('index', message, { next, fix }),
      ];
    } finally {
      index?.close();
    }
  },
};

/** Whether it agrees with the journals, `replay --verify` tells: that builds a second one. */
const describe = (index: Index, examined: CheckInput): Finding => {
  const found = index.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') throw new IndexUnusable('SQLite finds it damaged', { cause: found });
  const isBehind = existingJournals(examined).some((journal) => checkpointOf(index, journal.name) !== journal.head());
  const holds = `holds ${countOf(countNotes(index).total, 'note')}`;
  return ok('index', isBehind ? `${holds}; the next command catches up` : holds);
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
