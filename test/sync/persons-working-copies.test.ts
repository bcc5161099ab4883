/** A person's own copy of a file that isn't a note: git carries it, and a sync brings what others wrote into it. */
import { appendFileSync, chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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

/** Both machines have the file. */
const checkedOut = startOnce(['one', 'two'], async ({ one, two }, machines, path: string, base64: string) => {
  await writeNote(one);
  await syncAndFinish(machines, [one, two]);
  writeFileSync(fileOf(one, path), base64, 'base64');
  git(one, 'add', path);
  commit(one);
  await syncAndFinish(machines, [one, two]);
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

  it('stays as it is when it was edited, and git shows how it differs', async () => {
    const { one, two, sync } = await twoCopies('README.md', lines);
    appendFileSync(fileOf(two, 'README.md'), 'of two\n');
    commit(two);
    writeFileSync(fileOf(one, 'README.md'), lines.replace('first', 'first, edited'));
    await sync(two, one);
    expect(textOf(one, 'README.md')).toBe(lines.replace('first', 'first, edited'));
    expect(git(one, 'show', 'main:README.md')).toBe(`${lines}of two\n`);
    expect(git(one, 'status', '--porcelain')).toBe(' M README.md\n');
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
});
