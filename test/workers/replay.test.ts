import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { journalNames } from '../../src/events/note/note.js';
import { askPast, replayStore } from '../../src/maintenance/replaying.js';
import { currentGeneration } from '../../src/projections/generation.js';
import { listNotes } from '../../src/projections/index/query.js';
import { openPool, type Pool } from '../../src/workers/pool.js';
import { type ReplayResult, replay } from '../../src/workers/replay.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

describe('replay', () => {
  let store: TestStore;
  beforeEach(() => {
    store = openStore();
  });
  afterEach(async () => {
    await store.close();
  });

  it('fails with a clear error when a worker dies, and the old index keeps serving', async () => {
    await writeNote(store.memory, { title: 'Findable pelican' });
    const before = currentGeneration(join(store.home, 'index'));
    const killer = join(store.home, 'killer.cjs');
    writeFileSync(killer, 'module.exports = () => process.exit(1);\n');
    const pool = openPool(2, killer);
    const journals = journalNames.map((name) => store.memory.journals[name]);
    const indexFolder = join(store.home, 'index');
    await expect(replay({ journals, indexFolder, publish: 'current', pool })).rejects.toMatchObject({
      code: 'worker-died',
      message: expect.stringContaining('the index is unchanged'),
    });
    await pool.close();
    expect(currentGeneration(indexFolder)).toBe(before);
    expect(readdirSync(indexFolder).filter((name) => /^v\d+-\d{6}\.db$/.test(name))).toHaveLength(1);
    expect((await store.memory.search('pelican', {})).hits).toHaveLength(1);
  });

  it('succeeds even when a newer one removed its file before a thread could read it', async () => {
    await writeNote(store.memory, { title: 'Findable pelican' });
    const journals = journalNames.map((name) => store.memory.journals[name]);
    const asked = { journals, indexFolder: join(store.home, 'index'), publish: 'current' } as const;
    const threads = openPool(1);
    const newer: ReplayResult[] = [];
    const pool: Pool = {
      ...threads,
      run: async (task) => {
        if (task.task === 'digest') newer.push(await replay(asked));
        return threads.run(task);
      },
    };
    const { digest, projections } = await replay({ ...asked, pool });
    await threads.close();
    expect(newer).toMatchObject([{ digest, projections, file: currentGeneration(asked.indexFolder) }]);
    expect((await store.memory.search('pelican', {})).hits).toHaveLength(1);
  });

  it('removes the new pointer that a killed one left, once it is a minute old', async () => {
    await writeNote(store.memory);
    const indexFolder = join(store.home, 'index');
    const [left, fresh] = ['current-v1.999.tmp', 'current-v1.998.tmp'];
    for (const name of [left, fresh]) writeFileSync(join(indexFolder, name), '000001.db\n');
    const old = new Date(Date.now() - 61_000);
    utimesSync(join(indexFolder, left), old, old);
    await replayStore(store.memory, {});
    expect(readdirSync(indexFolder).filter((name) => name.endsWith('.tmp'))).toEqual([fresh]);
  });

  it('rebuilds the same index from the journals alone', async () => {
    for (let at = 0; at < 5; at += 1) await writeNote(store.memory, { title: `note ${at}` });
    const first = await replayStore(store.memory, {});
    rmSync(join(store.home, 'index'), { recursive: true });
    const second = await replayStore(store.memory, { workers: 2 });
    expect(second).toMatchObject({ notes: 5, digest: first.digest, localDigest: first.localDigest });
    expect((await replayStore(store.memory, { verify: true })).verified).toBe(true);
  });

  it('reads from git what is missing in the working tree', async () => {
    const note = await writeNote(store.memory, { body: 'only in git\n' });
    for (const name of readdirSync(store.memory.journals.portable.folder)) {
      if (name !== '.git') rmSync(join(store.memory.journals.portable.folder, name), { recursive: true });
    }
    expect(await replayStore(store.memory, {})).toMatchObject({ notes: 1, skipped: 0 });
    expect(await store.memory.show(note.id)).toMatchObject({ answer: { body: 'only in git\n' } });
  });

  it('reports an index that does not match the journal', async () => {
    await writeNote(store.memory);
    await store.memory.liveIndex.ask((database) => database.prepare("UPDATE notes SET title = 'Forged'").run());
    expect(await replayStore(store.memory, { verify: true })).toMatchObject({ verified: false, differs: ['digest'] });
    expect((await replayStore(store.memory, { verify: true })).verified).toBe(true);
  });

  it('rebuilds the past beside the present, given an event, a commit or a date', async () => {
    const first = await writeNote(store.memory, { title: 'first' });
    const [event] = await store.memory.events({ note: first.id }, 1);
    await writeNote(store.memory, { title: 'second' });
    const titles = async (at: string): Promise<string[]> =>
      askPast(store.memory, at, (database) => listNotes(database, {}, 10).notes.map(({ title }) => title));
    expect(await titles(event?.id ?? '')).toEqual(['first']);
    expect(await titles(event?.commit.slice(0, 10) ?? '')).toEqual(['first']);
    expect(await titles('2020-01-01')).toEqual([]);
    expect((await store.memory.list({}, 10)).total).toBe(2);
    expect(existsSync(join(store.home, 'index', 'past')) && readdirSync(join(store.home, 'index', 'past'))).toEqual([]);
    await expect(titles('no such thing')).rejects.toMatchObject({ code: 'unknown-revision' });
  });

  it('finds no notes in an empty store', async () => {
    mkdirSync(store.home, { recursive: true });
    expect(await replayStore(store.memory, {})).toMatchObject({ notes: 0, skipped: 0 });
  });
});
