import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundleChild, startChild } from '../support/children.js';
import { openStore, temporaryFolder } from '../support/store.js';

const processes = 6;
const writes = 100;

describe('many processes that write at once', () => {
  let writer = '';
  let home = '';
  beforeAll(async () => {
    writer = await bundleChild('many-writer');
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('all land: one note and one event per write, and no error', async () => {
    home = temporaryFolder();
    const children = Array.from({ length: processes }, (_, at) =>
      startChild(writer, [home, `box${at}`, String(writes)]),
    );
    await Promise.all(children.map(({ child }) => once(child.stdout!, 'data')));
    for (const { child } of children) child.stdin!.write('go\n');
    for (const { ended } of children) {
      const { code, stderr } = await ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    }
    const { memory } = openStore({ home });
    expect((await memory.list({}, 1)).total).toBe(processes * writes);
    expect(await memory.events({ kind: 'note.written' }, 10_000)).toHaveLength(processes * writes);
    for (let at = 0; at < processes; at += 1) {
      expect(await memory.events({ machine: `box${at}` }, 10_000)).toHaveLength(writes);
    }
    await memory.finish();
  }, 120_000);
});
