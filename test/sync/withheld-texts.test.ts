/** Machine-local texts that a person committed and then removed from memory/: the sync leaves them out of history. */
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/store/memory.js';
import { syncStore } from '../../src/sync/syncing.js';
import { type Machines, newMachines } from '../support/machines.js';
import { writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';
import { commitAll, copyTo, expectRefused, git, leftCopy, pathOf, published } from './support/private-notes.js';

const expectLeftOut = async (machines: Machines, memory: Memory): Promise<void> => {
  await writeNote(memory, { title: 'Later', body: 'LATER\n' });
  expect(await syncStore(memory)).toMatchObject({
    outcome: 'synced',
    withheld: expect.arrayContaining([expect.any(String)]),
    rescued: expect.stringContaining('rescue'),
    detail: expect.stringContaining('left out of your commits'),
  });
  expect(published(machines)).toContain('LATER');
  expect(published(machines)).not.toContain('PRIVATE');
};

/** The file of a machine-local note, committed over that of a portable one. */
const copiedOver = startOnce(['a'], async ({ a }, machines) => {
  const over = await writeNote(a, { title: 'Over', body: 'over\n' });
  const mine = await writeNote(a, { title: 'Mine', body: 'PRIVATE\n', scope: 'machine-local' });
  await machines.sync(a);
  await a.finish();
  const [path, local] = [await pathOf(a, over.id), await pathOf(a, mine.id)];
  const before = readFileSync(path, 'utf8');
  copyFileSync(local, path);
  commitAll(a);
  return { id: over.id, mine: mine.id, local, path, before };
});

describe('a machine-local text over another note’s file', () => {
  it.each<[string, (made: Awaited<ReturnType<typeof copiedOver>>) => unknown]>([
    ['git reverts it', ({ a }) => git(a, 'revert', '--no-edit', 'HEAD')],
    [
      'the other note is put back by hand',
      ({ a, path, before }) => {
        writeFileSync(path, before.replace('over', 'by hand'));
        commitAll(a);
      },
    ],
    [
      'the other note’s file is moved back over it',
      ({ a, id, path, before }) => {
        const aside = `semantic/aside/${id}.md`;
        mkdirSync(join(a.journals.portable.folder, 'semantic/aside'));
        writeFileSync(join(a.journals.portable.folder, aside), before);
        commitAll(a);
        git(a, 'mv', '-f', aside, path);
        commitAll(a);
      },
    ],
  ])('is left out once %s', async (_, putBack) => {
    const made = await copiedOver();
    const { machines, a, id, path } = made;
    putBack(made);
    const now = readFileSync(path, 'utf8');
    await expectLeftOut(machines, a);
    await a.finish();
    expect(readFileSync(path, 'utf8')).toBe(now);
    const other = await machines.open('b');
    await machines.sync(other);
    expect(readFileSync(await pathOf(other, id), 'utf8')).toBe(now);
  });

  it('is refused when it was put there once more', async () => {
    const { machines, a, local, path } = await copiedOver();
    git(a, 'revert', '--no-edit', 'HEAD');
    copyFileSync(local, path);
    commitAll(a);
    await expectRefused(machines, a);
  });
});

const anyPlaces = ['README.md', 'semantic/more.md', 'docs/deep/copy.txt'];

describe('a machine-local text at a path that is not a note’s', () => {
  it.each(anyPlaces)('is left out once %s is removed, even without a commit', async (name) => {
    const { machines, a } = await leftCopy(name);
    commitAll(a);
    await expectRefused(machines, a);
    rmSync(join(a.journals.portable.folder, name));
    await expectLeftOut(machines, a);
    await a.finish();
    expect(git(a, 'status', '--porcelain')).toBe('');
  });

  it('is left out once its folder is replaced by a file', async () => {
    const { machines, a } = await leftCopy('docs/copy.txt');
    commitAll(a);
    rmSync(join(a.journals.portable.folder, 'docs'), { recursive: true });
    writeFileSync(join(a.journals.portable.folder, 'docs'), 'a file\n');
    await expectLeftOut(machines, a);
  });

  it.each(anyPlaces)('is refused as %s with advice that works', async (name) => {
    const { a, id } = await leftCopy(name);
    commitAll(a);
    const { trouble } = await syncStore(a);
    expect(trouble?.next).toContain(
      `to keep it here, move the file out of ${a.journals.portable.folder}; the next sync`,
    );
    expect(trouble?.next).not.toContain(`move ${id} --scope machine-local`);
  });

  it('is left out once the earlier text is restored', async () => {
    const machines = newMachines();
    const a = await machines.open('a');
    const file = join(a.journals.portable.folder, 'README.md');
    writeFileSync(file, 'about this folder\n');
    commitAll(a);
    const { path = '' } = await writeNote(a, { title: 'X', body: 'PRIVATE\n', scope: 'machine-local' });
    await machines.sync(a);
    await a.finish();
    appendFileSync(file, 'and more\n');
    commitAll(a);
    copyTo(path, file);
    commitAll(a);
    git(a, 'revert', '--no-edit', 'HEAD');
    await expectLeftOut(machines, a);
    expect(published(machines)).toContain('and more');
    expect(readFileSync(file, 'utf8')).toContain('and more');
  });

  it('stays refused when only the lines that name the note were removed', async () => {
    const { machines, a } = await leftCopy('README.md');
    commitAll(a);
    const file = join(a.journals.portable.folder, 'README.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^(?:id|scope): .*\n/gm, ''));
    commitAll(a);
    await expectRefused(machines, a);
  });
});

it('the output of show for a machine-local note, saved at a note’s path, is refused with advice that works', async () => {
  const { machines, a, id } = await leftCopy();
  const file = join(a.journals.portable.folder, `semantic/${id}.md`);
  writeFileSync(file, `id          ${id}\ntitle       X\nscope       machine-local\n\nPRIVATE\n`);
  commitAll(a);
  const { trouble } = await syncStore(a);
  expect(trouble?.next).toContain('to keep it here, move the file out of');
  rmSync(file);
  await expectLeftOut(machines, a);
});

it('a machine-local text that was renamed repeatedly and then removed is left out by one sync', async () => {
  const { machines, a, id } = await leftCopy();
  const { folder } = a.journals.portable;
  commitAll(a);
  let path = `semantic/${id}.md`;
  for (const round of ['1', '2', '3', '4', '5', '6', '7', '8']) {
    mkdirSync(join(folder, 'semantic', round));
    git(a, 'mv', path, `semantic/${round}/${id}.md`);
    path = `semantic/${round}/${id}.md`;
    appendFileSync(join(folder, path), `${round}\n`);
    commitAll(a);
  }
  git(a, 'rm', '-q', path);
  git(a, 'commit', '-qm', 'gone');
  await expectLeftOut(machines, a);
});

describe('a machine-local text beside a person’s merge', () => {
  /** The histories of both machines, merged with git. */
  const mergedByHand = async () => {
    const one = await leftCopy();
    const { machines, a } = one;
    const copy = join(a.journals.portable.folder, `semantic/${one.id}.md`);
    const text = readFileSync(copy);
    rmSync(copy);
    await writeNote(a, { title: 'Before' });
    await machines.sync(a);
    const b = await machines.open('b');
    await machines.sync(b);
    await writeNote(b, { title: 'Of b', body: 'b\n' });
    await machines.sync(b);
    await writeNote(a, { title: 'Of a', body: 'a\n' });
    await a.finish();
    const pull = (): string =>
      git(a, 'pull', '-q', '--no-rebase', '--no-edit', join(machines.folder, 'remote.git'), 'main');
    const commitCopy = (): void => {
      writeFileSync(copy, text);
      commitAll(a);
    };
    return { ...one, copy, pull, commitCopy };
  };

  it('is left out when it was committed after the merge', async () => {
    const { machines, a, id, pull, commitCopy } = await mergedByHand();
    pull();
    commitCopy();
    await expectRefused(machines, a);
    await a.perform({ kind: 'move', id, scope: 'machine-local' });
    await expectLeftOut(machines, a);
    expect(published(machines)).toContain('Of a');
  });

  it('is refused with advice that works when the merge included it', async () => {
    const { machines, a, copy, pull, commitCopy } = await mergedByHand();
    commitCopy();
    pull();
    const { trouble } = await syncStore(a);
    expect(trouble).toMatchObject({ code: 'note-private', next: expect.stringContaining('with git') });
    expect(trouble?.next).not.toContain('--scope machine-local');
    rmSync(copy);
    await a.finish();
    git(a, 'reset', '-q', 'HEAD^^');
    await a.adopt('hold');
    expect(await syncStore(a)).toMatchObject({ outcome: 'synced' });
    expect(published(machines)).not.toContain('PRIVATE');
  });
});
