/** An unpublished text that clashes with a published one, and that was removed and brought back before the sync. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/store/memory.js';
import { personsGit, writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';

const text = 'one\ntwo\nthree\n';
const ways: readonly (readonly [string, (a: Memory, id: string, path: string) => Promise<unknown>])[] = [
  [
    'is forgotten and restored',
    async (a, id) => {
      await a.perform({ kind: 'forget', id });
      await a.perform({ kind: 'restore', id });
    },
  ],
  [
    'is made machine-local and portable again',
    async (a, id) => {
      await a.perform({ kind: 'move', id, scope: 'machine-local' });
      await a.perform({ kind: 'move', id, scope: 'portable' });
    },
  ],
  [
    'is removed and put back by hand',
    async (a, _, path) => {
      const mine = readFileSync(path);
      rmSync(path);
      await a.adopt('record');
      writeFileSync(path, mine);
      await a.adopt('hold');
    },
  ],
  [
    'is removed by a commit that a person reverts',
    async (a, _, path) => {
      await a.finish();
      const { folder } = a.journals.portable;
      personsGit(folder, 'rm', '-q', path);
      personsGit(folder, 'commit', '-qm', 'rm');
      personsGit(folder, 'revert', '--no-edit', 'HEAD');
    },
  ],
  [
    'is forgotten, restored and edited elsewhere in the text',
    async (a, id) => {
      await a.perform({ kind: 'forget', id });
      await a.perform({ kind: 'restore', id });
      await a.perform({ kind: 'edit', id, set: { body: 'one\nMINE\nthree\nfour\n' } });
    },
  ],
];

const setUp = startOnce(['a', 'b'], async ({ a, b }, machines) => {
  const { id, path = '' } = await writeNote(a, { title: 'X', body: text });
  await machines.sync(a, b);
  return { id, path };
});
const textsIn = (memory: Memory): string => personsGit(memory.journals.portable.folder, 'grep', '-h', '', 'main');

describe('an unpublished text that clashes with a published one', () => {
  it.each(ways)('is kept in a note beside it when the note %s before the sync', async (_, bringBack) => {
    const { machines, a, b, id, path } = await setUp();
    await b.perform({ kind: 'edit', id, set: { body: text.replace('two', 'THEIRS') } });
    await machines.sync(b);
    await a.perform({ kind: 'edit', id, set: { body: text.replace('two', 'MINE') } });
    await bringBack(a, id, path);
    await machines.sync(a, b, a);
    const now = textsIn(a);
    expect(now).toContain('THEIRS');
    expect(now).toContain('MINE');
    expect((await b.list({}, 9)).total).toBe(2);
  });

  it('makes no conflict when the note came back as it was before the two histories diverged', async () => {
    const { machines, a, b, id } = await setUp();
    await b.perform({ kind: 'edit', id, set: { body: text.replace('two', 'THEIRS') } });
    await machines.sync(b);
    await a.perform({ kind: 'forget', id });
    await a.perform({ kind: 'restore', id });
    await machines.sync(a, b);
    expect(textsIn(a)).toContain('THEIRS');
    expect(textsIn(a)).not.toContain('two');
  });
});
