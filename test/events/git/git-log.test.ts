/** Reading merges, and the commits around them, from the output of git log. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { streamFields } from '../../../src/events/git/blob-stream.js';
import { logFormat, openStepReader, parseLogSteps } from '../../../src/events/git/git-log.js';
import { personsGit, temporaryFolder } from '../../support/store.js';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
  personsGit(folder, 'init', '-q', '--initial-branch=main');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const commit = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  personsGit(folder, 'add', '-A');
  personsGit(folder, 'commit', '-q', '-m', `${name} ${text}`);
  return personsGit(folder, 'rev-parse', `HEAD:${name}`).trim();
};

/** Prepares a merge of two sides that both changed `a`, or only one of them. */
const merge = (isClash: boolean): void => {
  commit('a', 'one');
  personsGit(folder, 'checkout', '-q', '-b', 'side');
  commit(isClash ? 'a' : 'b', 'two');
  personsGit(folder, 'checkout', '-q', 'main');
  commit('a', 'three');
  personsGit(folder, 'merge', '-q', '--no-commit', '--no-ff', '-s', 'ours', 'side');
};

const readWith = (...options: readonly string[]) => {
  const args = ['log', '-z', '--reverse', '--topo-order', '--raw', '--no-abbrev', ...options, logFormat];
  return parseLogSteps(execFileSync('git', args, { cwd: folder })).map(({ commit, changes }) => ({
    says: commit.message.trim(),
    parents: commit.parents.length,
    changes,
  }));
};

it('a merge that differs from both sides is read as a change of the first, and later commits are read too', () => {
  merge(true);
  const before = personsGit(folder, 'rev-parse', 'HEAD:a').trim();
  const after = commit('a', 'four');
  const last = commit('c', 'five');
  expect(readWith('-c').slice(-2)).toEqual([
    { says: 'a four', parents: 2, changes: [{ path: 'a', before, after, afterMode: '100644' }] },
    { says: 'c five', parents: 1, changes: [{ path: 'c', before: undefined, after: last, afterMode: '100644' }] },
  ]);
});

it('a merge that equals one of its sides is read without changes, and later commits are read too', () => {
  merge(false);
  personsGit(folder, 'commit', '-q', '-m', 'merged');
  commit('c', 'five');
  for (const options of [['-c'], []]) {
    const read = readWith(...options);
    expect(read.slice(-2).map(({ says, parents, changes }) => [says, parents, changes.length])).toEqual([
      ['merged', 2, 0],
      ['c five', 1, 1],
    ]);
    expect(read.slice(0, -2).map(({ says }) => says)).toEqual(expect.arrayContaining(['a one', 'b two', 'a three']));
  }
});

it('a history is read the same as a stream as in one piece, however long a message is', async () => {
  merge(true);
  commit('a', 'four');
  writeFileSync(join(folder, 'message'), `long\n\n${'a line of it\n'.repeat(40_000)}`);
  personsGit(folder, 'commit', '-q', '--allow-empty', '-F', 'message');
  commit('c', 'five');
  const args = ['log', '-z', '--reverse', '--topo-order', '--raw', '-c', '--no-abbrev', logFormat];
  const read: { says: string; paths: string[] }[] = [];
  const take = openStepReader(
    ({ message }) => read.push({ says: message, paths: [] }),
    (_, path) => read.at(-1)?.paths.push(path),
  );
  await streamFields({ gitDir: join(folder, '.git'), workTree: folder }, args, take);
  const whole = parseLogSteps(execFileSync('git', args, { cwd: folder, maxBuffer: 2 ** 24 }));
  expect(read).toEqual(
    whole.map(({ commit: { message }, changes }) => ({ says: message, paths: changes.map(({ path }) => path) })),
  );
  expect(read.map(({ paths }) => paths)).toEqual([['a'], ['a'], ['a'], ['a'], [], ['c', 'message']]);
});
