import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readHeadMoves } from '../../../src/events/worktree/head-moves.js';
import { openStore, personsGit, type TestStore, writeNote } from '../../support/store.js';

let store: TestStore;
let folder = '';
const git = (...args: string[]): string => personsGit(folder, ...args).trim();
let since = '';
const moves = (ours?: ReadonlySet<string>) =>
  readHeadMoves(join(folder, '.git'), since, git('rev-parse', 'HEAD'), ours);

beforeEach(async () => {
  store = openStore();
  await writeNote(store.memory);
  await store.memory.finish();
  ({ folder } = store.memory.journals.portable);
  since = git('rev-parse', 'HEAD');
});
afterEach(async () => {
  await store.close();
});

it('lists what a person commits, amends and resets to, and no event of Anamnesis', async () => {
  expect(moves()).toEqual([]);
  git('commit', '--allow-empty', '-qm', 'mine');
  const mine = git('rev-parse', 'HEAD');
  await writeNote(store.memory, { title: 'ours' });
  await store.memory.finish();
  const ours = git('rev-parse', 'HEAD');
  git('commit', '--allow-empty', '-qm', 'then');
  const second = git('rev-parse', 'HEAD');
  git('commit', '--allow-empty', '--amend', '-qm', 'now');
  const amended = git('rev-parse', 'HEAD');
  git('reset', '-q', '--hard', mine);
  const sinceOurs = [
    { from: ours, to: second, isCommit: true, mayKeepFiles: false, isDealtWith: false },
    { from: second, to: amended, isCommit: true, mayKeepFiles: false, isDealtWith: false },
    { from: amended, to: mine, isCommit: false, mayKeepFiles: true, isDealtWith: false },
  ];
  const own = { from: since, to: mine, isCommit: true, mayKeepFiles: false };
  expect(moves(new Set([ours]))).toEqual([{ ...own, isDealtWith: true }, ...sinceOurs]);
  // A commit that was reset, or that another program appended, has not dealt with any move.
  expect(moves()).toEqual([{ ...own, isDealtWith: false }, ...sinceOurs]);
  since = ours;
  expect(moves()).toEqual(sinceOurs);
  since = mine;
  expect(moves()).toEqual([]);
});

it('lists no reset and no switch of branches that stays at the commit', () => {
  git('reset', '-q');
  git('switch', '-qc', 'side');
  git('switch', '-q', 'main');
  expect(moves()).toEqual([]);
});

it('lists nothing that was pushed into the repository or set by a script', () => {
  const clone = join(store.home, 'clone');
  git('clone', '-q', folder, clone);
  personsGit(clone, 'commit', '--allow-empty', '-qm', 'pushed');
  git('config', 'receive.denyCurrentBranch', 'ignore');
  personsGit(clone, 'push', '-q', 'origin', 'HEAD:main');
  const set = git('commit-tree', '-m', 'set', '-p', 'HEAD', 'HEAD^{tree}');
  git('update-ref', '-m', 'set by a script', 'refs/heads/main', set);
  expect(git('rev-parse', 'HEAD')).toBe(set);
  expect(moves()).toEqual([]);
});

it('lists a commit with a subject like our reflog messages as a person’s', () => {
  git('commit', '--allow-empty', '-qm', 'fast-import');
  expect(moves()).toEqual([
    { from: since, to: git('rev-parse', 'HEAD'), isCommit: true, mayKeepFiles: false, isDealtWith: false },
  ]);
});

it('lists nothing when git keeps no reflog', () => {
  git('commit', '--allow-empty', '-qm', 'mine');
  rmSync(join(folder, '.git', 'logs'), { recursive: true });
  expect(moves()).toEqual([]);
});

it('reads the end of a long reflog and skips malformed lines', () => {
  git('commit', '--allow-empty', '-qm', 'mine');
  const mine = git('rev-parse', 'HEAD');
  const log = join(folder, '.git', 'logs', 'HEAD');
  const last = `${since} ${mine} Pat <p@x.dev> 1 +0000\tcommit: mine\n`;
  writeFileSync(log, `${'x'.repeat(5_000_000)}\n`);
  appendFileSync(log, last);
  expect(moves()).toEqual([{ from: since, to: mine, isCommit: true, mayKeepFiles: false, isDealtWith: false }]);
});
