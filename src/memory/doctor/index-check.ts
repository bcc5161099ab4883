/** Check of the index: that it is there, whole, and says what the journals say. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { journalNames } from '../../events/note.js';
import { checkpointOf } from '../../projections/checkpoint.js';
import { digestsOf, sharedDigestOf } from '../../projections/digest.js';
import { currentGeneration, IndexUnusable, openGeneration } from '../../projections/index/generation.js';
import { countNotes } from '../../projections/index/query.js';
import {
  type Check,
  countOf,
  type Examined,
  existingJournals,
  type Fix,
  messageOf,
  ok,
  problem,
  warning,
} from './check.js';

type Index = ReturnType<typeof openGeneration>;

/** Beyond so many notes a second index takes longer than a person waits for: `replay --verify` does it. */
const mostToReplay = 3_000;

export const indexCheck: Check = {
  name: 'index',
  look: async (examined) => {
    if (existingJournals(examined).length === 0) return [];
    const folder = join(examined.home, 'index');
    const fix = rebuild(examined);
    const file = currentGeneration(folder);
    if (file === undefined) {
      const next = 'the next command that reads or writes builds it';
      return [warning('index', `there is no index in ${folder}`, { next, fix })];
    }
    let index: Index | undefined;
    try {
      index = openGeneration(file);
      return [await compare(index, examined, fix)];
    } catch (error) {
      const isOld = error instanceof IndexUnusable && error.cause === undefined;
      const next = 'the next command builds it anew; no note is lost';
      const message = `${file} can't be used: ${messageOf(error)}`;
      return [
        isOld ? warning('index', message, { next, fix }) : problem('index', message, { next, fix, damage: true }),
      ];
    } finally {
      index?.close();
    }
  },
};

const compare = async (index: Index, examined: Examined, fix: Fix) => {
  const behind = existingJournals(examined).filter((journal) => checkpointOf(index, journal.name) !== journal.head());
  const { total } = countNotes(index);
  const held = `holds ${countOf(total, 'note')}`;
  if (total > mostToReplay || examined.gitVersion === undefined) {
    const [row] = [index.pragma('quick_check(1)', { simple: true })];
    if (row !== 'ok') throw new Error(String(row));
    return ok('index', `${held}; anamnesis replay --verify compares them with the journals`);
  }
  const differs = await differenceFromReplay(index, examined);
  if (differs.length > 0) {
    const next = 'run: anamnesis replay';
    return problem('index', `the index is not what the journals say (${differs.join(', ')})`, {
      next,
      fix,
      damage: true,
    });
  }
  if (behind.length === 0) return ok('index', `${held}, as the journals do`);
  return ok('index', `${held}; the next command takes in what is new in ${behind.map(({ name }) => name).join(', ')}`);
};

/** Builds a second index of the same commits in the temporary folder, and takes it away again. */
const differenceFromReplay = async (index: Index, examined: Examined): Promise<readonly string[]> => {
  const { replay } = await import('../../workers/replay.js');
  const folder = mkdtempSync(join(tmpdir(), 'anamnesis-doctor-'));
  try {
    const journals = existingJournals(examined);
    const at = Object.fromEntries(
      journalNames.flatMap((name) => {
        const commit = checkpointOf(index, name);
        return commit === undefined ? [] : [[name, commit] as const];
      }),
    );
    const { file } = await replay({ journals, indexFolder: folder, at, publish: 'beside' });
    const fresh = openGeneration(file);
    try {
      const [now, then] = [allDigests(index), allDigests(fresh)];
      return (['digest', 'localDigest', 'sharedDigest'] as const).filter((key) => now[key] !== then[key]);
    } finally {
      fresh.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const allDigests = (index: Index) => ({ ...digestsOf(index), sharedDigest: sharedDigestOf(index) });

const rebuild = ({ withMemory }: Examined): Fix => ({
  plan: 'rebuild the index from the journals, as anamnesis replay does',
  carryOut: () =>
    withMemory(async (memory) => {
      const { replayStore } = await import('../replaying.js');
      const { notes, ms } = await replayStore(memory, {});
      return `replayed ${countOf(notes, 'note')} in ${ms} ms`;
    }),
});
