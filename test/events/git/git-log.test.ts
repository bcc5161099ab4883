/** Merges in git's output, read beside the commits around them. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { logFormat, parseLogSteps } from '../../../src/events/git/git-log.js';
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

/** Both sides changed `a`, or only one. */
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

it('a merge that is unlike both sides changes the first one, and the commits behind it are read', () => {
  merge(true);
  const before = personsGit(folder, 'rev-parse', 'HEAD:a').trim();
  const after = commit('a', 'four');
  const last = commit('c', 'five');
  expect(readWith('-c').slice(-2)).toEqual([
    { says: 'a four', parents: 2, changes: [{ path: 'a', before, after, afterMode: '100644' }] },
    { says: 'c five', parents: 1, changes: [{ path: 'c', before: undefined, after: last, afterMode: '100644' }] },
  ]);
});

it('a merge that is like one of its sides changes nothing, and the commits behind it are read', () => {
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
