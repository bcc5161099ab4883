/** Checks that the index exists, is intact and agrees with the journals. */
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Journal } from '../../events/journal.js';
import { type JournalName, journalNames } from '../../events/note/note.js';
import { checkpointOf } from '../../projections/checkpoint.js';
import { allDigestsOf, differingDigests } from '../../projections/digest.js';
import { asUnusable, currentGeneration, IndexUnusable, openGeneration } from '../../projections/generation.js';
import { countNotes } from '../../projections/index/counts.js';
import {
  type Check,
  countOf,
  type Examined,
  existingJournals,
  type Finding,
  type Fix,
  messageOf,
  ok,
  problem,
  warning,
} from './check.js';

type Index = ReturnType<typeof openGeneration>;

/** With more notes, a second index takes longer than a person waits; `replay --verify` builds one. */
const maxToReplay = 1_000;

export const indexCheck: Check = {
  name: 'index',
  look: async (examined) => {
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
      return [await compare(index, examined, fix)];
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

const compare = async (index: Index, examined: Examined, fix: Fix): Promise<Finding> => {
  const journals = existingJournals(examined);
  const { total, checkpoints, digests } = readAtOnce(index);
  const isBehind = journals.some((journal) => checkpoints[journal.name] !== journal.head());
  const holds = `holds ${countOf(total, 'note')}`;
  if (digests === undefined || !examined.gitWorks) {
    const found = index.pragma('quick_check(1)', { simple: true });
    if (found !== 'ok') throw new IndexUnusable('SQLite finds it damaged', { cause: found });
    return ok('index', `${holds}; anamnesis replay --verify compares them with the journals`);
  }
  const then = await replayAt(checkpoints, journals).catch(messageOf);
  if (typeof then === 'string') {
    return warning('index', `could not be compared with the journals: ${then}`, {
      next: 'first fix what the journal checks report, then run: anamnesis replay',
      fix,
    });
  }
  const differs = differingDigests(digests, then);
  if (differs.length > 0) {
    const message = `the index differs from the journals (${differs.join(', ')})`;
    return problem('index', message, { next: 'run: anamnesis replay', fix, damage: true });
  }
  return ok('index', isBehind ? `${holds}; the next command catches up` : `${holds}, as the journals do`);
};

type Checkpoints = Readonly<Partial<Record<JournalName, string>>>;

/** Reads in one transaction, because others may write meanwhile. No digests if the index is too large to replay. */
const readAtOnce = (index: Index) =>
  index.transaction(() => {
    const { total } = countNotes(index);
    const checkpoints: Checkpoints = Object.fromEntries(
      journalNames.flatMap((name) => {
        const commit = checkpointOf(index, name);
        return commit === undefined ? [] : [[name, commit] as const];
      }),
    );
    return { total, checkpoints, digests: total > maxToReplay ? undefined : allDigestsOf(index) };
  })();

/** Builds a second index of the same commits in the temporary folder, reads its digests and deletes it. */
const replayAt = async (at: Checkpoints, journals: readonly Journal[]) => {
  const { replay } = await import('../../workers/replay.js');
  const folder = mkdtempSync(join(tmpdir(), 'anamnesis-doctor-'));
  try {
    const { file } = await replay({ journals, indexFolder: folder, at, publish: 'beside' });
    const fresh = openGeneration(file);
    try {
      return allDigestsOf(fresh);
    } finally {
      fresh.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const rebuild = ({ withMemory }: Examined): Fix => ({
  plan: 'rebuild the index from the journals, as anamnesis replay does',
  carryOut: () =>
    withMemory(async (memory) => {
      const { replayStore } = await import('../../maintenance/replaying.js');
      const { notes, ms } = await replayStore(memory, {});
      return `replayed ${countOf(notes, 'note')} in ${ms} ms`;
    }),
});
