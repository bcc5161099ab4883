/** Copies of machine-local texts, without their scope, in the same commit as a change of the note's portable file. */
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/store/memory.js';
import { syncStore } from '../../src/sync/syncing.js';
import { writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';
import {
  amendAll,
  commitAll,
  expectRefused,
  fiveLines,
  git,
  inBoth,
  pathOf,
  published,
} from './support/private-notes.js';

const copyUnscoped = (memory: Memory, local: string, name: string): string => {
  const to = join(memory.journals.portable.folder, name);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, readFileSync(local, 'utf8').replace('scope: machine-local\n', ''));
  return to;
};

const renamed = (file: string, id: string): void => {
  const to = join(dirname(file), 'elsewhere', `${id}.md`);
  mkdirSync(dirname(to));
  renameSync(file, to);
};
const places: readonly (readonly [string, (id: string) => string])[] = [
  ['outside the notes’ folders', (id) => `backup/${id}.md`],
  ['under a name that is not a note’s', () => 'docs/copy.txt'],
  ['in a folder of notes', (id) => `semantic/zz/${id}.md`],
];

describe('a copy of a machine-local text beside the portable file of its note', () => {
  describe.each(places)('%s', (_, nameOf) => {
    it.each<[string, (portable: string, id: string) => void]>([
      ['edited', (portable) => appendFileSync(portable, 'more\n')],
      ['renamed', renamed],
      [
        'renamed and edited',
        (portable, id) => {
          appendFileSync(portable, 'more\n');
          renamed(portable, id);
        },
      ],
    ])('is refused in a commit in which the portable file is %s', async (__, change) => {
      const { machines, b, id, local, portable } = await inBoth();
      copyUnscoped(b, local, nameOf(id));
      change(portable, id);
      commitAll(b);
      await expectRefused(machines, b);
    });
  });

  it('is refused under a name that is not a note’s in the commit that removes the portable file', async () => {
    const { machines, b, local, portable } = await inBoth();
    copyUnscoped(b, local, 'docs/copy.txt');
    rmSync(portable);
    commitAll(b);
    await expectRefused(machines, b);
  });
});

it('a portable file may be renamed and edited in one commit even though its note is machine-local here', async () => {
  const { machines, b, id, portable } = await inBoth();
  appendFileSync(portable, 'for all\n');
  renamed(portable, id);
  commitAll(b);
  await machines.sync(b);
  expect(published(machines)).toContain('for all');
});

/** A published note that was made machine-local, which the remote doesn't know yet. */
const movedUnpublished = startOnce(['a'], async ({ a }, machines) => {
  const { id, path = '' } = await writeNote(a, { title: 'N', body: fiveLines });
  await machines.sync(a);
  await a.perform({ kind: 'move', id, scope: 'machine-local' });
  await a.perform({ kind: 'edit', id, set: { body: fiveLines.replace('four', 'four PRIVATE') } });
  await a.finish();
  return { id, local: await pathOf(a, id), old: path.slice(a.journals.portable.folder.length + 1) };
});

describe('a copy of a machine-local text in the commit that moved its note away', () => {
  it('is refused under a name that is not a note’s when the commit was amended', async () => {
    const { machines, a, local } = await movedUnpublished();
    copyUnscoped(a, local, 'docs/n.md');
    amendAll(a);
    await expectRefused(machines, a);
  });

  describe.each<[string, (id: string, old: string) => string]>([
    ['in another folder', (id) => `semantic/zz/${id}.md`],
    ['at its old path', (_, old) => old],
  ])('%s', (_, nameOf) => {
    const squashed = async () => {
      const moved = await movedUnpublished();
      const { a, id, local, old } = moved;
      const copy = copyUnscoped(a, local, nameOf(id, old));
      git(a, 'add', '-A');
      git(a, 'reset', '-q', '--soft', 'HEAD~1');
      git(a, 'commit', '-qm', 'squash');
      return { ...moved, copy };
    };

    it('is refused when the move was squashed with it', async () => {
      const { machines, a } = await squashed();
      await expectRefused(machines, a);
    });

    it('is left out once the note is moved again', async () => {
      const { machines, a, id, copy } = await squashed();
      await expectRefused(machines, a);
      await a.adopt('hold');
      await a.perform({ kind: 'move', id, scope: 'machine-local' });
      await a.finish();
      rmSync(copy, { force: true });
      expect(await syncStore(a)).toMatchObject({ outcome: 'synced' });
      expect(published(machines)).not.toContain('PRIVATE');
      expect(readFileSync(await pathOf(a, id), 'utf8')).toContain('PRIVATE');
    });
  });
});
