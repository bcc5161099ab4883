import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPool, type Pool } from '../../src/workers/pool.js';

describe('a pool of threads', () => {
  let pool: Pool;
  beforeEach(() => {
    pool = openPool(1);
  });
  afterEach(() => pool.close());

  const parseNothing = () => pool.run({ task: 'parse', journal: 'portable', folder: '', entries: [] });

  it('keeps no answer that its caller has dropped, because those of a replay hold all notes', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    const answers: WeakRef<object>[] = [];
    for (let run = 0; run < 10; run += 1) answers.push(new WeakRef(await parseNothing()));
    await parseNothing();
    // References that a finished task leaves in the event loop go with its next round.
    await new Promise((resolve) => setTimeout(resolve, 10));
    collectGarbage();
    expect(answers.filter((answer) => answer.deref() !== undefined)).toEqual([]);
  });

  it('rejects the work that was running when a thread died, and all later work', async () => {
    const dying = openPool(1, new URL('../support/no-such-thread.js', import.meta.url).pathname);
    await expect(dying.run({ task: 'parse', journal: 'portable', folder: '', entries: [] })).rejects.toThrow(
      /a worker thread stopped/,
    );
    await expect(dying.run({ task: 'parse', journal: 'portable', folder: '', entries: [] })).rejects.toThrow(
      /a worker thread stopped/,
    );
    await dying.close();
  });
});
