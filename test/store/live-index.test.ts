import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countNotes } from '../../src/projections/index/rows.js';
import { replay } from '../../src/workers/replay.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

describe('an index that another process replaces', () => {
  let store: TestStore;
  let past: string | undefined;
  const folder = (): string => join(store.home, 'index');
  const count = (database: Parameters<typeof countNotes>[0]): number => countNotes(database).total;

  /** Replays as another process would that began before the last notes were written. */
  const replayPast = async (publish: 'current' | 'beside'): Promise<string> => {
    const journals = [store.memory.journals.portable, store.memory.journals.local];
    return (await replay({ journals, indexFolder: folder(), at: { portable: past }, publish })).file;
  };
  const publishNow = (file: string): void => {
    const pointer = readdirSync(folder()).find((name) => name.startsWith('current-')) ?? '';
    writeFileSync(join(folder(), pointer), `${basename(file)}\n`);
  };

  beforeEach(async () => {
    store = openStore();
    await writeNote(store.memory, { title: 'one' });
    past = store.memory.journals.portable.head();
    await writeNote(store.memory, { title: 'two' });
    await writeNote(store.memory, { title: 'three' });
  });
  afterEach(() => store.close());

  it('is not closed while a query that uses it is still catching up', async () => {
    const { liveIndex } = store.memory;
    await replayPast('current');
    const newer = await replayPast('beside');
    const first = liveIndex.ask(count);
    publishNow(newer);
    const second = liveIndex.ask(count);
    expect(await Promise.all([first, second])).toEqual([3, 3]);
  });

  it('keeps serving the holder of the lock that has caught it up', async () => {
    const { liveIndex, journals } = store.memory;
    await store.memory.exclusively(async () => {
      await liveIndex.catchUp(journals.portable);
      await replayPast('current');
      const reading = liveIndex.ask(count);
      expect(liveIndex.askNow(count)).toBe(3);
      expect(await reading).toBe(3);
    });
    expect(await liveIndex.ask(count)).toBe(3);
  });

  it('gives way to one at the head of both journals when the holder of the lock switches', async () => {
    await writeNote(store.memory, { title: 'four', scope: 'machine-local' });
    const { liveIndex, journals } = store.memory;
    await store.memory.exclusively(async () => {
      await liveIndex.catchUp(journals.portable);
      await replayPast('current');
      await liveIndex.catchUp(journals.local);
      expect(liveIndex.askNow(count)).toBe(4);
    });
  });

  it('loses no note that is written while it is replaced repeatedly', async () => {
    let over = false;
    const replacing = (async () => {
      while (!over) {
        await replayPast('current');
        // Real replays come with pauses; without one, a reader in this process gets no turn between two of them.
        await sleep(20);
      }
    })();
    const reading = (async () => {
      while (!over) {
        await store.memory.liveIndex.ask(count);
        // An answer from an index that is up to date gives nothing else in this process a turn.
        await sleep(1);
      }
    })();
    try {
      for (let at = 0; at < 8; at += 1) {
        const answer = await writeNote(store.memory, { title: `more ${at}` });
        expect(answer.title).toBe(`more ${at}`);
      }
    } finally {
      over = true;
      await Promise.all([replacing, reading]);
    }
    expect(await store.memory.liveIndex.ask(count)).toBe(11);
  });
});
