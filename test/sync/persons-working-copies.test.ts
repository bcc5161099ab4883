/** A person's own copy of a file that isn't a note: git carries it, and a sync brings what others wrote into it. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/store/memory.js';
import type { Machines } from '../support/machines.js';
import { personsGit, writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';

const folderOf = (memory: Memory): string => memory.journals.portable.folder;
const git = (memory: Memory, ...args: string[]): string => personsGit(folderOf(memory), ...args);
const fileOf = (memory: Memory, path: string): string => join(folderOf(memory), path);
const textOf = (memory: Memory, path: string): string => readFileSync(fileOf(memory, path), 'utf8');

const commit = (memory: Memory): void => {
  git(memory, 'commit', '-qam', 'by hand');
};
const syncAndFinish = async (machines: Machines, all: readonly Memory[]): Promise<void> => {
  for (const memory of all) {
    await machines.sync(memory);
    await memory.finish();
  }
};

/** Both machines have checked the file out, as the manual describes. */
const checkedOut = startOnce(['one', 'two'], async ({ one, two }, machines, path: string, base64: string) => {
  await writeNote(one);
  await syncAndFinish(machines, [one, two]);
  writeFileSync(fileOf(one, path), base64, 'base64');
  git(one, 'add', path);
  commit(one);
  await syncAndFinish(machines, [one, two]);
  git(two, 'update-index', '--no-skip-worktree', path);
  git(two, 'checkout', '-q', path);
  return {};
});

const twoCopies = async (path: string, content: string | Buffer) => {
  const { machines, one, two } = await checkedOut(path, Buffer.from(content).toString('base64'));
  const sync = (...all: readonly Memory[]): Promise<void> => syncAndFinish(machines, all);
  const published = (): string => personsGit(join(machines.folder, 'remote.git'), 'show', `main:${path}`);
  return { one, two, sync, published };
};

const lines = 'first\n\nmiddle\n\nlast\n';

describe('a person’s copy of a README that another machine changed', () => {
  it('gets the change when it was not edited, and the next commit reverts nothing', async () => {
    const { one, two, sync, published } = await twoCopies('README.md', lines);
    appendFileSync(fileOf(two, 'README.md'), 'of two\n');
    commit(two);
    await sync(two, one);
    expect(textOf(one, 'README.md')).toBe(`${lines}of two\n`);
    expect(git(one, 'status', '--porcelain')).toBe('');
    appendFileSync(fileOf(one, 'README.md'), 'of one\n');
    commit(one);
    await sync(one, two);
    expect(published()).toBe(`${lines}of two\nof one\n`);
    expect(textOf(two, 'README.md')).toBe(`${lines}of two\nof one\n`);
  });

  it.each([
    [
      'of other lines',
      (text: string) => text.replace('first', 'first, edited'),
      'first, edited\n\nmiddle\n\nlast\nof two\n',
    ],
    ['of the same lines', (text: string) => `${text}of one\n`, `${lines}of two\nof one\n`],
  ])('keeps an edit %s beside the change, and a commit publishes both', async (_, edit, both) => {
    const { one, two, sync, published } = await twoCopies('README.md', lines);
    appendFileSync(fileOf(two, 'README.md'), 'of two\n');
    commit(two);
    writeFileSync(fileOf(one, 'README.md'), edit(lines));
    await sync(two, one);
    expect(textOf(one, 'README.md')).toBe(both);
    expect(git(one, 'status', '--porcelain')).toBe(' M README.md\n');
    commit(one);
    await sync(one);
    expect(published()).toBe(both);
  });

  it('becomes executable when the other machine made it so', async () => {
    const { one, two, sync } = await twoCopies('run.sh', 'echo\n');
    chmodSync(fileOf(two, 'run.sh'), 0o755);
    appendFileSync(fileOf(two, 'run.sh'), 'echo two\n');
    commit(two);
    await sync(two, one);
    expect(statSync(fileOf(one, 'run.sh')).mode & 0o100).toBe(0o100);
    expect(git(one, 'status', '--porcelain')).toBe('');
  });

  it('keeps a secret that is masked in git, and gets the change around it', async () => {
    const token = `ghp_${'Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR'}`;
    const { one, two, sync, published } = await twoCopies('README.md', `${token}\n\n${lines}`);
    expect(textOf(one, 'README.md')).toBe(`${token}\n\n${lines}`);
    appendFileSync(fileOf(two, 'README.md'), 'of two\n');
    commit(two);
    await sync(two, one);
    expect(textOf(one, 'README.md')).toBe(`${token}\n\n${lines}of two\n`);
    commit(one);
    await sync(one);
    expect(published()).toBe(`[REDACTED:github-token]\n\n${lines}of two\n`);
  });
});

describe('a person’s copy that can’t be merged with the change', () => {
  it('is left as it is when it isn’t text, and a commit of everything reverts nothing', async () => {
    const { one, two, sync, published } = await twoCopies('image.bin', Buffer.from([0, 1]));
    writeFileSync(fileOf(two, 'image.bin'), Buffer.from([0, 2]));
    commit(two);
    writeFileSync(fileOf(one, 'image.bin'), Buffer.from([0, 3]));
    await sync(two, one);
    expect([...readFileSync(fileOf(one, 'image.bin'))]).toEqual([0, 3]);
    writeFileSync(fileOf(one, 'new.txt'), 'new\n');
    git(one, 'add', '-A');
    commit(one);
    await sync(one);
    expect(published()).toBe('\0\u0002');
  });

  it('is left as it is when the person’s git gave it other line endings', async () => {
    const { one, two, sync, published } = await twoCopies('README.md', lines);
    writeFileSync(fileOf(one, 'README.md'), lines.replaceAll('\n', '\r\n'));
    writeFileSync(fileOf(two, 'README.md'), lines.replace('middle', 'middle of two'));
    commit(two);
    await sync(two, one);
    expect(textOf(one, 'README.md')).toBe(lines.replaceAll('\n', '\r\n'));
    writeFileSync(fileOf(one, 'new.txt'), 'new\n');
    git(one, 'add', '-A');
    commit(one);
    await sync(one);
    expect(published()).toBe(lines.replace('middle', 'middle of two'));
  });

  it('is neither changed nor published when git was never told about it', async () => {
    const { one, two, sync } = await twoCopies('README.md', lines);
    for (const text of ['of two\n', 'of two\nagain of two\n']) {
      writeFileSync(fileOf(one, 'plan.txt'), 'of one only\n');
      writeFileSync(fileOf(two, 'plan.txt'), text);
      git(two, 'add', 'plan.txt');
      commit(two);
      await sync(two, one);
      appendFileSync(fileOf(one, 'README.md'), 'more\n');
      commit(one);
      await sync(one, two);
      expect(textOf(one, 'plan.txt')).toBe('of one only\n');
      expect(git(two, 'show', 'main:plan.txt')).toBe(text);
    }
  });
});

describe('a file from another machine in a folder whose name a person uses for something else', () => {
  it.each([
    ['a file', (place: string, _elsewhere: string) => writeFileSync(place, 'a file\n')],
    ['a link to a folder', (place: string, elsewhere: string) => symlinkSync(elsewhere, place)],
  ])('still gets into git’s index (%s), so that a person’s commit removes nothing', async (_, put) => {
    const { one, two, sync } = await twoCopies('README.md', lines);
    const elsewhere = join(folderOf(one), '..', 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'x.txt'), 'elsewhere\n');
    put(fileOf(one, 'docs'), elsewhere);
    mkdirSync(fileOf(two, 'docs'));
    writeFileSync(fileOf(two, 'docs/x.txt'), 'of two\n');
    git(two, 'add', 'docs');
    commit(two);
    await sync(two, one);
    const later = await writeNote(two, { title: 'Later' });
    await sync(two, one);
    writeFileSync(fileOf(one, 'new.txt'), 'new\n');
    git(one, 'add', 'new.txt');
    commit(one);
    await sync(one, two);
    expect(git(two, 'ls-tree', '-r', '--name-only', 'main')).toContain('docs/x.txt');
    expect(git(two, 'ls-tree', '-r', '--name-only', 'main')).toContain(later.id);
    expect(existsSync(fileOf(one, 'docs'))).toBe(true);
  });
});
