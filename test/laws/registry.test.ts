/** Laws that hold for every projection in the registry, on one history with all that makes catching up hard. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { journalNames } from '../../src/events/note/note.js';
import { schemaNumber, tableVersions } from '../../src/projections/checkpoint.js';
import { type AllDigests, allDigestsOf } from '../../src/projections/digest.js';
import { currentGeneration, openGeneration } from '../../src/projections/generation.js';
import { beginGeneration, discardGeneration } from '../../src/projections/new-generation.js';
import { beginFold, makeIndexes, projections } from '../../src/projections/registry.js';
import type { Memory } from '../../src/store/memory.js';
import { openPool } from '../../src/workers/pool.js';
import { replay } from '../../src/workers/replay.js';
import { openStore, personsGit, type TestStore, writeNote } from '../support/store.js';

/** The index catches up with each step separately, in the same file from beginning to end. */
const makeHistory = async (memory: Memory): Promise<void> => {
  const { folder } = memory.journals.portable;
  const first = await writeNote(memory, { title: 'Deploys need the VPN', project: 'shop', tags: ['Deploy'] });
  const second = await writeNote(memory, { title: 'They do not any more', project: 'shop', supersedes: [first.id] });
  const local = await writeNote(memory, { title: 'The laptop has no VPN', scope: 'machine-local' });
  await memory.perform({ kind: 'edit', id: second.id, set: { body: 'Since June.\n' } });
  await memory.perform({ kind: 'tag', id: first.id, add: ['old'], remove: ['deploy'] });
  await memory.perform({ kind: 'forget', id: local.id });
  await memory.liveIndex.ask(() => undefined);
  // As a sync does: two events are appended again on top of another's commit, and their old commits dropped.
  const head = personsGit(folder, 'rev-parse', 'HEAD').trim();
  personsGit(folder, 'reset', '-q', '--hard', 'HEAD~2');
  personsGit(folder, 'commit', '-q', '--allow-empty', '-m', 'theirs');
  personsGit(folder, 'cherry-pick', '--allow-empty', `${head}~2..${head}`);
  await memory.liveIndex.ask(() => undefined);
};

const emptyDigests = (folder: string): AllDigests => {
  const { file, database } = beginGeneration(folder);
  const fold = beginFold(database, 'replay');
  makeIndexes(database);
  fold.finish();
  const digests = allDigestsOf(database);
  discardGeneration(file, database);
  return digests;
};

describe('the registry', () => {
  let store: TestStore;
  let caughtUp: AllDigests;
  const replayed = new Map<number, AllDigests>();

  beforeAll(async () => {
    store = openStore();
    const { memory, home } = store;
    await memory.initialise();
    await memory.liveIndex.ask(() => undefined);
    const before = currentGeneration(join(home, 'index'));
    await makeHistory(memory);
    caughtUp = await memory.liveIndex.ask(allDigestsOf);
    expect(currentGeneration(join(home, 'index'))).toBe(before);
    for (const threads of [1, 2, 4]) {
      const pool = openPool(threads);
      const journals = journalNames.map((name) => memory.journals[name]);
      const options = { journals, indexFolder: join(home, 'beside'), publish: 'beside', pool, batchSize: 1 } as const;
      const index = openGeneration((await replay(options)).file);
      replayed.set(threads, allDigestsOf(index));
      index.close();
      await pool.close();
    }
  }, 120_000);
  afterAll(() => store.close());

  it.each(projections)('$name is the same after catching up and after a replay with 1, 2 and 4 workers', ({ name }) => {
    for (const [threads, digests] of replayed) {
      expect([threads, digests.projections[name]]).toEqual([threads, caughtUp.projections[name]]);
    }
    expect(caughtUp.projections[name]).not.toBe(emptyDigests(join(store.home, 'empty')).projections[name]);
  });

  it('gives the same digest of everything that machines compare', () => {
    for (const digests of replayed.values()) expect(digests).toEqual(caughtUp);
    expect(Object.keys(caughtUp.projections)).toEqual(projections.map(({ name }) => name));
  });

  it('names each projection once, and numbers the file that holds their tables', () => {
    expect(new Set(projections.map(({ name }) => name)).size).toBe(projections.length);
    expect(projections.every(({ version }) => Number.isInteger(version) && version >= 1)).toBe(true);
    expect(Object.fromEntries(projections.map(({ name, version }) => [name, version]))).toEqual(tableVersions);
    // Stores have files of number 6 and more: under a reused number, old tables would be taken for new ones.
    expect(schemaNumber).toBeGreaterThanOrEqual(6);
  });
});
